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
  close(): Promise<void>;
}

export type MinuteCounter = Pick<RateLimiterAbstract, 'consume' | 'reward'>;

export interface Places {
  /** Takes one of the `most` places of `key`. @returns a function that releases it, or undefined where none is free */
  take(key: string, most: number): Promise<(() => void) | undefined>;
}

/** Counters of this process alone. */
export const memoryCounters = (): Counters => ({
  shared: undefined,
  perMinute: (keyPrefix, points) => new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS }),
  places: () => memoryPlaces(),
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

/** The same function, but further calls have no effect. */
export function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
