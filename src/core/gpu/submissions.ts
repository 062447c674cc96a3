/**
 * The queue of a device as a timeline: begin and end of submissions, and the pauses of the host before it polls. A pending mapAsync is
 * polled on every turn of the event loop: a run sleeps for most of the expected duration.
 */
import type { Measurement } from './step-rates.ts';

/** One submission in flight. */
export interface Submission {
  readonly submittedAt: number;
  /** By exact measurements of similar ones; undefined without any: the run does not sleep. */
  readonly expectedMilliseconds: number | undefined;
  /** When the host began to poll for its end. */
  polledAt: number | undefined;
}

/** Share of the expected duration to sleep through. */
const SLEEP_SHARE = 0.8;
/** Timers are late by about this, in milliseconds. */
const TIMER_LATENESS = 1;
/** Milliseconds after the first poll within which an end is not exact. */
const SEEN_AT_ONCE = 0.3;

export class SubmissionTimeline {
  private lastEnd = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  /** @param now a clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Begins a submission. */
  submitted(expectedMilliseconds: number | undefined): Submission {
    return { submittedAt: this.now(), expectedMilliseconds, polledAt: undefined };
  }

  /**
   * Milliseconds to sleep before polling for the end of the oldest submission; 0 for too short a time.
   *
   * @param most longest pause in milliseconds
   */
  pause({ submittedAt, expectedMilliseconds = 0 }: Submission, most: number): number {
    const start = Math.max(submittedAt, this.lastEnd);
    const asleep = Math.min(SLEEP_SHARE * expectedMilliseconds, most) - TIMER_LATENESS;
    return Math.max(0, Math.floor(start + asleep - this.now()));
  }

  /** Records the first poll for its end. */
  polled(submission: Submission): void {
    submission.polledAt = this.now();
  }

  /** Records its end; returns its time on the device (the queue is first in, first out). */
  finished({ submittedAt, polledAt }: Submission): Measurement {
    const now = this.now();
    const start = Math.max(submittedAt, this.lastEnd);
    const queued = this.lastEnd > submittedAt;
    this.lastEnd = now;
    const exact = polledAt === undefined || now - polledAt > SEEN_AT_ONCE || polledAt - start < SEEN_AT_ONCE;
    return { nanoseconds: (now - start) * 1e6, exact, queued };
  }
}
