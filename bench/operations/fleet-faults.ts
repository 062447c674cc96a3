/**
 * Random faults of a fleet under load, each answer held against that of one process.
 *
 * `node build/bench/operations/fleet-faults.js [faults] [seed]`. The store is a Redis of its own, which needs
 * `redis-server`.
 */
import { newFleetName } from '../../test/support/fleet.ts';
import { FAULTS, type FaultReport, runCampaign } from '../../test/support/fleet-faults.ts';
import { startRedis } from '../../test/support/own-stores.ts';
import { report } from './figures.ts';

const count = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? 1);
let state = seed;

/** Park and Miller: the same faults for the same seed. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const store = await startRedis();
const faults = Array.from({ length: count }, () => FAULTS[Math.floor(random() * FAULTS.length)]);
const reports: FaultReport[] = [];
const begin = performance.now();
try {
  await runCampaign({
    store,
    name: newFleetName(),
    faults,
    random,
    report: each => {
      reports.push(each);
      process.stderr.write(
        `${reports.length} ${each.fault} ${each.product} ${each.right ? 'right' : 'WRONG'} ${each.milliseconds} ms\n`,
      );
    },
  });
} finally {
  await store.close();
}
const byFault = [...new Set(faults)].sort().map(fault => {
  const all = reports.filter(each => each.fault === fault);
  const longestMilliseconds = Math.max(...all.map(each => each.milliseconds));
  return [fault, { times: all.length, longestMilliseconds }] as const;
});
report(
  'fleet-faults-redis',
  `node build/bench/operations/fleet-faults.js ${count} ${seed}`,
  {
    faults: reports.length,
    right: reports.filter(({ right }) => right).length,
    minutes: Math.round((performance.now() - begin) / 6000) / 10,
    byFault: Object.fromEntries(byFault),
  },
  {
    'every answer is right': reports.length === count && reports.every(({ right }) => right),
    'workers have done other work within a second of a cancel': reports.every(
      ({ fault, milliseconds }) => fault !== 'cancelled' || milliseconds <= 1000,
    ),
  },
);
process.exit();
