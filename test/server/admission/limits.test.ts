/** The limits of one key: its work of a minute, and its requests at the same time. */
import { RateLimiterRes } from 'rate-limiter-flexible';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Counters,
  memoryCounters,
  memoryPlaces,
  once,
  WINDOW_SECONDS,
} from '#src/server/admission/counters.js';
import { createLimits, failedKeyCounter } from '#src/server/admission/limits.js';
import { createUsage } from '#src/server/admission/usage.js';
import { HttpRefusal } from '#src/server/answers/problem.js';
import type { KnownKey } from '#src/server/keys/key-ring.js';
import { idle } from '../../support/idle.ts';

const KEY: KnownKey = {
  account: 'account',
  ...{
    digest: 'd',
    name: 'desk',
    scopes: new Set(['operate'] as const),
    workPerMinute: undefined,
    workPerDay: undefined,
    workPerMonth: undefined,
    concurrent: undefined,
  },
};
const keyOf = (change: Partial<KnownKey>) => () => ({
  ...KEY,
  ...change,
  account: change.digest ?? KEY.digest,
});

/** The first noon of a month, UTC; tests set another one. */
const calendar = { now: new Date('2026-11-01T12:00:00Z') };

function opened(counters = memoryCounters()) {
  const limited: string[] = [];
  const usage = createUsage(counters, () => calendar.now);
  return { limits: createLimits(counters, usage, limit => limited.push(limit)), limited, usage };
}

describe('The work of a key', () => {
  it('is counted for a minute, and the rest is told in headers', async () => {
    const { limits, limited } = opened();
    const key = keyOf({ workPerMinute: 1000.5 });
    const policy = { 'RateLimit-Policy': '"work";q=1000;w=60' };
    expect((await limits.enter(key, 250)).headers).toEqual({ ...policy, RateLimit: '"work";r=750;t=60' });
    expect((await limits.enter(key, 750)).headers).toEqual({ ...policy, RateLimit: '"work";r=0;t=60' });
    await expect(limits.enter(key, 1)).rejects.toMatchObject({
      reason: 'rate-limited',
      message: 'The key may ask for 1000.5 asset-steps a minute.',
      retryAfterSeconds: expect.closeTo(60, 0),
      headers: { ...policy, RateLimit: '"work";r=0;t=60' },
    });
    expect(limited).toEqual(['work']);
  });

  it('is counted by day and month, whose quotas end with them', async () => {
    const { limits, limited, usage } = opened();
    const key = keyOf({ workPerMinute: 1e6, workPerDay: 100, workPerMonth: 150 });
    expect((await limits.enter(key, 80)).headers).toEqual({
      'RateLimit-Policy': '"work";q=1000000;w=60, "day";q=100;w=86400, "month";q=150;w=2592000',
      RateLimit: '"work";r=999920;t=60, "day";r=20;t=43200, "month";r=70;t=2548800',
    });
    const refused = {
      reason: 'rate-limited',
      message: 'The key may ask for 100 asset-steps a day (UTC).',
      retryAfterSeconds: 43_200,
      headers: { RateLimit: '"day";r=20;t=43200' },
    };
    await expect(limits.enter(key, 21)).rejects.toMatchObject(refused);
    // Lines and jobs wait for a minute, not for another day.
    await expect(limits.enter(key, 21, new AbortController().signal)).rejects.toMatchObject(refused);
    await expect(limits.enter(key, 101)).rejects.toMatchObject({ reason: 'work-limit-exceeded' });
    calendar.now = new Date('2026-11-02T00:00:00Z');
    await limits.enter(key, 70);
    await expect(limits.enter(key, 1)).rejects.toMatchObject({ message: expect.stringContaining('a month') });
    expect(limited).toEqual(['day', 'day', 'month']);
    calendar.now = new Date('2026-12-01T00:00:00Z');
    await limits.enter(key, 5);
    expect(await usage.of('d')).toEqual({
      day: { from: '2026-12-01T00:00:00.000Z', to: '2026-12-02T00:00:00.000Z', questions: 1, asset_steps: 5 },
      month: {
        from: '2026-12-01T00:00:00.000Z',
        to: '2027-01-01T00:00:00.000Z',
        questions: 1,
        asset_steps: 5,
      },
      month_before: {
        ...{ from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
        ...{ questions: 2, asset_steps: 150 },
      },
    });
  });

  it('is not counted where its minute is spent', async () => {
    const { limits, usage } = opened();
    const key = keyOf({ workPerMinute: 10, workPerDay: 100 });
    await limits.enter(key, 8);
    await expect(limits.enter(key, 8)).rejects.toMatchObject({ reason: 'rate-limited' });
    expect((await usage.of('d')).day).toMatchObject({ questions: 1, asset_steps: 8 });
  });

  it('is not used by a request that is refused', async () => {
    const { limits } = opened();
    const key = keyOf({ workPerMinute: 100 });
    await limits.enter(key, 60);
    await expect(limits.enter(key, 50)).rejects.toMatchObject({
      headers: { RateLimit: '"work";r=40;t=60' },
    });
    expect((await limits.enter(key, 40)).headers.RateLimit).toBe('"work";r=0;t=60');
  });

  it('of one request is at most that of a minute', async () => {
    const { limits, limited } = opened();
    const key = keyOf({ workPerMinute: 100, concurrent: 1 });
    await expect(limits.enter(key, 100.5)).rejects.toMatchObject({
      reason: 'work-limit-exceeded',
      message: 'The request needs 100.5 asset-steps; its key may use 100 a minute.',
    });
    // Its place was released.
    expect((await limits.enter(key, 100)).headers.RateLimit).toBe('"work";r=0;t=60');
    expect(limited).toEqual([]);
  });

  it('has no limit and no headers where none is set', async () => {
    const { limits } = opened();
    expect((await limits.enter(keyOf({}), 1e300)).headers).toEqual({});
  });
});

describe('The places of a key', () => {
  it.each([
    [1, 'The key may have 1 request at the same time.'],
    [2, 'The key may have 2 requests at the same time.'],
  ])('are %d, and each is released once', async (concurrent, message) => {
    const { limits, limited } = opened();
    const key = keyOf({ concurrent });
    const shares = [];
    for (let k = 0; k < concurrent; k++) shares.push(await limits.enter(key, 1));
    const refusal = { reason: 'rate-limited', message, retryAfterSeconds: 1, headers: {} };
    await expect(limits.enter(key, 1)).rejects.toMatchObject(refusal);
    expect(limited).toEqual(['concurrent']);
    await limits.enter(keyOf({ concurrent, digest: 'other' }), 1);
    shares[0].leave();
    shares[0].leave();
    await limits.enter(key, 1);
    await expect(limits.enter(key, 1)).rejects.toMatchObject(refusal);
  });

  it('are released by a request that its work refuses', async () => {
    const { limits } = opened();
    const key = keyOf({ concurrent: 2, workPerMinute: 100 });
    await limits.enter(key, 100);
    for (let k = 0; k < 3; k++) await expect(limits.enter(key, 1)).rejects.toThrow('asset-steps a minute');
  });
});

describe('A request that waits', () => {
  it('starts in the order of arrival, when a place is released', async () => {
    const { limits, limited } = opened();
    const key = keyOf({ concurrent: 1 });
    const { signal } = new AbortController();
    const first = await limits.enter(key, 1, signal);
    const order: string[] = [];
    const waiting = ['b', 'c'].map(name =>
      limits.enter(key, 1, signal).then(share => {
        order.push(name);
        return share;
      }),
    );
    await idle();
    expect(order).toEqual([]);
    first.leave();
    await idle();
    expect(order).toEqual(['b']);
    (await waiting[0]).leave();
    await idle();
    expect(order).toEqual(['b', 'c']);
    (await waiting[1]).leave();
    expect(limited).toEqual([]);
    // Nobody waits: the next one starts at once.
    await limits.enter(key, 1, signal);
  });

  it('ends with its signal, and others go on', async () => {
    const { limits } = opened();
    const key = keyOf({ concurrent: 1 });
    const first = await limits.enter(key, 1);
    const [gone, stays] = [new AbortController(), new AbortController()];
    const waiting = [gone, stays].map(({ signal }) => limits.enter(key, 1, signal));
    await idle();
    gone.abort(new Error('gone'));
    await expect(waiting[0]).rejects.toThrow('gone');
    first.leave();
    expect(await waiting[1]).toHaveProperty('headers', {});
    const late = limits.enter(key, 1, AbortSignal.abort(new Error('late')));
    await expect(late).rejects.toThrow('late');
  });

  it('ends when its key is revoked', async () => {
    const { limits } = opened();
    const first = await limits.enter(keyOf({ concurrent: 1 }), 1);
    let revoked = false;
    const key = () => {
      if (revoked) throw new HttpRefusal(401, 'revoked');
      return keyOf({ concurrent: 1 })();
    };
    const waiting = limits.enter(key, 1, new AbortController().signal);
    await idle();
    revoked = true;
    first.leave();
    await expect(waiting).rejects.toMatchObject({ status: 401 });
    revoked = false;
    await limits.enter(key, 1);
  });

  it('tries again after the time of the refusal, and looks at its key every second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = { places: 0, keys: 0 };
    let retryMs = 0;
    const limiter = {
      consume: async () => {
        throw Object.assign(new RateLimiterRes(), { msBeforeNext: retryMs, remainingPoints: 0 });
      },
      reward: async () => ({ remainingPoints: 0 }),
    };
    const counters = {
      ...memoryCounters(),
      perMinute: () => limiter,
      places: () => ({
        take: async () => {
          asked.places += 1;
          return undefined;
        },
      }),
    } as unknown as Counters;
    const waiting = (key: Partial<KnownKey>, signal: AbortSignal) => {
      const entered = opened(counters).limits.enter(
        () => {
          asked.keys += 1;
          return keyOf(key)();
        },
        1,
        signal,
      );
      entered.catch(() => {});
      return entered;
    };
    const pass = async (milliseconds: number) => {
      await idle();
      await vi.advanceTimersByTimeAsync(milliseconds);
      await idle();
    };
    const place = new AbortController();
    waiting({ concurrent: 1 }, place.signal);
    await pass(999);
    expect(asked).toEqual({ places: 1, keys: 2 });
    await pass(1);
    // The look at the key, and the next attempt.
    expect(asked).toEqual({ places: 2, keys: 4 });
    place.abort();
    await idle();
    const lookedAfter = async (refusedMs: number, passed: readonly number[]) => {
      const ending = new AbortController();
      retryMs = refusedMs;
      asked.keys = 0;
      waiting({ workPerMinute: 10 }, ending.signal);
      const counts: number[] = [];
      for (const milliseconds of passed) {
        await pass(milliseconds);
        counts.push(asked.keys);
      }
      ending.abort();
      await idle();
      return counts;
    };
    // Two at the beginning, one for each look, one more for the next attempt.
    expect(await lookedAfter(2500, [999, 1, 1000, 499, 1])).toEqual([2, 3, 4, 4, 6]);
    expect(await lookedAfter(1, [9, 1])).toEqual([2, 4]);
  });

  it('may have more work than is left, but not more than a minute has', async () => {
    const { limits } = opened();
    const key = keyOf({ workPerMinute: 100 });
    await expect(limits.enter(key, 101, new AbortController().signal)).rejects.toMatchObject({
      reason: 'work-limit-exceeded',
    });
  });
});

describe('Counters of this process', () => {
  it('count for a minute, each name and key for itself', async () => {
    expect(WINDOW_SECONDS).toBe(60);
    const counters = memoryCounters();
    expect(counters.shared).toBeUndefined();
    const fails = failedKeyCounter(counters, 2);
    expect([await fails('a'), await fails('a')]).toEqual([undefined, undefined]);
    const seconds = await fails('a');
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await fails('b')).toBeUndefined();
    await counters.close();
  });

  it('end their minute in a minute, also where the system clock was set back', async () => {
    const { limits } = opened();
    const key = keyOf({ workPerMinute: 100 });
    const fails = failedKeyCounter(memoryCounters(), 1);
    await limits.enter(key, 60);
    await fails('a');
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(limits.enter(key, 50)).rejects.toMatchObject({
      retryAfterSeconds: 60,
      headers: { RateLimit: '"work";r=40;t=60' },
    });
    expect((await limits.enter(key, 40)).headers.RateLimit).toBe('"work";r=0;t=60');
    expect(await fails('a')).toBe(60);
  });

  it('have places that are taken up to the bound of each key', async () => {
    const places = memoryPlaces();
    const taken = [await places.take('a', 2), await places.take('a', 2)];
    expect(taken.every(each => each !== undefined)).toBe(true);
    expect(await places.take('a', 2)).toBeUndefined();
    expect(await places.take('b', 1)).toBeDefined();
    taken[0]?.();
    taken[0]?.();
    expect(await places.take('a', 2)).toBeDefined();
    expect(await places.take('a', 2)).toBeUndefined();
    taken[1]?.();
    expect(await places.take('a', 2)).toBeDefined();
  });

  it('call a function once', () => {
    let calls = 0;
    const work = once(() => {
      calls += 1;
    });
    expect(calls).toBe(0);
    work();
    work();
    expect(calls).toBe(1);
  });
});
