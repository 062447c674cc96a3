/**
 * Limits of each key: asset-steps per minute, day and month, and requests at the same time.
 *
 * Must not know: where keys come from, how counts are stored, what is computed.
 */
import { RateLimiterRes } from 'rate-limiter-flexible';
import { Semaphore, sleep } from '../../core/async.ts';
import { RiskError } from '../../core/errors.ts';
import { planFault } from '../../core/plan/plan-fault.ts';
import { RateLimited } from '../answers/problem.ts';
import type { KnownKey } from '../keys/key-ring.ts';
import { type Counters, WINDOW_SECONDS } from './counters.ts';
import { PERIODS, type PeriodLeft, type PeriodName, type Usage } from './usage.ts';

/** The work of a minute in points of the limiter: work is counted as a fraction of the limit of its key. */
const POINTS = 1e9;
/** Shortest pause between two attempts of a waiting request. */
const MIN_WAIT_MS = 10;
/** Interval at which a waiting request checks that its key is still valid. */
const KEY_LOOK_MS = 1000;

export type Limits = ReturnType<typeof createLimits>;

/** Work and a place, until they are returned. */
interface Share {
  readonly headers: Record<string, string>;
  readonly leave: () => void;
}

/** A limit of a key: of the work of a minute, of the requests at the same time, of a day, of a month. */
export type Limit = 'work' | 'concurrent' | PeriodName;

/** The limit that a request exceeds, and when to retry. */
interface Refusal {
  readonly limit: Limit;
  readonly detail: string;
  readonly retryAfterSeconds: number;
  /** The remaining limit. */
  readonly headers: Record<string, string>;
}

/** The waiting requests of one key: one at a time retries, also when this process returns a place. */
interface KeyQueue {
  readonly turn: Semaphore;
  wake: () => void;
}

/** @param limited called with the limit of each refusal */
export function createLimits(counters: Counters, usage: Usage, limited: (limit: Limit) => void) {
  const spent = counters.perMinute('work', POINTS);
  const places = counters.places('concurrent');
  /** One of each key that has waited: no more than there are keys. */
  const queues = new Map<string, KeyQueue>();

  /** @throws RiskError for work that no wait makes room for */
  function refuseAbove(limit: number | undefined, work: number, period: string): void {
    if (limit !== undefined && work > limit)
      throw new RiskError(
        'work-limit-exceeded',
        `The request needs ${work} asset-steps; its key may use ${limit} a ${period}.`,
        {
          faults: [
            planFault('paths', `takes ${work} asset-steps; the key may use ${limit} a ${period}: lower it`),
          ],
        },
      );
  }

  /** Takes work from the minute of a key. */
  async function spend(account: string, limit: number, work: number): Promise<Refusal | { left: Left }> {
    const points = Math.ceil((work / limit) * POINTS);
    try {
      return { left: leftOf(limit, await spent.consume(account, points)) };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // A refused request uses no work.
      const { remainingPoints } = await spent.reward(account, points);
      const { msBeforeNext } = refusal;
      return {
        limit: 'work',
        detail: `The key may ask for ${limit} asset-steps a minute.`,
        retryAfterSeconds: secondsLeft(refusal),
        headers: headersOf([leftOf(limit, { remainingPoints, msBeforeNext })]),
      };
    }
  }

  /** Takes work from all limits of a key, or from none. */
  async function spendAll(key: KnownKey, work: number): Promise<Refusal | Pick<Share, 'headers'>> {
    const { account, workPerMinute, workPerDay, workPerMonth } = key;
    refuseAbove(workPerMinute, work, 'minute');
    refuseAbove(workPerDay, work, 'day');
    refuseAbove(workPerMonth, work, 'month');
    const { left, exceeded, giveBack } = await usage.take(key, work);
    if (exceeded !== undefined) {
      await giveBack();
      const { name, limit, remaining, secondsLeft: wait } = exceeded;
      return {
        limit: name,
        detail: `The key may ask for ${limit} asset-steps a ${name} (UTC).`,
        retryAfterSeconds: wait,
        headers: headersOf([{ ...exceeded, remaining: remaining + Math.ceil(work) }]),
      };
    }
    const minute = workPerMinute === undefined ? undefined : await spend(account, workPerMinute, work);
    if (minute === undefined) return { headers: headersOf(left) };
    if ('left' in minute) return { headers: headersOf([minute.left, ...left]) };
    await giveBack();
    return minute;
  }

  async function tryEnter(key: KnownKey, work: number): Promise<Refusal | Share> {
    const { account, concurrent } = key;
    const giveBack = concurrent === undefined ? () => {} : await places.take(account, concurrent);
    if (giveBack === undefined)
      return {
        limit: 'concurrent',
        detail: `The key may have ${concurrent} ${concurrent === 1 ? 'request' : 'requests'} at the same time.`,
        retryAfterSeconds: 1,
        headers: {},
      };
    try {
      const taken = await spendAll(key, work);
      if ('limit' in taken) {
        giveBack();
        return taken;
      }
      const leave = () => {
        giveBack();
        queues.get(account)?.wake();
      };
      return { headers: taken.headers, leave };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  function refused({ limit, detail, retryAfterSeconds, headers }: Refusal): RateLimited {
    limited(limit);
    return new RateLimited(detail, retryAfterSeconds, headers);
  }

  /** Waits in the queue of the key, then retries until the limit allows it. */
  async function enterInTurn(keyOf: () => KnownKey, work: number, signal: AbortSignal): Promise<Share> {
    const { account } = keyOf();
    const queue = queues.get(account) ?? { turn: new Semaphore(1), wake: () => {} };
    queues.set(account, queue);
    await queue.turn.take(signal);
    try {
      for (;;) {
        signal.throwIfAborted();
        // A place may be returned during the attempt.
        const woken = new AbortController();
        queue.wake = () => woken.abort();
        const share = await tryEnter(keyOf(), work);
        if (!('limit' in share)) return share;
        // Nobody waits for another day.
        if (share.limit in PERIODS) throw refused(share);
        // Other processes return places without a signal to this one.
        const ending = AbortSignal.any([signal, woken.signal]);
        let left = Math.max(MIN_WAIT_MS, share.retryAfterSeconds * 1000);
        for (; left > 0 && !ending.aborted; left -= KEY_LOOK_MS) {
          await sleep(Math.min(left, KEY_LOOK_MS), ending);
          keyOf();
        }
      }
    } finally {
      queue.wake = () => {};
      queue.turn.give();
    }
  }

  return {
    /**
     * Takes `work` from the limit of a key, and one of its places until the returned function is called.
     *
     * @param keyOf returns the present record of the key; throws once the key is revoked, which ends a wait
     * @param patience if given, a request above the limit waits until this signal is aborted; requests of one key
     *   wait in the order of their arrival
     * @returns headers with the remaining limit
     * @throws RiskError `rate-limited` or `work-limit-exceeded`, the signal's reason, or the error of `keyOf`
     */
    async enter(keyOf: () => KnownKey, work: number, patience?: AbortSignal): Promise<Share> {
      if (patience !== undefined) return enterInTurn(keyOf, work, patience);
      const share = await tryEnter(keyOf(), work);
      if (!('limit' in share)) return share;
      throw refused(share);
    },
  };
}

/** Until the end of the window, which a clock of the system that was set back would put off. */
const secondsLeft = ({ msBeforeNext }: Pick<RateLimiterRes, 'msBeforeNext'>) =>
  Math.min(WINDOW_SECONDS, msBeforeNext / 1000);

/** What is left of a limit. */
type Left = Omit<PeriodLeft, 'name'> & { readonly name: 'work' | PeriodName };

/** The rest of a minute. */
const leftOf = (limit: number, left: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>): Left => ({
  name: 'work',
  limit,
  remaining: (left.remainingPoints / POINTS) * limit,
  windowSeconds: WINDOW_SECONDS,
  secondsLeft: secondsLeft(left),
});

/** draft-ietf-httpapi-ratelimit-headers-10; none without a limit. */
function headersOf(left: readonly Left[]): Record<string, string> {
  if (left.length === 0) return {};
  const policy = ({ name, limit, windowSeconds }: Left) =>
    `"${name}";q=${Math.floor(limit)};w=${windowSeconds}`;
  const rest = ({ name, remaining, secondsLeft: seconds }: Left) =>
    `"${name}";r=${Math.floor(Math.max(0, remaining))};t=${Math.ceil(seconds)}`;
  return { 'RateLimit-Policy': left.map(policy).join(', '), RateLimit: left.map(rest).join(', ') };
}

/**
 * Counts a failed key of an address.
 * @returns seconds until the address may fail again; undefined while it may
 */
export type CountFailedKey = (address: string) => Promise<number | undefined>;

export function failedKeyCounter(counters: Counters, perMinute: number): CountFailedKey {
  const failures = counters.perMinute('failed-keys', perMinute);
  return async address => {
    try {
      await failures.consume(address);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return secondsLeft(refusal);
    }
  };
}
