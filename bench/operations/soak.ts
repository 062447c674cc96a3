/**
 * Mixed requests for an hour: whether memory stays flat, descriptors are given back and the event loop turns.
 *
 * `node build/bench/operations/soak.js [minutes] [pause between requests of each caller, ms]`. The load is light: what
 * leaks shows by the number of requests, not by their size.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_BODIES, withMember } from '../../test/support/request-bodies.ts';
import { quantileOf, report, tally } from './figures.ts';
import { startService } from './service.ts';

const minutes = Number(process.argv[2] ?? 60);
const pause = Number(process.argv[3] ?? 200);
const CALLERS = 4;
const SAMPLE_MS = 10_000;
/** Figures before are those of a service that is still warming up. */
const WARM_UP_MINUTES = Math.min(10, minutes / 4);

const operations = Object.entries(GOOD_BODIES);
/** What a desk sends, mistakes included. */
const REQUESTS: readonly (readonly [path: string, body: unknown, expected: number])[] = [
  ...operations.map(([path, body]) => [path, body, 200] as const),
  ['/loan_risk', withMember(GOOD_BODIES['/loan_risk'], 'type', 'GBM_VIX'), 200],
  ['/loan_risk', withMember(GOOD_BODIES['/loan_risk'], 'type', 'HISTORICAL'), 200],
  ['/var', withMember(GOOD_BODIES['/var'], 'type', 'HISTORICAL'), 200],
  ['/isolated_perp_risk', withMember(GOOD_BODIES['/isolated_perp_risk'], 'model', 'HISTORICAL'), 200],
  ['/loan_risk_low_liquidity', withMember(GOOD_BODIES['/loan_risk_low_liquidity'], 'type', 'GARCH'), 200],
  ['/loan_risk', withMember(GOOD_BODIES['/loan_risk'], 'params.N', 'much'), 422],
  ['/loan_risk', withMember(GOOD_BODIES['/loan_risk'], 'params.collateral_weights', { NOPE: 1 }), 422],
];

interface Sample {
  readonly minute: number;
  readonly residentMib: number;
  readonly heapMib: number;
  readonly descriptors: number;
  readonly loopP99Ms: number;
  readonly requests: number;
}

const server = await startService();
const begin = performance.now();
const end = begin + minutes * 60_000;
const statuses: string[] = [];
const samples: Sample[] = [];

async function caller(first: number): Promise<void> {
  for (let i = first; performance.now() < end; i += CALLERS) {
    const [path, body, expected] = REQUESTS[i % REQUESTS.length];
    const { status } = await server.ask(path, body, { 'x-seed': String(i) });
    statuses.push(status === expected ? 'as expected' : `${path} ${status}, not ${expected}`);
    await sleep(pause);
  }
}

async function watch(): Promise<void> {
  while (performance.now() < end) {
    await sleep(SAMPLE_MS);
    const found = await server.metrics();
    const read = (name: string) => found.get(name) ?? Number.NaN;
    samples.push({
      minute: (performance.now() - begin) / 60_000,
      residentMib: read('process_resident_memory_bytes') / 2 ** 20,
      heapMib: read('nodejs_heap_size_used_bytes') / 2 ** 20,
      descriptors: read('process_open_fds'),
      loopP99Ms: read('nodejs_eventloop_lag_p99_seconds') * 1000,
      requests: statuses.length,
    });
  }
}

await Promise.all([watch(), ...Array.from({ length: CALLERS }, (_, i) => caller(i))]);
const exit = await server.stop();

const warm = samples.filter(({ minute }) => minute > WARM_UP_MINUTES);
const slope = slopeOf(warm.map(({ minute, residentMib }) => [minute, residentMib]));
const loop = warm.map(({ loopP99Ms }) => loopP99Ms);
const unexpected = statuses.filter(status => status !== 'as expected');
report(
  'soak',
  `node build/bench/operations/soak.js ${minutes} ${pause}`,
  {
    minutes,
    requests: statuses.length,
    outcomes: tally(statuses),
    residentMibPerMinute: slope,
    residentMib: { first: warm[0]?.residentMib, last: warm.at(-1)?.residentMib },
    descriptors: { first: warm[0]?.descriptors, last: warm.at(-1)?.descriptors },
    loopP99Ms: { median: quantileOf(loop, 0.5), p90: quantileOf(loop, 0.9), most: Math.max(...loop) },
    exit,
    samples: samples.filter((_, i) => i % 6 === 0),
  },
  {
    'every request was answered as expected': unexpected.length === 0,
    'memory grows by less than 1 MiB a minute': slope < 1,
    'no descriptor is lost': (warm.at(-1)?.descriptors ?? 0) <= (warm[0]?.descriptors ?? 0) + 2,
    'the event loop is delayed by less than 50 ms in 99 of 100 turns': quantileOf(loop, 0.9) < 50,
  },
);

/** Least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([at]) => at));
  const y = mean(points.map(([, value]) => value));
  const over = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return over / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}
