/**
 * Random faults of a fleet under load, each answer held against that of one process.
 *
 * `node build/bench/operations/fleet-faults.js [faults] [redis|postgres] [seed]`. Redis is a server of its own, which needs
 * `redis-server`; PostgreSQL is that of 127.0.0.1:5432, database test, which is not restarted.
 */

import { writeFileSync } from 'node:fs';
import { dropFleet, newFleetName, SERVICES } from '../../support/fleet.ts';
import { FAULTS, type FaultReport, runCampaign, startRedis } from '../../support/fleet-faults.ts';
import { projectFile } from '../project.ts';

const count = Number(process.argv[2] ?? 100);
const kind = process.argv[3] ?? 'redis';
let state = Number(process.argv[4] ?? 1);

/** Park and Miller: the same faults for the same seed. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const name = newFleetName();
const redis = kind === 'redis' ? await startRedis() : undefined;
const offered = redis === undefined ? FAULTS.filter(fault => !fault.startsWith('store-')) : FAULTS;
const faults = Array.from({ length: count }, () => offered[Math.floor(random() * offered.length)]);
const reports: FaultReport[] = [];
const begin = performance.now();
await runCampaign({
  url: redis === undefined ? 'postgres://postgres@127.0.0.1:PORT/test' : 'redis://127.0.0.1:PORT',
  port: redis?.port ?? 5432,
  ...(redis === undefined ? {} : { restartStore: redis.restart }),
  name,
  faults,
  random,
  report: each => {
    reports.push(each);
    process.stderr.write(
      `${reports.length} ${each.fault} ${each.product} ${each.right ? 'right' : 'WRONG'} ${each.milliseconds} ms\n`,
    );
  },
});
const longest = (fault: string) =>
  Math.max(...reports.filter(each => each.fault === fault).map(each => each.milliseconds));
const report = {
  store: kind,
  faults: reports.length,
  right: reports.filter(({ right }) => right).length,
  minutes: Math.round((performance.now() - begin) / 6000) / 10,
  byFault: Object.fromEntries(
    [...new Set(faults)].sort().map(fault => [
      fault,
      {
        times: reports.filter(each => each.fault === fault).length,
        longestMilliseconds: longest(fault),
      },
    ]),
  ),
};
const file = projectFile(`bench/results/operations/fleet-faults-${kind}.json`);
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(report)}\n`);
if (redis === undefined) await dropFleet(SERVICES[1], name);
await redis?.close();
process.exit(report.right === report.faults ? 0 : 1);
