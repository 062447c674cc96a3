/**
 * Admission: how many requests work at once, and how many may wait.
 *
 * Each kind of engine has two lanes of its own, a narrow one for large requests and a wide one for small ones: a flood
 * for one engine does not stop the other, and large requests do not stop small ones, with which they share the engine
 * piece by piece. Small ones on a GPU go to it together (src/engine/gpu/submission-batch.ts). A request that cannot be
 * answered in time is turned away instead of kept waiting (lane.ts); one that is aborted while it waits gives up its
 * place. Must not know: HTTP, what the work is.
 */
import { unlessAborted } from './deadline.ts';
import { createLane, type LaneRequest, type Place } from './lane.ts';

export type LaneName = 'cpu' | 'gpu';

/** Which lane a request belongs in, and until when it has to be answered (on the clock of the admission). */
export interface Entrant extends LaneRequest {
  readonly engine: LaneName;
}

export interface Admission {
  /**
   * Does `work` when its turn has come, and gives its result. `work` is told the seconds it has waited.
   * Rejects with the signal's reason as soon as it is aborted, even if `work` takes longer to notice; its place is
   * taken by the next only when it has.
   * @throws RiskError `queue-full`
   */
  run<T>(entrant: Entrant, signal: AbortSignal, work: (waitedSeconds: number) => Promise<T>): Promise<T>;
}

/** One large request computes while the next reads its data and fits its model. */
const LARGE_AT_ONCE = 2;
/** Eight of the small ones hold less memory between them than two large ones do. */
const SMALL_AT_ONCE = 8;
/** Work below this, in asset-steps, is small: a second at most on one thread, a hundredth of one on a GPU. */
const LEAST_LARGE_WORK: Readonly<Record<LaneName, number>> = { cpu: 2e7, gpu: 2e8 };
/** Some 20 milliseconds of one thread, and of a GPU. */
const COST_PER_REQUEST: Readonly<Record<LaneName, number>> = { cpu: 1e6, gpu: 2e8 };

const secondsOfProcess = () => performance.now() / 1000;

/**
 * Four lanes, in front of each of which up to `maxQueue` wait.
 *
 * @param clock seconds; tests set it
 */
export function createAdmission(maxQueue: number, clock: () => number = secondsOfProcess): Admission {
  const lanesOf = (engine: LaneName) => {
    const lane = (atOnce: number) =>
      createLane({ maxQueue, atOnce, costPerRequest: COST_PER_REQUEST[engine], clock });
    return { small: lane(SMALL_AT_ONCE), large: lane(LARGE_AT_ONCE) };
  };
  const lanes = { cpu: lanesOf('cpu'), gpu: lanesOf('gpu') };
  return {
    async run(entrant, signal, work) {
      const { engine } = entrant;
      const arrival = clock();
      const place = await lanes[engine][entrant.work < LEAST_LARGE_WORK[engine] ? 'small' : 'large'].enter(
        entrant,
        signal,
      );
      return await unlessAborted(
        leaving(place, () => work(clock() - arrival)),
        signal,
      );
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
