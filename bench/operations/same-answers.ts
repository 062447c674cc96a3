/**
 * This version beside another one: the same generated requests to both, whose answers must be equal to the byte.
 *
 *   node build/bench/operations/same-answers.js FOLDER [requests] [seed] [path]
 *
 * FOLDER is a checkout of the other version, installed and built. Requests are the examples of openapi.json with other numbers, assets,
 * methodologies, engines, queries and forms, a quarter of them with faults, of one path such as /var or of all; they are made once and
 * sent to both. Compared are the status, the body without its request id and version, and the headers that describe the answer. A change
 * that is meant is read in the list.
 */
import { resolve } from 'node:path';
import fc from 'fast-check';
import { EXAMPLES } from '../../src/server/openapi/examples.ts';
import { PROJECT } from '../project.ts';
import { API_KEY, type RunningServer, serversFor, startServer } from '../server.ts';

const [folder, count = '2000', seed = '1', only] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: same-answers.js FOLDER [requests] [seed] [path]');

interface Sent {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers of an answer that follow from the request. */
const HEADERS = [
  ...[
    'content-type',
    'x-compute',
    'x-compute-device',
    'x-seed',
    'x-market-grid',
    'x-market-data',
    'x-scenarios',
  ],
  ...['x-market-data-filled', 'x-warnings', 'x-maintenance-margin', 'x-funding-rate', 'allow'],
];

const symbol = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('BTC', 'ETH', 'USD', 'USDC', 'usdt') },
  { weight: 1, arbitrary: fc.constantFrom('CASH', 'NOPE') },
);
const weights = fc
  .uniqueArray(symbol, { minLength: 1, maxLength: 4, selector: each => each.toUpperCase() })
  .map(symbols => Object.fromEntries(symbols.map(each => [each, 1 / symbols.length])));
const date = fc.constantFrom('06-30-2024', '03-15-2024', '12-31-2025', '01-02-2023');
const ratios = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 40 })))
  .map(([l, m, n, r]) => {
    const L = 0.9 + l / 200;
    const M = L + m / 100;
    return { L, M, N: M + n / 100, R: L + r / 50 };
  });
/** Other values of the members that bodies share. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  collateral_weights: weights,
  loan_weights: weights,
  weights,
  analysis_date: date,
  model_lookback: fc.constantFrom(2, 20, 30, 61, 90, 120),
  loan_duration: fc.constantFrom(0.02, 0.5, 1, 7.25, 30, 90),
  mc_top_up: fc.constantFrom(0, 1, 24, 30.5, 720),
  loan_value: fc.constantFrom(1, 250_000, 1e9),
  collateral_value: fc.constantFrom(1, 250_000, 1e9),
  mc_iter: fc.constantFrom(1, 7, 500, 1000, 3000),
  volatility_shock: fc.constantFrom(0, 0.1, -0.5, 6),
  var_duration: fc.constantFrom([1], [0.3, 2, 30], [10, 1], [0.01]),
  quantile: fc.constantFrom([0.95], [0.999, 0.5], [0.01, 0.99]),
  horizon: fc.constantFrom(1, 3),
  participation_ratio: fc.constantFrom(0.0001, 0.1, 1),
  volume_lookback: fc.constantFrom(1, 30),
  funding_rate: fc.constantFrom(0.0001, -0.001, 'historical'),
  funding_method: fc.constantFrom('flat', 'debitflat'),
  position_size: fc.constantFrom(2, -2, 0.001, 1e6),
  unrealized_pnl: fc.constantFrom(0, 500, -500),
  trade_duration_hours: fc.constantFrom(3, 72, 500),
  maintenance_margin_rate: fc.constantFrom(0.004, 0.5),
  taker_fee_rate: fc.constantFrom(0, 0.001),
  sale_delay: fc.constantFrom(0, 24, 30),
  sale_cost: fc.constantFrom(0, 0.05),
};
/** What no member takes, but some. */
const strange = fc.constantFrom<unknown>(
  null,
  true,
  '1',
  '',
  [],
  {},
  -1,
  0,
  1e308,
  0.5,
  'GBM',
  'GARCH',
  [1, 1],
);

type Members = Record<string, unknown>;
const termsOf = (body: Members) => (body.params ?? body) as Members;

const exampleOf = fc
  .constantFrom(
    ...Object.entries(EXAMPLES)
      .filter(([path]) => only === undefined || path === only)
      .flatMap(([path, bodies]) => bodies.map(body => [path, body] as const)),
  )
  .map(([path, body]) => ({ path, body: structuredClone(body) as Members }));

const changed = exampleOf.chain(({ path, body }) => {
  const terms = termsOf(body);
  const inLoans = Array.isArray(terms.loans) ? (terms.loans as Members[]) : [];
  const places = [terms, ...inLoans].flatMap(object =>
    [...Object.keys(object), 'volatility_shock', 'mc_iter']
      .filter(member => VALUES[member] !== undefined)
      .map(member => ({ object, member })),
  );
  const holders = [terms, ...inLoans].filter(object => 'N' in object);
  return fc
    .record({
      at: fc.uniqueArray(fc.nat(places.length - 1), { maxLength: 4 }),
      values: fc.tuple(...places.map(({ member }) => VALUES[member])),
      ratios: fc.array(ratios, { minLength: holders.length, maxLength: holders.length }),
      newRatios: fc.boolean(),
      fault: fc.integer({ min: 0, max: 3 }),
      faultAt: fc.tuple(fc.nat(1000), strange),
      remove: fc.boolean(),
    })
    .map(drawn => {
      for (const place of drawn.at) places[place].object[places[place].member] = drawn.values[place];
      if (drawn.newRatios)
        holders.forEach((object, i) => {
          Object.assign(object, drawn.ratios[i]);
        });
      if (drawn.fault === 0) {
        const objects = [body, terms, ...inLoans];
        const object = objects[drawn.faultAt[0] % objects.length];
        const names = [...Object.keys(object), 'mc_topup'];
        const name = names[drawn.faultAt[0] % names.length];
        if (drawn.remove) delete object[name];
        else object[name] = drawn.faultAt[1];
      }
      return { path, body };
    });
});

const query = fc
  .record({
    include: fc.subarray(['accuracy', 'distribution', 'model', 'warnings', 'plan'], { minLength: 0 }),
    confidence: fc.constantFrom(null, null, null, null, '0.9', '0.99', '0.999', '2'),
    sampling: fc.constantFrom(
      ...Array<null>(20).fill(null),
      'sobol',
      'sobol',
      'tail',
      'tail',
      'tail',
      'none',
    ),
  })
  .map(({ include, confidence, sampling }) => {
    const parameters = new URLSearchParams();
    if (include.length > 0) parameters.set('include', include.join(','));
    if (confidence !== null) parameters.set('confidence', confidence);
    if (sampling !== null) parameters.set('sampling', sampling);
    return String(parameters);
  });

const request = fc
  .record({
    question: changed,
    query: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 3, arbitrary: query }),
    seed: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom('0', '1', '4294967295') },
      { weight: 1, arbitrary: fc.constant('-1') },
    ),
    compute: fc.oneof(
      { weight: 4, arbitrary: fc.constant('cpu') },
      { weight: 4, arbitrary: fc.constant('auto') },
      { weight: 2, arbitrary: fc.constant('gpu') },
    ),
    accept: fc.oneof(
      { weight: 8, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom('text/csv', 'application/x-ndjson') },
    ),
  })
  .map(
    ({ question, query, seed, compute, accept }): Sent => ({
      target: query === '' ? question.path : `${question.path}?${query}`,
      headers: { 'x-seed': seed, 'x-compute': compute, accept },
      body: JSON.stringify(question.body),
    }),
  );

/** What is compared of an answer. */
async function answerOf({ url }: RunningServer, { target, headers, body }: Sent): Promise<string> {
  const response = await fetch(new URL(target, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY, 'x-request-id': 'same', ...headers },
    body,
  });
  const text = (await response.text()).replaceAll(
    /("Risk engine version"\s*:\s*|Risk engine version,,,,?)"?[\w.+]+"?/g,
    '$1',
  );
  const shown = HEADERS.map(name => `${name}: ${response.headers.get(name)}`);
  return [String(response.status), ...shown, text].join('\n');
}

/** The lines in which two texts differ first, shortened around the difference. */
function difference(before: string, after: string): string {
  const at = [...before].findIndex((character, i) => character !== after[i]);
  const from = Math.max(0, (at < 0 ? Math.min(before.length, after.length) : at) - 120);
  return `before: …${before.slice(from, from + 400)}\nafter:  …${after.slice(from, from + 400)}`;
}

const requests = fc.sample(request, { numRuns: Number(count), seed: Number(seed) });
const [server] = await serversFor(['gpu-software']);
const both = await Promise.all([resolve(folder), PROJECT].map(project => startServer(server, project)));
const statuses = new Map<string, number>();
let differing = 0;
for (const [i, sent] of requests.entries()) {
  const [before, after] = await Promise.all(both.map(each => answerOf(each, sent)));
  const status = before.slice(0, 3);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (before !== after) {
    differing += 1;
    process.stdout.write(`${i}: ${JSON.stringify(sent)}\n${difference(before, after)}\n\n`);
  }
  if (i % 200 === 199) process.stderr.write(`${i + 1} requests, ${differing} answers differ\n`);
}
await Promise.all(both.map(each => each.stop()));
process.stdout.write(
  `${requests.length} requests: ${differing} answers differ; by status ${JSON.stringify(Object.fromEntries(statuses))}\n`,
);
process.exitCode = differing === 0 ? 0 : 1;
