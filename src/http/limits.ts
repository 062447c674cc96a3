/**
 * Limits of each key: asset-steps per minute, and requests at the same time.
 *
 * Counts are of this process. Must not know: where keys come from, what is computed.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RiskError } from '../core/errors.ts';
import type { KnownKey } from '../keys/key-ring.ts';

const SECONDS = 60;
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

export function createLimits(limited: (limit: 'work' | 'concurrent') => void): Limits {
  const spent = new RateLimiterMemory({ points: POINTS, duration: SECONDS });
  const underWay = new Map<string, number>();

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

  return {
    async enter(key, work) {
      if (key === undefined) return { headers: {}, leave: () => {} };
      const { digest, concurrent = Number.POSITIVE_INFINITY, workPerMinute } = key;
      const own = underWay.get(digest) ?? 0;
      if (own >= concurrent) {
        limited('concurrent');
        throw new RiskError('rate-limited', `The key may have ${concurrent} requests at the same time.`, {
          retryAfterSeconds: 1,
        });
      }
      underWay.set(digest, own + 1);
      let left = false;
      const leave = () => {
        if (left) return;
        left = true;
        const others = (underWay.get(digest) ?? 1) - 1;
        if (others === 0) underWay.delete(digest);
        else underWay.set(digest, others);
      };
      try {
        return {
          headers: workPerMinute === undefined ? {} : await spend(digest, workPerMinute, work),
          leave,
        };
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
    'RateLimit-Policy': `"work";q=${Math.floor(limit)};w=${SECONDS}`,
    RateLimit: `"work";r=${remaining};t=${Math.ceil(msBeforeNext / 1000)}`,
  };
}

/** Failed keys of one address. */
export interface FailedKeys {
  /** Counts one. @returns seconds until the address may fail again, or undefined while it may */
  note(address: string): Promise<number | undefined>;
}

export function createFailedKeys(perMinute: number): FailedKeys {
  const failures = new RateLimiterMemory({ points: perMinute, duration: SECONDS });
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
