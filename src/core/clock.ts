/**
 * The clock and timers of the host, for deadlines, queues and supervision. Tests replace them by a clock that they set.
 */

export interface Clock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  now(): number;
  /** Calls `action` once after a number of milliseconds. @returns a function that cancels the call */
  after(milliseconds: number, action: () => void): () => void;
  /**
   * Calls `action` periodically. Calls that were due while the process stood still are dropped, and the timer does not
   * keep the process alive.
   *
   * @returns a function that stops the timer
   */
  every(milliseconds: number, action: () => void): () => void;
}

/** Waits for a promise to settle, at most for a number of milliseconds. @returns whether it settled in time */
export function settlesWithin(
  clock: Clock,
  milliseconds: number,
  working: Promise<unknown>,
): Promise<boolean> {
  return new Promise(resolve => {
    const cancel = clock.after(milliseconds, () => resolve(false));
    const settle = () => {
      cancel();
      resolve(true);
    };
    working.then(settle, settle);
  });
}

export const processClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds);
    // Browsers number their timers; Node returns an object with `unref`.
    (timer as unknown as { unref?: () => void }).unref?.();
    return () => clearInterval(timer);
  },
};
