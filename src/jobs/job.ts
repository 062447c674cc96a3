/**
 * A job: one question that is answered later, and what is known of it meanwhile.
 *
 * Takes: work that may be aborted. Gives: its state, progress and result, and word of every change.
 * Must not know: HTTP, what the work is.
 */

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** What a job was answered with: an answer or a refusal, as a request of its own would have got it. */
export interface JobReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How the work of a job tells what it does. */
export interface JobReport {
  /** The job that the work belongs to; the same on a server that takes it up. */
  readonly id: string;
  /** The work has left the queue; it begins when this has resolved. */
  started(): void | Promise<void>;
  /** So much of the work is done, 0 to 1; what is less than was told before is ignored. */
  progress(share: number): void;
}

/** The work of a job. Resolves with the reply, a refusal included; rejects only with the reason of `signal`. */
export type JobWork = (signal: AbortSignal, report: JobReport) => Promise<JobReply>;

/** What a job is, beside its work. */
export interface JobOrder {
  readonly id: string;
  /** Who may see it. */
  readonly owner: string;
  /** What was asked for, for lists: a path. */
  readonly operation: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds since 1970, where it was begun before; now by default. */
  readonly created?: number;
}

/** Whether a job in this state changes no more. */
export const isFinal = (state: JobState) => state === 'done' || state === 'failed' || state === 'cancelled';

/** A job that begins at once. */
export class Job {
  readonly id: string;
  readonly owner: string;
  readonly operation: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  private readonly clock: () => number;
  private readonly ending = new AbortController();
  private readonly listeners = new Set<() => void>();
  private _state: JobState = 'queued';
  private _share = 0;
  private _started: number | undefined;
  private _finished: number | undefined;
  private _reply: JobReply | undefined;

  constructor({ id, owner, operation, clock, created = clock() }: JobOrder, work: JobWork) {
    this.id = id;
    this.owner = owner;
    this.operation = operation;
    this.clock = clock;
    this.created = created;
    const report: JobReport = {
      id,
      started: () => {
        if (this._state !== 'queued') return;
        this._started = this.clock();
        this.change('running');
      },
      progress: share => {
        if (this._state !== 'running' || !(share > this._share)) return;
        this._share = Math.min(1, share);
        this.change('running');
      },
    };
    work(this.ending.signal, report).then(
      reply => this.finish(reply.status < 400 ? 'done' : 'failed', reply),
      () => this.finish('cancelled', undefined),
    );
  }

  get state(): JobState {
    return this._state;
  }

  /** Share of the work done, 0 to 1. */
  get share(): number {
    return this._share;
  }

  /** Milliseconds since 1970; undefined in the queue. */
  get started(): number | undefined {
    return this._started;
  }

  /** Milliseconds since 1970; undefined before the end. */
  get finished(): number | undefined {
    return this._finished;
  }

  /** The answer or refusal of a job that is done or failed. */
  get reply(): JobReply | undefined {
    return this._reply;
  }

  /** Whether there is a reply. */
  get isAnswered(): boolean {
    return this._reply !== undefined;
  }

  get isFinished(): boolean {
    return isFinal(this._state);
  }

  /** Seconds until the end at the present rate; undefined while there is no rate. */
  get secondsLeft(): number | undefined {
    if (this._state !== 'running' || this._started === undefined || this._share === 0) return undefined;
    return ((this.clock() - this._started) / 1000) * ((1 - this._share) / this._share);
  }

  /** Ends the work, if it has not ended; the state is `cancelled` at once. */
  cancel(): void {
    if (this.isFinished) return;
    this.finish('cancelled', undefined);
    this.ending.abort(new Error('The job was cancelled.'));
  }

  /** Calls `listener` after every change of state or progress. @returns a function that ends this */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private finish(state: JobState, reply: JobReply | undefined): void {
    // The work of a cancelled job ends later than the job.
    if (this.isFinished) return;
    this._finished = this.clock();
    this._reply = reply;
    if (state === 'done') this._share = 1;
    this.change(state);
  }

  private change(state: JobState): void {
    this._state = state;
    for (const listener of [...this.listeners]) listener();
  }
}
