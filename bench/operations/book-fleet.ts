/**
 * A book over one to four workers of a fleet on Redis at 127.0.0.1, in small parts and in those of a server.
 *
 * Every answer is compared with that of one process, member by member.
 */
import { isDeepStrictEqual } from 'node:util';
import { processClock } from '#src/core/clock.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openFleet } from '#src/fleet/fleet.js';
import { createSpreader } from '#src/fleet/spread-engine.js';
import { engineVersion } from '#src/host/engine-version.js';
import { createLogger } from '#src/host/log.js';
import {
  dropFleet,
  join,
  newFleetName,
  REDIS,
  startWorkerProcess,
  type WorkerProcess,
} from '../../test/support/fleet.ts';
import { bookPlan } from './book-plans.ts';

const WORKERS = [1, 2, 3, 4];
/** Asset-steps of a part: a tenth of a second of a worker, or what a server hands out. */
const PARTS = { small: { least: 2 ** 22, most: 2 ** 22 }, usual: undefined } as const;

export interface BookFleetRow {
  readonly workers: number;
  readonly parts: keyof typeof PARTS;
  readonly seconds: number;
  /** Seconds of one worker over seconds of these. */
  readonly gain: number;
  /** Whether the answer is that of one process. */
  readonly same: boolean;
}

/** The rows; none where there is no Redis. */
export async function bookFleet(paths: number): Promise<BookFleetRow[]> {
  if (!REDIS.present) return [];
  const log = createLogger('silent');
  const plan = bookPlan({ baskets: 'b', loans: 2000, mood: 'stress', referenceGoal: 0 }, paths);
  const local = openReferenceEngine({ threads: 1 });
  const expected = await local.run(plan);
  const name = newFleetName();
  const fleet = await openFleet({
    ...(await join(REDIS.url, name)),
    version: engineVersion(),
    clock: processClock,
    log,
  });
  const workers: WorkerProcess[] = [];
  const rows: BookFleetRow[] = [];
  try {
    for (const count of WORKERS) {
      while (workers.length < count) workers.push(await startWorkerProcess(REDIS.url, name));
      while (fleet.threadsFor('reference') < count) await new Promise(resolve => setTimeout(resolve, 50));
      for (const parts of Object.keys(PARTS) as (keyof typeof PARTS)[]) {
        const partSize = PARTS[parts];
        const options = { leastWork: 0, ...(partSize === undefined ? {} : { partSize }) };
        const engine = createSpreader(fleet, options).spread(plan, 'reference', local);
        if (engine === undefined) throw new Error('the book is not spread');
        // Once for the workers to compile, once to measure.
        await engine.run({ ...plan, paths: Math.ceil(paths / 8) });
        const begin = performance.now();
        const outcome = await engine.run(plan);
        const seconds = (performance.now() - begin) / 1000;
        const one = rows.find(row => row.parts === parts)?.seconds ?? seconds;
        rows.push({
          workers: count,
          parts,
          seconds,
          gain: one / seconds,
          same: isDeepStrictEqual(outcome, expected),
        });
      }
    }
  } finally {
    for (const worker of workers) await worker.kill();
    await fleet.close();
    await dropFleet(name);
    await local.close();
  }
  return rows;
}
