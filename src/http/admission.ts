/**
 * Admission: how many requests work at once, and how many may wait.
 *
 * Each kind of engine has two lanes of its own, a narrow one for large requests and a wide one for small ones: a flood
 * for one engine does not stop the other, and large requests do not stop small ones, with which they share the engine
 * piece by piece. Small ones on a GPU go to it together (src/engine/gpu/submission-batch.ts). A request that finds the queue of its lane full is turned away at once; one that is aborted while it
 * waits gives up its place. Must not know: HTTP, what the work is.
 */
import { RiskError } from '../errors.ts';

export type LaneName = 'cpu' | 'gpu';

/** Which lane a request belongs in. */
export interface Entrant {
  readonly engine: LaneName;
  /** Predicted work in asset-steps. */
  readonly work: number;
}

export interface Admission {
  /**
   * Does `work` when its turn has come, and gives its result.
   * Rejects with the signal's reason as soon as it is aborted, even if `work` takes longer to notice; its place is
   * taken by the next only when it has.
   * @throws RiskError `queue-full`
   */
  run<T>(entrant: Entrant, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** One large request computes while the next reads its data and fits its model. */
const LARGE_AT_ONCE = 2;
/** Eight of the small ones hold less memory between them than two large ones do. */
const SMALL_AT_ONCE = 8;
/** Work below this, in asset-steps, is small: a second at most on one thread, a hundredth of one on a GPU. */
const LEAST_LARGE_WORK: Readonly<Record<LaneName, number>> = { cpu: 2e7, gpu: 2e8 };
const FIRST_GUESS_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 60;
/** Weight of the latest run in the mean duration. */
const NEWEST_WEIGHT = 0.2;

/** Four lanes, in front of each of which up to `maxQueue` wait. */
export function createAdmission(maxQueue: number): Admission {
  const lanesOfEngine = () => ({
    small: createLane(maxQueue, SMALL_AT_ONCE),
    large: createLane(maxQueue, LARGE_AT_ONCE),
  });
  const lanes = { cpu: lanesOfEngine(), gpu: lanesOfEngine() };
  return {
    async run(entrant, signal, work) {
      const lane = lanes[entrant.engine][entrant.work < LEAST_LARGE_WORK[entrant.engine] ? 'small' : 'large'];
      await lane.enter(signal);
      const working = timed(work, seconds => lane.leave(seconds));
      return await unlessAborted(working, signal);
    },
  };
}

function createLane(maxQueue: number, atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let meanSeconds = FIRST_GUESS_SECONDS;

  const retryAfterSeconds = () =>
    Math.min(LONGEST_RETRY_SECONDS, ((waiting.length + running) / atOnce) * meanSeconds);

  return {
    /** Resolves when the request may run. */
    async enter(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (running < atOnce) {
        running++;
        return;
      }
      if (waiting.length >= maxQueue)
        throw new RiskError(
          'queue-full',
          `${waiting.length} requests are waiting already; try again later.`,
          {
            retryAfterSeconds: retryAfterSeconds(),
          },
        );
      await new Promise<void>((resolve, reject) => {
        const turn = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(turn), 1);
          reject(signal.reason);
        };
        waiting.push(turn);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },

    /** Gives the place to the next in line. */
    leave(seconds: number): void {
      meanSeconds += NEWEST_WEIGHT * (seconds - meanSeconds);
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    },
  };
}

async function timed<T>(work: () => Promise<T>, done: (seconds: number) => void): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    done((performance.now() - start) / 1000);
  }
}

/** The outcome of `working`, or the signal's reason if that comes first. */
function unlessAborted<T>(working: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
