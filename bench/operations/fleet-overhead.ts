/**
 * What a part costs beside its work, and what that makes of large fleets.
 *
 * `node build/bench/operations/fleet-overhead.js [parts]`: parts without work go through the Redis of this machine
 * to workers of this process; then a simulation on a clock of its own takes the costs found to 1, 10 and 100 hosts.
 */
import { writeFileSync } from 'node:fs';
import { processClock } from '#src/core/clock.js';
import type { PartEngine } from '#src/engine/parts.js';
import { openFleet } from '#src/fleet/fleet.js';
import { startWorker } from '#src/fleet/fleet-worker.js';
import { createLogger } from '#src/host/log.js';
import { dropFleet, join, newFleetName, REDIS } from '../../test/support/fleet.ts';
import { fleetPlan } from '../../test/support/fleet-plans.ts';
import { projectFile } from '../project.ts';
import { FLEETS, simulateFleet } from './fleet-simulation.ts';

const parts = Number(process.argv[2] ?? 1000);
const log = createLogger('silent');
const plan = fleetPlan('loan', parts * 4);

/** Answers at once, with as many bytes as the request asks for. */
const idle = (bytes: number): PartEngine => ({
  chunks: () => undefined,
  runPart: async () => ({ sums: new Float64Array(bytes / 8), columns: new Float64Array(0) }) as never,
  mergeChunks: () => {
    throw new Error('nothing is merged');
  },
});

const rows = [];
for (const [workers, bytes] of [
  [1, 8],
  [4, 8],
  [4, 2 ** 20],
] as const) {
  const name = newFleetName();
  const version = 'overhead';
  const fleet = await openFleet({ ...(await join(REDIS.url, name)), version, clock: processClock, log });
  const started = await Promise.all(
    Array.from({ length: workers }, async () =>
      startWorker({
        ...(await join(REDIS.url, name)),
        engines: new Map([['reference', idle(bytes)]]),
        threads: 1,
        version,
        clock: processClock,
        log,
      }),
    ),
  );
  const count = bytes > 8 ? Math.min(parts, 100) : parts;
  while (fleet.threadsFor('reference') < workers) await new Promise(resolve => setTimeout(resolve, 50));
  const begin = performance.now();
  let answers = 0;
  await fleet.runParts({
    engine: 'reference',
    plan,
    parts: Array.from({ length: count }, (_, i) => ({ kind: 'chunks', range: { first: 4 * i, count: 4 } })),
    run: `overhead-${workers}-${bytes}`,
    signal: undefined,
    onAnswer: () => {
      answers += 1;
    },
    runHere: () => Promise.reject(new Error('there are workers')),
  });
  if (answers !== count) throw new Error(`${answers} answers to ${count} parts`);
  rows.push({
    workers,
    bytes,
    millisecondsPerPart: Math.round(((performance.now() - begin) / count) * 100) / 100,
  });
  for (const worker of started) await worker.close();
  await fleet.close();
  await dropFleet(name);
}
const measured = rows.filter(row => row.workers === 4);
const costs = {
  partSeconds: (measured[0]?.millisecondsPerPart ?? 1.5) / 1000,
  mebibyteSeconds:
    Math.max(0, (measured[1]?.millisecondsPerPart ?? 8) - (measured[0]?.millisecondsPerPart ?? 1.5)) / 1000,
};
const report = {
  parts,
  rows,
  costs,
  simulation: FLEETS.map(fleet => ({ ...fleet, ...simulateFleet(fleet, costs) })),
};
const file = projectFile('bench/results/operations/fleet-overhead.json');
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exit(0);
