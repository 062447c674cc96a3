/**
 * A job: one question that is answered later, and its state until then.
 *
 * Takes: work that may be aborted. Gives: its state, progress and result, and a call after every change.
 * Must not know: HTTP, what the work is.
 */

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** The answer or refusal of a job, equal to that of a synchronous request. */
export interface JobReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A job at one moment. Times are milliseconds since 1970. */
export interface JobSnapshot {
  readonly id: string;
  /** The digest of the key that may see it. */
  readonly owner: string;
  /** The path of the operation. */
  readonly operation: string;
  readonly created: number;
  readonly state: JobState;
  /** Share of the work done, 0 to 1. */
  readonly share: number;
  /** Undefined in the queue. */
  readonly started?: number | undefined;
  /** Undefined before the end. */
  readonly finished?: number | undefined;
  /** The moment of the snapshot. */
  readonly seen: number;
}

/** A job as its owner sees it, on this server or another. */
export interface JobView {
  /** The latest snapshot. */
  readonly info: JobSnapshot;
  /** The answer or refusal of a job that is done or failed. */
  reply(): Promise<JobReply | undefined>;
  /** Calls `listener` after every change of state or progress. @returns a function that ends the calls */
  onChange(listener: () => void): () => void;
}

/** The interface by which the work of a job reports progress. */
export interface JobReport {
  /** The job that the work belongs to; the same on a server that adopts it. */
  readonly id: string;
  /** Reports that the work has left the queue; it starts when this has resolved. */
  started(): void | Promise<void>;
  /** The share of the work that is done, 0 to 1; a share below the last one is ignored. */
  progress(share: number): void;
}

/** The work of a job. Resolves with the reply, a refusal included; rejects only with the reason of `signal`. */
export type JobWork = (signal: AbortSignal, report: JobReport) => Promise<JobReply>;

/** A job without its work. */
export interface JobOrder extends Pick<JobSnapshot, 'id' | 'owner' | 'operation'> {
  /** Milliseconds since 1970; never decreases, and is not before `created`. */
  readonly clock: () => number;
  /** When it was created, if by another server; now by default. */
  readonly created?: number;
}

/** Whether a job in this state has a reply. */
export const isAnswered = (state: JobState) => state === 'done' || state === 'failed';

/** Whether this state is final. */
export const isFinal = (state: JobState) => isAnswered(state) || state === 'cancelled';

/** Seconds until the end at the present rate; undefined while there is no rate. */
export function secondsLeft({ state, started, share, seen }: JobSnapshot): number | undefined {
  if (state !== 'running' || started === undefined || share === 0) return undefined;
  return ((seen - started) / 1000) * ((1 - share) / share);
}

/**
 * The clock of a job: `now` and what has passed since, ms. Its times stay in order, and its rate is right, also where the clock of the
 * system is set meanwhile.
 */
export function jobClock(now: number, elapsed = () => performance.now()): () => number {
  const begun = elapsed();
  return () => Math.round(now + elapsed() - begun);
}

/** A job that starts at once. */
export class Job implements JobView {
  private readonly clock: () => number;
  private readonly ending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private known: Omit<JobSnapshot, 'seen'>;
  private given: JobReply | undefined;

  constructor({ id, owner, operation, clock, created = clock() }: JobOrder, work: JobWork) {
    this.clock = clock;
    this.known = { id, owner, operation, created, state: 'queued', share: 0 };
    const report: JobReport = {
      id,
      started: () => {
        if (this.known.state === 'queued') this.change({ state: 'running', started: clock() });
      },
      progress: share => {
        if (this.known.state === 'running' && share > this.known.share)
          this.change({ share: Math.min(1, share) });
      },
    };
    work(this.ending.signal, report).then(
      reply => this.finish(reply.status < 400 ? 'done' : 'failed', reply),
      () => this.finish('cancelled', undefined),
    );
  }

  get info(): JobSnapshot {
    return { ...this.known, seen: this.clock() };
  }

  /** As in `reply`, at once. */
  get answer(): JobReply | undefined {
    return this.given;
  }

  async reply(): Promise<JobReply | undefined> {
    return this.given;
  }

  get isFinished(): boolean {
    return isFinal(this.known.state);
  }

  /** Aborts the work if it has not ended; the state is `cancelled` at once. */
  cancel(): void {
    if (this.isFinished) return;
    this.finish('cancelled', undefined);
    this.ending.abort(new Error('The job was cancelled.'));
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private finish(state: JobState, reply: JobReply | undefined): void {
    // The work of a cancelled job ends later than the job.
    if (this.isFinished) return;
    this.given = reply;
    this.change({ state, finished: this.clock(), ...(state === 'done' && { share: 1 }) });
  }

  private change(change: Partial<JobSnapshot>): void {
    this.known = { ...this.known, ...change };
    for (const listener of [...this.listeners]) listener();
  }
}
