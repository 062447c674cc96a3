/**
 * Random requests near the work limit of a server: whether one that was begun misses its deadline.
 *
 * `node build/bench/operations/near-limit.js [requests] [seed]`. Operation, methodology, engine, assets (1 to 32) and hours are drawn;
 * paths are chosen so that the work is 50 to 105 % of the limit. What the server turns away (422, 429) is counted apart.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { quantileOf, report, tally } from './figures.ts';
import { startService } from './service.ts';

const requests = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? 20_261_122);
const CALLERS = 3;
const THREADS = 2;
const DEADLINE_SECONDS = 3;
/** As the configuration has it: docs/operations.md. */
const LIMIT = 3e7 * THREADS * DEADLINE_SECONDS;
const LONGEST_PAUSE_MS = 2000;

const server = await startService({
  REQUEST_TIMEOUT_SECONDS: String(DEADLINE_SECONDS),
  CPU_THREADS: String(THREADS),
});
const { symbols: listed } = JSON.parse(
  (await server.call('/symbols', { headers: { 'x-api-key': 'a-key-of-the-bench' } })).body,
) as { symbols: readonly { symbol: string }[] };
const known = listed.map(({ symbol }) => symbol);

/** Equal weights. */
function weights(symbols: readonly string[]): Record<string, number> {
  const each = Math.floor(1e6 / symbols.length) / 1e6;
  const first = 1 - each * (symbols.length - 1);
  return Object.fromEntries(symbols.map((symbol, i) => [symbol, i === 0 ? Number(first.toFixed(6)) : each]));
}

const loan = fc
  .record({
    path: fc.constantFrom('/loan_risk', '/loan_origination', '/loan_risk_low_liquidity'),
    type: fc.constantFrom('GBM', 'GBM', 'GARCH', 'GBM_VIX', 'STUDENT_T'),
    compute: fc.constantFrom('auto', 'cpu'),
    assets: fc.integer({ min: 1, max: known.length - 1 }),
    days: fc.integer({ min: 5, max: 120 }),
    share: fc.double({ min: 0.5, max: 1.05, noNaN: true }),
  })
  .map(({ path, type, compute, assets: count, days, share }) => {
    const lowLiquidity = path === '/loan_risk_low_liquidity';
    const used = lowLiquidity ? (type === 'GARCH' ? 'GARCH' : 'GBM') : type === 'GARCH' ? 'GBM' : type;
    const weight = path === '/loan_origination' ? 4 : lowLiquidity ? 1.5 : 1;
    const collateral = known.filter(symbol => symbol !== 'USDC').slice(0, count);
    const paths = Math.round((share * LIMIT) / (weight * days * 24 * (collateral.length + 1)));
    const params = {
      collateral_weights: weights(collateral),
      loan_weights: { USDC: 1 },
      analysis_date: '01-30-2026',
      model_lookback: 60,
      loan_duration: days,
      mc_top_up: 24,
      loan_value: 5000,
      L: 1.1,
      mc_iter: Math.max(1, paths),
      ...(path === '/loan_origination'
        ? {
            opt_param: {
              score_variable: 'PrLiquidation',
              score_target: 0.05,
              variable_min: 1.2,
              variable_max: 3,
              error_tolerance: 0.001,
            },
          }
        : { N: 1.5, M: 1.3, R: 1.7 }),
      ...(lowLiquidity
        ? { volume_lookback: 30, markets: [['BTC', 'USDT', 'binance']], participation_ratio: 0.1 }
        : {}),
    };
    return { path, compute, kind: `${path} ${used} ${compute}`, body: { type: used, params } };
  });

const queue = fc.sample(loan, { numRuns: requests, seed });
const outcomes: string[] = [];
const late: string[] = [];
const times: number[] = [];

async function caller(): Promise<void> {
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { path, compute, kind, body } = next;
    const answer = await server.ask(path, body, { 'x-compute': compute });
    outcomes.push(`${kind}: ${answer.status}`);
    if (answer.status === 200) times.push(answer.milliseconds);
    if (answer.status >= 500 || answer.status === 0) late.push(`${JSON.stringify(body)}: ${answer.body}`);
    if (outcomes.length % 50 === 0)
      process.stderr.write(`${outcomes.length} requests, ${late.length} of them too late\n`);
    // A caller that is told to come again later does.
    if (answer.status === 429)
      await sleep(Math.min(LONGEST_PAUSE_MS, 1000 * Number(answer.headers['retry-after'] ?? 1)));
  }
}

const begin = performance.now();
await Promise.all(Array.from({ length: CALLERS }, caller));
const seconds = (performance.now() - begin) / 1000;
await server.stop();
const statuses = tally(outcomes.map(outcome => outcome.slice(-3)));
report(
  'near-limit',
  `node build/bench/operations/near-limit.js ${requests} ${seed}`,
  {
    requests: outcomes.length,
    seconds,
    deadlineSeconds: DEADLINE_SECONDS,
    limitAssetSteps: LIMIT,
    statuses,
    outcomes: Object.fromEntries(Object.entries(tally(outcomes)).sort()),
    millisecondsAnswered: { median: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) },
    late: late.slice(0, 5),
  },
  {
    'no request is begun and abandoned (504), and none fails': late.length === 0,
    'at least a fifth is answered': (statuses['200'] ?? 0) >= requests / 5,
  },
);
