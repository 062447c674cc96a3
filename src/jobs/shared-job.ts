/** A job in a store that several servers share, as one of them sees it. */
import type { Clock } from '../core/clock.ts';
import { isFinal, type Job, type JobReply } from './job.ts';
import type { JobInfo } from './job-records.ts';
import type { JobView } from './job-store.ts';

/** Where a view looks. */
export interface JobSource {
  readonly clock: Clock;
  /** The job while this server runs it, before its end. */
  runningHere(id: string): Job | undefined;
  /** The job as the store has it; undefined where it is forgotten. */
  look(id: string): Promise<JobInfo | undefined>;
}

const LOOK_MS = 500;

/** What is known of a job at this moment. */
export const infoOf = (
  job: Job,
  { fingerprint, idempotencyKey, ended }: Pick<JobInfo, 'fingerprint' | 'idempotencyKey' | 'ended'>,
): JobInfo => ({
  fingerprint,
  idempotencyKey,
  ended,
  reading: false,
  id: job.id,
  owner: job.owner,
  operation: job.operation,
  created: job.created,
  state: job.state,
  share: job.share,
  started: job.started,
  finished: job.finished,
  seen: Date.now(),
});

/** The job without a server that reads or runs it. */
export const waiting = (info: JobInfo): JobInfo => ({
  ...info,
  ...{ state: 'queued', share: 0, started: undefined, finished: undefined, reading: false },
  seen: Date.now(),
});

/** The job itself while this server runs it; what was last seen in the store after that. */
export class SharedJob implements JobView {
  private readonly source: JobSource;
  private seen: JobInfo;
  readonly reply: JobReply | undefined;

  constructor(source: JobSource, seen: JobInfo, reply: JobReply | undefined) {
    this.source = source;
    this.seen = seen;
    this.reply = reply;
  }

  get id() {
    return this.seen.id;
  }
  get owner() {
    return this.seen.owner;
  }
  get operation() {
    return this.seen.operation;
  }
  get created() {
    return this.seen.created;
  }
  get state() {
    return this.info.state;
  }
  get share() {
    return this.info.share;
  }
  get started() {
    return this.info.started;
  }
  get finished() {
    return this.info.finished;
  }
  get isFinished() {
    return isFinal(this.info.state);
  }
  get isAnswered() {
    return this.info.state === 'done' || this.info.state === 'failed';
  }
  get secondsLeft() {
    const { state, started, share, seen } = this.info;
    if (state !== 'running' || started === undefined || share === 0) return undefined;
    return ((seen - started) / 1000) * ((1 - share) / share);
  }

  /** Calls `listener` at changes in this process, and now and then while another server runs it. */
  onChange(listener: () => void): () => void {
    const { clock } = this.source;
    const stopHere = this.source.runningHere(this.id)?.onChange(() => {
      // Its end is seen in the store.
      if (this.source.runningHere(this.id) !== undefined) listener();
    });
    let looking = false;
    const stopLooking = clock.every(LOOK_MS, () => {
      if (looking || this.source.runningHere(this.id) !== undefined) return;
      looking = true;
      this.source
        .look(this.id)
        .then(info => {
          // One that has been forgotten has ended.
          this.seen = info ?? { ...this.seen, state: 'cancelled' };
          listener();
        })
        .catch(() => {})
        .finally(() => {
          looking = false;
        });
    });
    return () => {
      stopHere?.();
      stopLooking();
    };
  }

  /** What is known now. */
  private get info(): JobInfo {
    const job = this.source.runningHere(this.id);
    if (job !== undefined) this.seen = infoOf(job, this.seen);
    return this.seen;
  }
}
