/**
 * The counters that limits are made of: points per minute, and places that are held for a while.
 *
 * Gives: the interface, and counters in the memory of this process. Must not know: keys, work, HTTP.
 */
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** Window of all counters, seconds. */
export const WINDOW_SECONDS = 60;

export interface Counters {
  /**
   * Whether several processes count together: undefined where they are not meant to, false while their store is away and
   * each counts for itself.
   */
  readonly shared: boolean | undefined;
  /** Counts points of each key, of which there are `points` in a minute. */
  perMinute(name: string, points: number): RateLimiterAbstract;
  /** Counts who holds a place. */
  places(name: string): Places;
  close(): Promise<void>;
}

export interface Places {
  /** Takes one of the `most` places of `key`. @returns a function that gives it back, or undefined where none is free */
  take(key: string, most: number): Promise<(() => void) | undefined>;
}

/** Counters that other processes do not see. */
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

/** The same function, which does nothing when it is called again. */
export function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
