/** The paths beside operations and jobs in openapi.json, and their schemas: health, metrics, market, scenarios, this description. */
import { DATE_PATTERN } from '../../question/request/fields.ts';
import { KEY_REFUSALS, refused } from './background.ts';
import { answerSchemaOf, type JsonSchema, json, method, REQUEST_ID, ref, response } from './json-schema.ts';
import { health } from './response/problem.ts';
import { priceList, scenarioList, symbolList, usageList } from './response/service.ts';

const ofMarket = { ...REQUEST_ID, 'x-market-data': ref('headers', 'x-market-data') };

export const serviceSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Health: answerSchemaOf(health),
  SymbolList: answerSchemaOf(symbolList),
  ScenarioList: answerSchemaOf(scenarioList),
  PriceList: answerSchemaOf(priceList),
  UsageList: answerSchemaOf(usageList),
});

/** The answer of a probe. @param further members beside its status */
const statusOf = (status: string, further: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { status: { const: status }, ...further },
  required: ['status', ...Object.keys(further)],
});
const REASONS = {
  reasons: { type: 'array', items: { type: 'string' }, description: 'Reasons to send no requests.' },
};

export function servicePaths(): JsonSchema {
  const service = { tags: ['Service'] };
  const open = { ...service, security: [] };
  const ofAll = refused(400, 405, 417, 500);
  const withKey = { ...refused(...KEY_REFUSALS), ...ofAll };
  const ok = response('The server can serve.', json(ref('schemas', 'Health')));
  return {
    '/healthz': {
      get: method(
        open,
        'health',
        'Engines, market data and state of the server',
        'Computes nothing and needs no key.',
        {
          '200': ok,
          '503': { ...ok, description: 'The server requires a GPU and has lost it.' },
          ...ofAll,
        },
      ),
    },
    '/livez': {
      get: method(
        open,
        'live',
        'Whether the process works',
        'If it does not answer, restart the server. Computes nothing and needs no key.',
        { '200': response('It does.', json(statusOf('alive'))), ...ofAll },
      ),
    },
    '/readyz': {
      get: method(
        open,
        'ready',
        'Readiness for requests',
        'For load balancers: send no requests while the answer is 503. Computes nothing and needs no key.',
        {
          '200': response('They may come.', json(statusOf('ready', REASONS))),
          '503': response(
            'Not ready: the server is stopping, has lost a required GPU, or has old data.',
            json(statusOf('not ready', REASONS)),
          ),
          ...ofAll,
        },
      ),
    },
    '/metrics': {
      get: method(
        { ...service, security: [{}, { apiKey: [] }] },
        'metrics',
        'Counters and gauges for Prometheus',
        'Needs a key if `METRICS_ACCESS` says so.',
        {
          '200': response('Text format 0.0.4.', { 'text/plain': { schema: { type: 'string' } } }),
          ...withKey,
        },
      ),
    },
    '/symbols': {
      get: method(
        service,
        'symbols',
        'Assets that have a price',
        'Range, gaps, sources and age of every asset, and the symbols that stand for another. Needs a key.',
        {
          '200': response(
            'The assets of the current version of the market data.',
            json(ref('schemas', 'SymbolList')),
            ofMarket,
          ),
          ...withKey,
        },
      ),
    },
    '/prices': {
      get: method(
        service,
        'prices',
        'Closes of assets on a day',
        'The last closes of a window that ends on that day. Needs a key.',
        {
          '200': response('The closes.', json(ref('schemas', 'PriceList')), ofMarket),
          ...refused(422),
          ...withKey,
        },
        [
          {
            name: 'symbols',
            in: 'query',
            required: true,
            description: 'Symbols of assets in any case, 1 to 32, separated by commas.',
            schema: { type: 'string', examples: ['BTC,ETH'] },
          },
          {
            name: 'date',
            in: 'query',
            required: false,
            description:
              'A day, MM-DD-YYYY, at most today (UTC). Default: today, whose close is still to come.',
            schema: { type: 'string', pattern: DATE_PATTERN, examples: ['06-30-2024'] },
          },
        ],
      ),
    },
    '/scenarios': {
      get: method(
        service,
        'scenarios',
        'Windows of history that a stress can replay by name',
        'Begin, length, and the fall of each asset by closes and by lows. Needs a key.',
        {
          '200': response('The windows, in the order of time.', json(ref('schemas', 'ScenarioList'))),
          ...withKey,
        },
      ),
    },
    '/usage': {
      get: method(
        service,
        'usage',
        'What keys have asked for, by day and month',
        'The use and the limits of the key; with the scope `read` or `admin`, of every key.',
        {
          '200': response('Questions and asset-steps.', json(ref('schemas', 'UsageList'))),
          ...refused(401, 429),
          ...ofAll,
        },
      ),
    },
    '/openapi.json': {
      get: method(
        open,
        'openapi',
        'This description',
        'An OpenAPI 3.1 document, generated from the schemas that validate requests.',
        {
          '200': response('The document.', json({ type: 'object', description: 'An OpenAPI document.' }), {
            ...REQUEST_ID,
            ETag: { description: 'Tag of the document.', schema: { type: 'string' } },
          }),
          '304': { description: 'The client has the document.', headers: REQUEST_ID },
          ...ofAll,
        },
      ),
    },
  };
}
