/**
 * Limits of each key: asset-steps per minute, and requests at the same time.
 *
 * Must not know: where keys come from, where is counted, what is computed.
 */
import { RateLimiterRes } from 'rate-limiter-flexible';
import { RiskError } from '../core/errors.ts';
import { type Counters, WINDOW_SECONDS } from '../counters/counters.ts';
import type { KnownKey } from '../keys/key-ring.ts';

/** A minute's worth of work, in points of the limiter: work is counted in parts of the limit of its key. */
const POINTS = 1e9;

export interface Limits {
  /**
   * Takes `work` from the share of `key` and holds one of its places until the function returned is called.
   * @returns headers that tell what is left
   * @throws RiskError `rate-limited`
   */
  enter(
    key: KnownKey | undefined,
    work: number,
  ): Promise<{ headers: Record<string, string>; leave: () => void }>;
}

export function createLimits(counters: Counters, limited: (limit: 'work' | 'concurrent') => void): Limits {
  const spent = counters.perMinute('work', POINTS);
  const places = counters.places('concurrent');

  async function spend(digest: string, limit: number, work: number): Promise<Record<string, string>> {
    if (work > limit)
      throw new RiskError(
        'work-limit-exceeded',
        `The request asks for ${work} asset-steps; its key may ask for ${limit} a minute.`,
      );
    try {
      const left = await spent.consume(digest, Math.ceil((work / limit) * POINTS));
      return headersOf(limit, left);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // What was refused has done no work.
      await spent.reward(digest, Math.ceil((work / limit) * POINTS));
      limited('work');
      throw new RiskError('rate-limited', `The key may ask for ${limit} asset-steps a minute.`, {
        retryAfterSeconds: refusal.msBeforeNext / 1000,
      });
    }
  }

  async function takePlace(digest: string, most: number): Promise<() => void> {
    const leave = await places.take(digest, most);
    if (leave !== undefined) return leave;
    limited('concurrent');
    throw new RiskError('rate-limited', `The key may have ${most} requests at the same time.`, {
      retryAfterSeconds: 1,
    });
  }

  return {
    async enter(key, work) {
      if (key === undefined) return { headers: {}, leave: () => {} };
      const { digest, concurrent, workPerMinute } = key;
      const leave = concurrent === undefined ? () => {} : await takePlace(digest, concurrent);
      if (workPerMinute === undefined) return { headers: {}, leave };
      try {
        return { headers: await spend(digest, workPerMinute, work), leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** draft-ietf-httpapi-ratelimit-headers-10. */
function headersOf(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Record<string, string> {
  const remaining = Math.floor((Math.max(0, remainingPoints) / POINTS) * limit);
  return {
    'RateLimit-Policy': `"work";q=${Math.floor(limit)};w=${WINDOW_SECONDS}`,
    RateLimit: `"work";r=${remaining};t=${Math.ceil(msBeforeNext / 1000)}`,
  };
}

/** Failed keys of one address. */
export interface FailedKeys {
  /** Counts one. @returns seconds until the address may fail again, or undefined while it may */
  note(address: string): Promise<number | undefined>;
}

export function createFailedKeys(counters: Counters, perMinute: number): FailedKeys {
  const failures = counters.perMinute('failed-keys', perMinute);
  return {
    async note(address) {
      try {
        await failures.consume(address);
        return undefined;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return refusal.msBeforeNext / 1000;
      }
    },
  };
}
