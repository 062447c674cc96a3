/**
 * Admission: how many requests work at once, and how many may wait.
 *
 * Each kind of engine has two queues of its own, a narrow one for requests that take long, fits of their models included,
 * and a wide one for short ones: a flood for one engine does not stop the other, and large requests do not stop small ones,
 * with which they share the engine piece by piece. Small ones on a GPU go to it together (src/core/gpu/submission-batch.ts). A request that cannot be
 * answered in time is turned away instead of kept waiting (engine-queue.ts); one that is aborted while it waits gives up its
 * place. Callers share each queue evenly. Must not know: HTTP, what the work is.
 */
import { unlessAborted } from '../core/async.ts';
import type { Clock } from '../core/clock.ts';
import { createEngineQueue, type Place, type QueueRequest } from './engine-queue.ts';

export type QueuedEngine = 'cpu' | 'gpu';

/** Which queue a request belongs in, and until when it has to be answered (on the clock of the admission). */
export interface Entrant extends QueueRequest {
  readonly engine: QueuedEngine;
}

/** What waits in front of an engine. */
export interface Backlog {
  readonly engine: QueuedEngine;
  readonly size: 'small' | 'large';
  readonly waiting: number;
  /** Expected seconds of the engine. */
  readonly seconds: number;
}

export interface Admission {
  /** What waits in each queue at this moment, background work apart. */
  backlogs(): readonly Backlog[];
  /**
   * Does `work` when its turn has come, and gives its result. `work` is told the seconds it has waited.
   * Rejects with the signal's reason as soon as it is aborted, even if `work` takes longer to notice; its place is
   * taken by the next only when it has.
   * @throws RiskError `queue-full`, or `work-limit-exceeded` for what its deadline is too short for
   */
  run<T>(entrant: Entrant, signal: AbortSignal, work: (waitedSeconds: number) => Promise<T>): Promise<T>;
}

/** One large request computes while the next reads its data and fits its model. */
const LARGE_AT_ONCE = 2;
/** Eight of the small ones hold less memory between them than two large ones do. */
const SMALL_AT_ONCE = 8;
/**
 * A request of fewer predicted seconds is small. What the bench says decides, and not what was learned of the runs: requests of
 * one kind stay in one queue.
 */
const MIN_LARGE_SECONDS = 0.1;
/** Four queues, in each of which up to `maxQueue` wait. */
export function createAdmission(maxQueue: number, clock: Clock): Admission {
  const queuePairs = () => {
    const queuePair = (atOnce: number) => {
      return {
        foreground: createEngineQueue({ maxQueue, atOnce, clock }),
        // Background work queues here, and has a place here for as long as it waits or works in the other.
        background: createEngineQueue({ maxQueue: Number.POSITIVE_INFINITY, atOnce: atOnce / 2, clock }),
      };
    };
    return { small: queuePair(SMALL_AT_ONCE), large: queuePair(LARGE_AT_ONCE) };
  };
  const queues = { cpu: queuePairs(), gpu: queuePairs() };
  return {
    backlogs: () =>
      (['cpu', 'gpu'] as const).flatMap(engine =>
        (['small', 'large'] as const).map(size => ({
          engine,
          size,
          ...queues[engine][size].foreground.backlog,
        })),
      ),
    async run(entrant, signal, work) {
      const { engine } = entrant;
      const arrival = clock.now();
      const size = entrant.predictedSeconds < MIN_LARGE_SECONDS ? 'small' : 'large';
      const { foreground, background } = queues[engine][size];
      const inTurn = (place: Place) => leaving(place, () => work((clock.now() - arrival) / 1000));
      const working = entrant.background
        ? leaving(await background.enter(entrant, signal), async () =>
            inTurn(await foreground.enter(entrant, signal)),
          )
        : inTurn(await foreground.enter(entrant, signal));
      return await unlessAborted(working, signal);
    },
  };
}

/** Does `work` and then gives up `place`, however it ends. */
async function leaving<T>(place: Place, work: () => Promise<T>): Promise<T> {
  let finished = false;
  try {
    const result = await work();
    finished = true;
    return result;
  } finally {
    place.leave(finished);
  }
}
