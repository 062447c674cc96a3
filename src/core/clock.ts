/**
 * Time as the parts see it that act by the clock: deadlines, queues, the watch over the GPU process.
 *
 * Gives: a clock and timers of the host. Tests replace it by one that they move themselves. Must not know: what is timed.
 */

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /** Calls `action` once after a time in milliseconds; the function returned cancels it. */
  after(milliseconds: number, action: () => void): () => void;
  /**
   * Calls `action` again and again; the function returned ends that. Calls that were due while the process stood still
   * are not made up for, and the process may end although the timer runs.
   */
  every(milliseconds: number, action: () => void): () => void;
}

/** Waits until a promise has settled, for a time in milliseconds at most. @returns whether it has settled */
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

/**
 * The outcome of a promise that may never settle. A result after the deadline is ignored.
 *
 * @param milliseconds at least 1000: the message has whole seconds
 * @throws the error of `working`, or an Error that states the deadline
 */
export async function answerWithin<T>(clock: Clock, milliseconds: number, working: Promise<T>): Promise<T> {
  if (await settlesWithin(clock, milliseconds, working)) return working;
  throw new Error(`no answer within ${milliseconds / 1000} s`);
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
