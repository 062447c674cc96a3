/**
 * One lane of requests for one engine: some work at once, the others wait in the order of their arrival.
 *
 * A request whose turn would come too late is turned away as soon as that can be told: on arrival, or when its turn
 * comes. To begin it would take the engine from those that can still be answered, and end in nothing. How long work
 * takes is learned from the runs that were finished (run-times.ts).
 * Must not know: HTTP, what the work is.
 */
import { RiskError } from '../errors.ts';
import { createRunTimes } from './run-times.ts';

export interface LaneOptions {
  /** Most that may wait. */
  readonly maxQueue: number;
  /** Most that work side by side and share the engine. */
  readonly atOnce: number;
  /** What a request costs beside its asset-steps (prices, model, messages), counted in asset-steps. */
  readonly costPerRequest: number;
  /** Seconds of a clock that never goes back. */
  readonly clock: () => number;
}

/** A request at the door of a lane. */
export interface LaneRequest {
  /** Requests of one kind take like times for like work. */
  readonly kind: string;
  /** Predicted work in asset-steps. */
  readonly work: number;
  /** When it has to be answered, on the clock of the lane. */
  readonly deadline: number;
}

/** A request that has a place. */
export interface Place {
  /** Gives the place to the next in line. Only a run that was finished tells how long such runs take. */
  leave(finished: boolean): void;
}

export interface Lane {
  /**
   * Resolves when the request may run; rejects with the signal's reason if it is aborted before.
   * @throws RiskError `queue-full` where `maxQueue` wait, or the request would not be finished by its deadline
   */
  enter(request: LaneRequest, signal: AbortSignal): Promise<Place>;
}

interface Running {
  readonly request: LaneRequest;
  /** `shared` at the start of the run. */
  readonly since: number;
}

interface Waiting {
  readonly request: LaneRequest;
  readonly admit: (place: Place) => void;
  readonly refuse: (error: RiskError) => void;
}

const LONGEST_RETRY_SECONDS = 60;
/** Expected times are means: a run that takes a quarter longer is still to be in time. */
const PRUDENCE = 1.25;

/** An empty lane. */
export function createLane({ maxQueue, atOnce, costPerRequest, clock }: LaneOptions): Lane {
  const waiting: Waiting[] = [];
  const running = new Set<Running>();
  const runTimes = createRunTimes(costPerRequest);
  // Seconds that a run has had the engine for itself since the lane was made: with n at work it grows by 1/n a second.
  let shared = 0;
  let updated = clock();

  function update(): void {
    const now = clock();
    shared += (now - updated) / Math.max(1, running.size);
    updated = now;
  }

  function start(request: LaneRequest): Place {
    update();
    const run: Running = { request, since: shared };
    running.add(run);
    return { leave: finished => leave(run, finished) };
  }

  function leave(run: Running, finished: boolean): void {
    update();
    running.delete(run);
    runTimes.note(run.request, shared - run.since, finished);
    const late: [entry: Waiting, expected: number][] = [];
    while (running.size < atOnce) {
      const next = waiting.shift();
      if (next === undefined) break;
      const expected = secondsFromNow(next.request);
      if (clock() + PRUDENCE * expected <= next.request.deadline) next.admit(start(next.request));
      else late.push([next, expected]);
    }
    if (late.length === 0) return;
    const wait = secondsUntilPlace();
    for (const [{ request, refuse }, expected] of late)
      refuse(tooLate(expected, request.deadline - clock(), wait));
  }

  /** Seconds of the engine that a run still needs. */
  const remaining = ({ request, since }: Running) =>
    Math.max(0, runTimes.expected(request) - (shared - since));

  /** Seconds that a request takes if it starts now: the lane stays full as long as others wait. */
  function secondsFromNow(request: LaneRequest): number {
    const own = runTimes.expected(request);
    if (waiting.length > 0) return own * atOnce;
    return [...running].reduce((sum, run) => sum + Math.min(own, remaining(run)), own);
  }

  /** Seconds until one more request would get a place, with every place taken and none of the waiting going away. */
  function secondsUntilPlace(): number {
    update();
    const free = Array.from(running, run => remaining(run) * atOnce);
    while (free.length < atOnce) free.push(0);
    for (const { request } of waiting) {
      const first = free.indexOf(Math.min(...free));
      free[first] += runTimes.expected(request) * atOnce;
    }
    return Math.min(...free);
  }

  function refuseUnlessInTime(request: LaneRequest): void {
    const wait = secondsUntilPlace();
    const expected = wait + runTimes.expected(request) * atOnce;
    const left = request.deadline - clock();
    if (PRUDENCE * expected > left) throw tooLate(expected, left, wait);
    if (waiting.length < maxQueue) return;
    throw new RiskError('queue-full', `${waiting.length} requests are waiting already; try again later.`, {
      retryAfterSeconds: retryAfter(wait),
    });
  }

  return {
    async enter(request, signal) {
      signal.throwIfAborted();
      // A free place is never refused: what is known of such work may be wrong, and nobody else is waiting for it.
      if (running.size < atOnce) return start(request);
      refuseUnlessInTime(request);
      return await new Promise<Place>((resolve, reject) => {
        const entry: Waiting = {
          request,
          admit: place => {
            signal.removeEventListener('abort', giveUp);
            resolve(place);
          },
          refuse: error => {
            signal.removeEventListener('abort', giveUp);
            reject(error);
          },
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason);
        };
        waiting.push(entry);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}

const retryAfter = (seconds: number) => Math.min(LONGEST_RETRY_SECONDS, seconds);

/** The server is what is short, not the request too long: 429, which tells when to try again, and not 504. */
function tooLate(expected: number, left: number, wait: number): RiskError {
  return new RiskError(
    'queue-full',
    `With the requests ahead this one would take about ${expected.toFixed(1)} seconds, and it has ` +
      `${Math.max(0, left).toFixed(1)} until its deadline; try again later.`,
    { retryAfterSeconds: retryAfter(wait) },
  );
}
