/**
 * A queue of requests for one engine: some run at once, the others wait in a fair order among callers (fair-queue.ts).
 *
 * A run is never interrupted. A request that cannot finish by its deadline is refused as soon as this is known: on arrival, while
 * it waits, or when its turn comes. One that would delay a running request past its deadline waits until that has ended. Times are
 * predicted from the bench and corrected by finished runs (run-times.ts); where runs of a kind are overdue, the expected time of
 * the kind is at least the time that they have taken so far.
 * Must not know: HTTP, what the work is.
 */
import { abortable } from '../../core/async.ts';
import type { Clock } from '../../core/clock.ts';
import { RiskError } from '../../core/errors.ts';
import { createFairQueue, type Queued } from '../../core/fair-queue.ts';
import { planFault } from '../../core/plan/plan-fault.ts';
import { createRunTimes, type RunKind } from './run-times.ts';

/** A request for a place. */
export interface QueueRequest extends RunKind {
  /** Whose share of the engine it uses. */
  readonly caller: string;
  /** When it must be answered: seconds of the clock of the queue. */
  readonly deadline: number;
  /**
   * True for a line of a batch and for a job: it waits as long as its signal allows instead of being refused, and its deadline is
   * ignored. All background requests together have at most half of the places of a queue (admission.ts).
   */
  readonly background?: boolean;
}

/** A request that has a place. */
export interface Place {
  /** Releases the place to the next request. Only finished runs count towards the expected time of their kind. */
  leave(finished: boolean): void;
}

interface Running {
  readonly request: QueueRequest;
  /** `sharedNow` at the start of the run. */
  readonly since: number;
}

interface Waiting {
  readonly request: QueueRequest;
  readonly admit: (place: Place) => void;
  readonly refuse: (error: RiskError) => void;
}

/** A request that is refused after it has waited. */
interface Late extends Waiting {
  /** Seconds from now until it would be finished. */
  readonly expected: number;
}

const LONGEST_RETRY_SECONDS = 60;
/** Expected times are means: a run that takes a quarter longer must still meet its deadline. */
const MARGIN = 1.25;
/** Interval of the checks of waiting requests, in addition to those at each change of the queue: an overdue run makes no change. */
const JUDGE_MS = 500;

/**
 * @param maxQueue largest number of requests that wait
 * @param atOnce largest number of requests that run at the same time and share the engine
 */
export function createEngineQueue(maxQueue: number, atOnce: number, clock: Clock) {
  const waiting = createFairQueue<Waiting>();
  const running = new Set<Running>();
  const runTimes = createRunTimes();
  const seconds = () => clock.now() / 1000;
  let stopJudging: (() => void) | undefined;
  // Seconds of the whole engine that one run would have had since the queue was made: with n running it grows by 1/n a second.
  let shared = 0;
  let updated = seconds();
  // Seconds of the engine that those turned away will ask for again: the next one is told to come after them.
  let returning = 0;
  let returningAt = seconds();

  function sharedNow(): number {
    const now = seconds();
    shared += (now - updated) / Math.max(1, running.size);
    updated = now;
    return shared;
  }

  function start(request: QueueRequest): Place {
    const run: Running = { request, since: sharedNow() };
    running.add(run);
    return { leave: finished => leave(run, finished) };
  }

  function leave(run: Running, finished: boolean): void {
    runTimes.note(run.request, sharedNow() - run.since, finished);
    running.delete(run);
    admitWaiting();
    judgeWaiting();
  }

  /** Starts requests that have a place now, and refuses those that are too late for it. */
  function admitWaiting(): void {
    const late: Late[] = [];
    while (running.size < atOnce) {
      const entry = waiting.entries[0];
      if (entry === undefined) break;
      const { request, admit } = entry.item;
      const expected = secondsFromNow(request);
      if (!request.background && isLate(request, expected)) {
        waiting.remove(entry);
        late.push({ ...entry.item, expected });
      } else if (wouldDelay(request)) break;
      else {
        waiting.shift();
        admit(start(request));
      }
    }
    refuseLate(late);
  }

  /** Refuses waiting requests that would be late at the expected times; those behind them start sooner then. */
  function judgeWaiting(): void {
    const late: Late[] = [];
    const free = placesFree();
    for (const entry of [...waiting.entries]) {
      const { request } = entry.item;
      const { place, time } = endIn(free, request);
      if (request.background || seconds() + time <= request.deadline) free[place] = time;
      else {
        waiting.remove(entry);
        late.push({ ...entry.item, expected: time });
      }
    }
    refuseLate(late);
    if (waiting.length === 0) {
      stopJudging?.();
      stopJudging = undefined;
    } else stopJudging ??= clock.every(JUDGE_MS, judgeWaiting);
  }

  function refuseLate(late: readonly Late[]): void {
    for (const { request, refuse, expected } of late)
      refuse(
        tooLate(
          expected,
          request.deadline - seconds(),
          comeBackAfter(request, secondsUntilPlace(waiting.length)),
        ),
      );
  }

  /** The hint of one that is turned away after `wait` seconds: behind those that were turned away before it. */
  function comeBackAfter(request: QueueRequest, wait: number): number {
    const now = seconds();
    returning = Math.max(0, returning - (now - returningAt));
    returningAt = now;
    const hint = wait + returning;
    returning = Math.min(LONGEST_RETRY_SECONDS, returning + runTimes.expected(request));
    return hint;
  }

  /** Seconds of the whole engine that a request of this kind needs: at least what running ones of the kind have used. */
  function expectedOf(request: QueueRequest): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { request: other, since } of running)
      if (other.kind === request.kind)
        least = Math.min(least, (sharedNow() - since) / other.predictedSeconds);
    const known = runTimes.expected(request);
    return Number.isFinite(least) ? Math.max(known, least * request.predictedSeconds) : known;
  }

  /** Seconds of the engine that a run still needs; an overdue run is expected to need as much again as it is overdue. */
  const remaining = ({ request, since }: Running) =>
    Math.abs(runTimes.expected(request) - (sharedNow() - since));

  const isLate = ({ deadline }: QueueRequest, expected: number) => seconds() + MARGIN * expected > deadline;

  /** Seconds that a request takes if it starts now: while others wait, all places stay occupied. */
  function secondsFromNow(request: QueueRequest): number {
    const own = expectedOf(request);
    if (waiting.entries.some(({ item }) => item.request !== request)) return own * atOnce;
    return [...running].reduce((sum, run) => sum + Math.min(own, remaining(run)), own);
  }

  /** Whether a running request would meet its deadline without this one and miss it with it. */
  function wouldDelay(request: QueueRequest): boolean {
    const own = expectedOf(request);
    const alone = finishTimes([...running].map(remaining));
    const beside = finishTimes([...[...running].map(remaining), own]);
    return [...running].some(
      ({ request: other }, i) => !other.background && !isLate(other, alone[i]) && isLate(other, beside[i]),
    );
  }

  /** Seconds until each place is free. */
  function placesFree(): number[] {
    const free = Array.from(running, run => remaining(run) * atOnce);
    while (free.length < atOnce) free.push(0);
    return free;
  }

  /** The place that a request gets, and when it ends there. */
  function endIn(free: readonly number[], request: QueueRequest): { place: number; time: number } {
    const first = Math.min(...free);
    return { place: free.indexOf(first), time: first + expectedOf(request) * atOnce };
  }

  /** Seconds until a further request would get a place behind the first `ahead` of the queue, if none of them leaves. */
  function secondsUntilPlace(ahead: number): number {
    const free = placesFree();
    for (const { item } of waiting.entries.slice(0, ahead)) {
      const { place, time } = endIn(free, item.request);
      free[place] = time;
    }
    return Math.min(...free);
  }

  /** @throws RiskError `work-limit-exceeded` for a request that would be late even with the engine to itself */
  function refuseIfTooLong(request: QueueRequest): void {
    const own = runTimes.expected(request);
    if (!isLate(request, own)) return;
    runTimes.doubt(request);
    throw tooLong(own, request.deadline - seconds());
  }

  /** Makes room, or refuses the request itself. */
  function refuseUnlessInTime(request: QueueRequest): void {
    const wait = secondsUntilPlace(waiting.ahead(request.caller));
    const expected = wait + expectedOf(request) * atOnce;
    if (isLate(request, expected))
      throw tooLate(expected, request.deadline - seconds(), comeBackAfter(request, wait));
    if (waiting.length < maxQueue) return;
    const evicted = waiting.greediest(request.caller, ({ request: { background } }) => background !== true);
    if (evicted === undefined) throw queueFull(waiting.length, comeBackAfter(request, wait));
    waiting.remove(evicted);
    const hint = comeBackAfter(evicted.item.request, secondsUntilPlace(waiting.length));
    evicted.item.refuse(queueFull(waiting.length + 1, hint));
  }

  return {
    /** The number of waiting requests, and their expected seconds of the engine. */
    get backlog() {
      const work = waiting.entries.reduce((sum, { item }) => sum + runTimes.expected(item.request), 0);
      return { waiting: waiting.length, seconds: work };
    },
    /**
     * Resolves when the request may run; rejects with the signal's reason if it is aborted before.
     * @throws RiskError `queue-full` where `maxQueue` requests wait, or where the request would miss its deadline behind those ahead
     *   of it, which is checked again while it waits; `work-limit-exceeded` where it would miss it even with the engine to itself
     */
    async enter(request: QueueRequest, signal: AbortSignal): Promise<Place> {
      signal.throwIfAborted();
      if (!request.background) refuseIfTooLong(request);
      const cost = runTimes.expected(request);
      if (running.size < atOnce && waiting.length === 0 && !wouldDelay(request)) {
        if (request.background || !isLate(request, secondsFromNow(request))) {
          waiting.pass(request.caller, cost);
          return start(request);
        }
      }
      if (!request.background) refuseUnlessInTime(request);
      return await abortable<Place>(signal, (resolve, reject) => {
        const entry: Queued<Waiting> = waiting.push(request.caller, cost, {
          request,
          admit: resolve,
          refuse: reject,
        });
        admitWaiting();
        judgeWaiting();
        return () => waiting.remove(entry);
      });
    },
  };
}

/** When each of several runs that share an engine evenly ends, given the seconds that each needs. */
function finishTimes(needed: readonly number[]): number[] {
  const times: number[] = [];
  const order = needed.map((seconds, i) => ({ seconds, i })).sort((a, b) => a.seconds - b.seconds);
  let time = 0;
  let done = 0;
  order.forEach(({ seconds, i }, before) => {
    time += (seconds - done) * (order.length - before);
    done = seconds;
    times[i] = time;
  });
  return times;
}

const retryAfter = (seconds: number) => Math.min(LONGEST_RETRY_SECONDS, seconds);

const queueFull = (waiting: number, wait: number) =>
  new RiskError('queue-full', `${waiting} requests are waiting already; try again later.`, {
    retryAfterSeconds: retryAfter(wait),
  });

/** The server is overloaded: 429 with Retry-After. */
function tooLate(expected: number, left: number, wait: number): RiskError {
  return new RiskError(
    'queue-full',
    `Behind the requests ahead this one would take about ${expected.toFixed(1)} seconds, and it has ` +
      `${Math.max(0, left).toFixed(1)} until its deadline; try again later.`,
    { retryAfterSeconds: retryAfter(wait) },
  );
}

function tooLong(expected: number, left: number): RiskError {
  const has = `${Math.max(0, left).toFixed(1)} until its deadline`;
  const takes = `take about ${expected.toFixed(1)} seconds on this server`;
  return new RiskError(
    'work-limit-exceeded',
    `The request would ${takes}, and it has ${has}: request less work, or ask for a job.`,
    {
      faults: [planFault('paths', `would ${takes}, and the request has ${has}: lower it, or ask for a job`)],
    },
  );
}
