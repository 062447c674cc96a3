/**
 * The queue of a device as a timeline: when submissions begin and end, and how long to sleep before looking.
 *
 * Takes: submissions with their measured duration, if there is one. Gives: measured durations and pauses. A pending
 * mapAsync is polled on every turn of the event loop, so a wait sleeps through most of what it knows it must wait for.
 */
import type { Measurement } from './step-rates.ts';

/** One submission under way. */
export interface Submission {
  readonly submittedAt: number;
  /** What it should take by exact measurements of its like; undefined where there are none: no sleep then. */
  readonly expectedMilliseconds: number | undefined;
  /** When its end was first looked for. */
  lookedAt: number | undefined;
}

/** Share of the expected duration to sleep through. */
const SLEEP_SHARE = 0.8;
/** Timers are late by about this, in milliseconds. */
const TIMER_LATENESS = 1;
/** An end that is there so soon after the first look came before it, in milliseconds. */
const SEEN_AT_ONCE = 0.3;

export class SubmissionTimeline {
  private lastEnd = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  /** @param now a clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Notes a submission. */
  submitted(expectedMilliseconds: number | undefined): Submission {
    return { submittedAt: this.now(), expectedMilliseconds, lookedAt: undefined };
  }

  /**
   * Milliseconds to sleep before looking for the end of the oldest submission; 0 where that is not worth a timer.
   *
   * @param most whatever is expected, never longer than this
   */
  pause({ submittedAt, expectedMilliseconds = 0 }: Submission, most: number): number {
    const start = Math.max(submittedAt, this.lastEnd);
    const asleep = Math.min(SLEEP_SHARE * expectedMilliseconds, most) - TIMER_LATENESS;
    return Math.max(0, Math.floor(start + asleep - this.now()));
  }

  /** Notes that its end is looked for from now on. */
  looked(submission: Submission): void {
    submission.lookedAt = this.now();
  }

  /** Notes its end; gives the time that the device spent on it (the queue is first in, first out). */
  finished({ submittedAt, lookedAt }: Submission): Measurement {
    const now = this.now();
    const start = Math.max(submittedAt, this.lastEnd);
    const queued = this.lastEnd > submittedAt;
    this.lastEnd = now;
    const exact = lookedAt === undefined || now - lookedAt > SEEN_AT_ONCE || lookedAt - start < SEEN_AT_ONCE;
    return { nanoseconds: (now - start) * 1e6, exact, queued };
  }
}
