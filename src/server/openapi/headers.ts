/** Headers and query parameters of the operations, as openapi.json describes them. */
import { WARNING_CODES } from '../../core/warnings.ts';
import type { QuerySupport } from '../../question/request/query.ts';
import { TAPE_QUERY } from '../../question/request/tape-query.ts';
import { INCLUDED_IN_RESULT } from './response/included.ts';

/** Request headers of every operation, by component. */
export const headerParameters = {
  seed: {
    name: 'x-seed',
    in: 'header',
    description: 'Seed of the random numbers: the same seed gives the same paths.',
    schema: { type: 'integer', minimum: 0, maximum: 4_294_967_295, default: 0 },
  },
  compute: {
    name: 'x-compute',
    in: 'header',
    description: 'Engine to run on; with auto the server chooses. HISTORICAL runs on the CPU only.',
    schema: { type: 'string', enum: ['auto', 'gpu', 'cpu'], default: 'auto' },
  },
  marketData: {
    name: 'x-market-data',
    in: 'header',
    description:
      'Version of the market data to answer on, as an earlier answer has it, or its 12 digits alone. Default: the current one. One that is not kept any more is 410.',
    schema: { type: 'string', pattern: '^(sample|(store; version=)?[0-9a-f]{12})$' },
  },
  requestId: {
    name: 'x-request-id',
    in: 'header',
    description:
      'Name of the request in answer and log. Default, also in place of an invalid one: a new name.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,64}$' },
  },
  contentDigest: {
    name: 'content-digest',
    in: 'header',
    description:
      'SHA-256 of the body (RFC 9530), `sha-256=:<base64>:`; a body with another one is refused with 400.',
    schema: { type: 'string' },
  },
  prefer: {
    name: 'prefer',
    in: 'header',
    description: 'With respond-async the answer is a job, whose result can be read later (RFC 7240).',
    schema: { type: 'string', examples: ['respond-async'] },
  },
  idempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description: 'With respond-async: a retry with the same value finds the first job.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
} as const;

const SAMPLINGS: Readonly<Record<QuerySupport['sampling'][number], string>> = {
  sobol:
    'sobol: scrambled Sobol points, for GBM and GBM_VIX; mc_iter is rounded up to 16 times a power of two.',
  tail: 'tail: every second path is shifted towards losses, and paths have weights, for GBM and GBM_VIX; WorstCaseCCR is null, and distribution is not offered.',
};

/** Query parameters of an operation. */
export function queryParameters({ include, sampling }: QuerySupport): readonly object[] {
  const parameters: object[] = [
    {
      name: 'include',
      in: 'query',
      description: [
        'Members of the answer beside Arguments, the result and the version, separated by commas.',
        ...include.flatMap(name => {
          const words = INCLUDED_IN_RESULT[name];
          return words === undefined ? [] : [`${name}: ${words}`];
        }),
      ].join(' '),
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: include } },
    },
    {
      name: 'confidence',
      in: 'query',
      description: 'Level of the intervals of `Accuracy`, with at most 12 decimals.',
      schema: {
        type: 'number',
        exclusiveMinimum: 0.5,
        exclusiveMaximum: 1,
        default: 0.95,
        'x-unit': 'fraction',
      },
    },
  ];
  if (sampling.length > 0)
    parameters.push({
      name: 'sampling',
      in: 'query',
      description: `How paths are drawn. Absent: independent random numbers. ${sampling.map(each => SAMPLINGS[each]).join(' ')}`,
      schema: { type: 'string', enum: sampling },
    });
  if (include.includes('scenario'))
    parameters.push({
      name: 'scenario',
      in: 'query',
      description:
        'With include=scenario, the scenario to show: `worst`, a rank from 1 (the largest loss), or a level such as 0.99, for the scenario at this quantile of the loss.',
      schema: { type: 'string', pattern: '^(worst|[1-9][0-9]{0,8}|0?\\.[0-9]{1,12})$', default: 'worst' },
    });
  return parameters;
}

/** Query parameters of an operation with loan tapes. */
export const tapeParameters = (): readonly object[] =>
  Object.entries(TAPE_QUERY).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));

const text = (description: string, pattern?: string) => ({
  description,
  schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
});
const oneOf = (description: string, ...values: readonly string[]) => ({
  description,
  schema: { type: 'string', enum: values },
});

/** Headers of a key with a limit of work: in answers, and in refusals for an exceeded limit. */
export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': text(
    'Asset-steps that the key may use (q) in a number of seconds (w); absent without a limit: `"work";q=10000000000;w=60`.',
  ),
  RateLimit: text(
    'Asset-steps left to the key (r), and seconds until the limit is full again (t); absent without a limit: `"work";r=6480000;t=41`.',
  ),
} as const;

/** Headers of a successful answer; required ones are in every answer. */
export const ANSWER_HEADERS = {
  'x-request-id': {
    ...text('Name of the request; in every answer, also in a refusal.', '^[A-Za-z0-9._:-]{1,64}$'),
    required: true,
  },
  'x-seed': {
    description: 'The seed that was used.',
    schema: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
  },
  'x-compute': { ...oneOf('What ran.', 'gpu', 'cpu'), required: true },
  'x-compute-device': {
    ...text('Device of the run: processor and threads, or adapter and driver.'),
    required: true,
  },
  'x-market-data': {
    ...text(
      'sample: synthetic prices; else store and the version of the data: same version, seed and body, same answer.',
      '^(sample|store; version=[0-9a-f]{12})$',
    ),
    required: true,
  },
  'x-market-grid': oneOf('Spacing of the prices in the window.', 'hourly', 'daily'),
  'x-market-data-filled': text(
    'Prices carried forward over gaps, `USDC=9,BTC=4h`; absent where there were none.',
  ),
  'x-scenarios': {
    description:
      'Number of scenarios: simulated paths (equally weighted except with sampling=tail), or historical windows.',
    schema: { type: 'integer', minimum: 1 },
  },
  'x-funding-rate': text(
    'The settlements behind a historical funding rate: `BTC/USDT on binance; settlements=90`.',
  ),
  'x-maintenance-margin': {
    description: 'Maintenance margin rate, a fraction of the notional; perpetuals only.',
    schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, 'x-unit': 'fraction' },
  },
  traceresponse: text(
    'Trace of the request, where it has one: its own by `traceparent`, or that of the server (W3C Trace Context).',
  ),
  'x-key-expires': text('When the key expires, in its last 14 days: rotate it.'),
  'Repr-Digest': text(
    'SHA-256 of the JSON text (RFC 9530), also in the record of the answer; absent from tables and lines.',
    '^sha-256=:[A-Za-z0-9+/]{43}=:$',
  ),
  'Unencoded-Digest': text(
    'The same of a long answer that is sent in gzip, in place of Repr-Digest.',
    '^sha-256=:[A-Za-z0-9+/]{43}=:$',
  ),
  'x-warnings': text(
    `Codes of the warnings, with commas between; absent where there are none: ${WARNING_CODES.join(', ')}.`,
  ),
  ...RATE_LIMIT_HEADERS,
} as const;
