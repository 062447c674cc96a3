/**
 * The counters of limits: points per minute, and places in use at the same time.
 *
 * Gives: the interface, and counters in the memory of this process. Must not know: keys, work, HTTP.
 */
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** Window of all counters, seconds. */
export const WINDOW_SECONDS = 60;

export interface Counters {
  /**
   * Whether several processes count together: undefined where no store is configured, false while the store does not answer or
   * refuses writes, and each process counts alone.
   */
  readonly shared: boolean | undefined;
  /** A counter of at most `points` a minute for each key. */
  perMinute(name: string, points: number): MinuteCounter;
  /** A counter of the places in use. */
  places(name: string): Places;
  /** Totals that are kept for a time. */
  totals(name: string): Totals;
  close(): Promise<void>;
}

export type MinuteCounter = Pick<RateLimiterAbstract, 'consume' | 'reward'>;

export interface Places {
  /** Takes one of the `most` places of `key`. @returns a function that releases it, or undefined where none is free */
  take(key: string, most: number): Promise<(() => void) | undefined>;
}

export interface Totals {
  /** Adds to each total; a new one begins at 0. @returns the totals */
  add(amounts: readonly Amount[]): Promise<readonly number[]>;
}

/** A whole number, of either sign, that is added to a total. */
export interface Amount {
  readonly key: string;
  readonly amount: number;
  /** Time from now on for which the total is kept. */
  readonly keepSeconds: number;
}

/** Counters of this process alone. */
export const memoryCounters = (): Counters => ({
  shared: undefined,
  perMinute: (keyPrefix, points) => new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS }),
  places: () => memoryPlaces(),
  totals: () => memoryTotals(),
  close: async () => {},
});

export function memoryPlaces(): Places {
  const held = new Map<string, number>();
  return {
    async take(key, most) {
      const own = held.get(key) ?? 0;
      if (own >= most) return undefined;
      held.set(key, own + 1);
      return once(() => {
        const others = (held.get(key) ?? 1) - 1;
        if (others === 0) held.delete(key);
        else held.set(key, others);
      });
    },
  };
}

export function memoryTotals(): Totals {
  const held = new Map<string, { total: number; until: number }>();
  return {
    async add(amounts) {
      const now = Date.now();
      return amounts.map(({ key, amount, keepSeconds }) => {
        const total = (held.get(key)?.total ?? 0) + amount;
        // A new total is that of a new day: old ones may be over.
        if (!held.has(key)) for (const [old, { until }] of held) if (until < now) held.delete(old);
        if (total === 0) held.delete(key);
        else held.set(key, { total, until: now + keepSeconds * 1000 });
        return total;
      });
    },
  };
}

/** The same function, but further calls have no effect. */
export function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
