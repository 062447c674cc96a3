/** Trying again what may pass: the waits double, up to a minute, and end on an abort. */

/** Waits between two attempts, milliseconds: the first, and the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

export interface RetryOptions {
  /** Attempts in all. */
  readonly attempts: number;
  readonly mayPass: (error: unknown) => boolean;
  /** Waits; rejects when it is stopped. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly onRetry?: (error: Error, waitMs: number) => void;
}

/** What `attempt` gives, tried again while it fails with what may pass. @throws what the last attempt threw */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= options.attempts || !options.mayPass(error)) throw error;
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1));
      options.onRetry?.(error as Error, waitMs);
      await options.wait(waitMs);
    }
  }
}
