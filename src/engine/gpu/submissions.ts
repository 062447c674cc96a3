/**
 * The queue of a device as a timeline: what was submitted, how long it took, when the rest will be done.
 *
 * Takes: submissions with their expected duration. Gives: measured durations and waits that do not spin.
 * A pending mapAsync is polled on every turn of the event loop, so a wait sleeps through most of the expected time.
 */

/** One submission under way. */
export interface Submission {
  readonly submittedAt: number;
  /** When it should be done, by the estimates. */
  readonly expectedEnd: number;
}

/** Milliseconds before the expected end at which a wait begins to look. */
const LOOK_EARLY = 1.5;

export class SubmissionTimeline {
  private expectedEnd = 0;
  private lastEnd = 0;

  /** Notes a submission that should take so many milliseconds once its turn has come. */
  submitted(expectedMilliseconds: number): Submission {
    const submittedAt = performance.now();
    this.expectedEnd = Math.max(submittedAt, this.expectedEnd) + expectedMilliseconds;
    return { submittedAt, expectedEnd: this.expectedEnd };
  }

  /** Notes its end; gives the milliseconds that the device spent on it (the queue is first in, first out). */
  finished({ submittedAt, expectedEnd }: Submission): number {
    const now = performance.now();
    const duration = now - Math.max(submittedAt, this.lastEnd);
    this.lastEnd = now;
    this.expectedEnd = Math.max(now, this.expectedEnd + now - expectedEnd);
    return duration;
  }

  /** Sleeps until shortly before the expected end, or until the signal aborts (which it leaves to the caller). */
  async sleep({ expectedEnd }: Submission, signal: AbortSignal | undefined): Promise<void> {
    const milliseconds = Math.floor(expectedEnd - performance.now() - LOOK_EARLY);
    if (milliseconds < 1 || signal?.aborted) return;
    await new Promise<void>(resolve => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      signal?.addEventListener('abort', wake);
    });
  }
}
