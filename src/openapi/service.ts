/** The paths beside operations and jobs in openapi.json, and their schemas: health, metrics, market, scenarios, this description. */
import { DATE_PATTERN } from '../request/fields.ts';
import { health } from '../response/problem.ts';
import { priceList, scenarioList, symbolList } from '../response/service.ts';
import { KEY_REFUSALS, refused } from './background.ts';
import { type JsonSchema, json, jsonSchemaOf, REQUEST_ID, ref, response } from './json-schema.ts';

const ofMarket = { ...REQUEST_ID, 'x-market-data': ref('headers', 'x-market-data') };

export const serviceSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Health: jsonSchemaOf(health),
  SymbolList: jsonSchemaOf(symbolList),
  ScenarioList: jsonSchemaOf(scenarioList),
  PriceList: jsonSchemaOf(priceList),
});

/** The answer of /readyz. */
const readiness = (status: string): JsonSchema => ({
  type: 'object',
  properties: {
    status: { const: status },
    reasons: { type: 'array', items: { type: 'string' }, description: 'Why no request should come.' },
  },
  required: ['status', 'reasons'],
});

export function servicePaths(): JsonSchema {
  const open = { tags: ['Service'], security: [] };
  const ofAll = refused(400, 405, 417, 500);
  return {
    '/healthz': {
      get: {
        ...open,
        operationId: 'health',
        summary: 'What the server has to work with',
        description: 'Computes nothing and needs no key.',
        responses: {
          '200': response('The server can serve.', json(ref('schemas', 'Health'))),
          '503': response(
            'The server was told to have a GPU and has none any more.',
            json(ref('schemas', 'Health')),
          ),
          ...ofAll,
        },
      },
    },
    '/livez': {
      get: {
        ...open,
        operationId: 'live',
        summary: 'Whether the process works',
        description: 'Where it does not answer, restart it. Computes nothing and needs no key.',
        responses: {
          '200': response(
            'It does.',
            json({ type: 'object', properties: { status: { const: 'alive' } }, required: ['status'] }),
          ),
          ...ofAll,
        },
      },
    },
    '/readyz': {
      get: {
        ...open,
        operationId: 'ready',
        summary: 'Whether requests should come',
        description: 'For balancers: send none where the answer is 503. Computes nothing and needs no key.',
        responses: {
          '200': response('They may come.', json(readiness('ready'))),
          '503': response(
            'They should not: the server is stopping, has no GPU where one is demanded, or holds old data.',
            json(readiness('not ready')),
          ),
          ...ofAll,
        },
      },
    },
    '/metrics': {
      get: {
        tags: ['Service'],
        security: [{}, { apiKey: [] }],
        operationId: 'metrics',
        summary: 'Counters and gauges for Prometheus',
        description: 'Needs a key where the server is configured so (`METRICS_ACCESS`).',
        responses: {
          '200': response('Text format 0.0.4.', { 'text/plain': { schema: { type: 'string' } } }),
          ...refused(...KEY_REFUSALS),
          ...ofAll,
        },
      },
    },
    '/symbols': {
      get: {
        tags: ['Service'],
        operationId: 'symbols',
        summary: 'Assets that have a price',
        description:
          'Range, gaps, sources and age of every asset, and the symbols that stand for another. Needs a key.',
        responses: {
          '200': response(
            'The assets of the current version of the market data.',
            json(ref('schemas', 'SymbolList')),
            ofMarket,
          ),
          ...refused(...KEY_REFUSALS),
          ...ofAll,
        },
      },
    },
    '/prices': {
      get: {
        tags: ['Service'],
        operationId: 'prices',
        summary: 'Closes of assets on a day',
        description: 'The closes that a window which ends on that day would end with. Needs a key.',
        parameters: [
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
              'A day, MM-DD-YYYY, at most today (UTC); today where it is absent. The close of today is still to come.',
            schema: { type: 'string', pattern: DATE_PATTERN, examples: ['06-30-2024'] },
          },
        ],
        responses: {
          '200': response('The closes.', json(ref('schemas', 'PriceList')), ofMarket),
          ...refused(...KEY_REFUSALS, 422),
          ...ofAll,
        },
      },
    },
    '/scenarios': {
      get: {
        tags: ['Service'],
        operationId: 'scenarios',
        summary: 'Windows of history that a stress can replay by name',
        description: 'Beginning, length, and how far each asset fell by closes and by lows. Needs a key.',
        responses: {
          '200': response('The windows, in the order of time.', json(ref('schemas', 'ScenarioList'))),
          ...refused(...KEY_REFUSALS),
          ...ofAll,
        },
      },
    },
    '/openapi.json': {
      get: {
        ...open,
        operationId: 'openapi',
        summary: 'This description',
        description: 'An OpenAPI 3.1 document, generated from the schemas that validate requests.',
        responses: {
          '200': response('The document.', json({ type: 'object', description: 'An OpenAPI document.' })),
          ...ofAll,
        },
      },
    },
  };
}
