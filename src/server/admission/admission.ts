/**
 * Admission: the number of requests that run at once, and of those that may wait.
 *
 * Each kind of engine has two queues: one with few places for long requests (the time of fitting counts), and one with more places
 * for short ones. So requests for one engine do not block the other, and long requests do not block short ones, with which they
 * share the engine piece by piece. Short ones on a GPU are submitted together (src/core/gpu/submission-batch.ts). A request that
 * cannot meet its deadline is refused instead of waiting (engine-queue.ts); one that is aborted while it waits releases its place.
 * Callers share each queue evenly. Must not know: HTTP, what the work is.
 */
import { unlessAborted } from '../../core/async.ts';
import type { Clock } from '../../core/clock.ts';
import { createEngineQueue, type Place, type QueueRequest } from './engine-queue.ts';

export type QueuedEngine = 'cpu' | 'gpu';

/** The engine of a request, and when it must be answered (on the clock of the admission). */
interface Entrant extends QueueRequest {
  readonly engine: QueuedEngine;
}

/** The requests that wait for an engine. */
interface Backlog {
  readonly engine: QueuedEngine;
  readonly size: 'small' | 'large';
  readonly waiting: number;
  /** Expected seconds of the engine. */
  readonly seconds: number;
}

export type Admission = ReturnType<typeof createAdmission>;

/** One large request computes while the next reads its data and fits its model. */
const LARGE_AT_ONCE = 2;
/** Eight small requests use less memory than two large ones. */
const SMALL_AT_ONCE = 8;
/**
 * A request with fewer predicted seconds is small. The prediction from the bench decides, without corrections by runs, so that
 * requests of one kind stay in one queue.
 */
const MIN_LARGE_SECONDS = 0.1;

/** Four queues, each with up to `maxQueue` waiting requests. */
export function createAdmission(maxQueue: number, clock: Clock) {
  const queuePair = (atOnce: number) => ({
    foreground: createEngineQueue(maxQueue, atOnce, clock),
    // Background work queues here first, and has a place here while it waits or runs in the other queue.
    background: createEngineQueue(Number.POSITIVE_INFINITY, atOnce / 2, clock),
  });
  const queuePairs = () => ({ small: queuePair(SMALL_AT_ONCE), large: queuePair(LARGE_AT_ONCE) });
  const queues = { cpu: queuePairs(), gpu: queuePairs() };
  return {
    /** The requests that wait in each queue now, without background work. */
    backlogs: (): readonly Backlog[] =>
      (['cpu', 'gpu'] as const).flatMap(engine =>
        (['small', 'large'] as const).map(size => ({
          engine,
          size,
          ...queues[engine][size].foreground.backlog,
        })),
      ),
    /**
     * Runs `work` when its turn comes, and resolves with its result. `work` receives the seconds that it has waited.
     * Rejects with the signal's reason as soon as it is aborted, even if `work` takes longer to end; its place is free only
     * when `work` has ended.
     * @throws RiskError `queue-full`, or `work-limit-exceeded` where the deadline is too short for the work
     */
    async run<T>(
      entrant: Entrant,
      signal: AbortSignal,
      work: (waitedSeconds: number) => Promise<T>,
    ): Promise<T> {
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

/** Runs `work` and then releases `place`, also after a failure. */
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
