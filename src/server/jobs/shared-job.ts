/** One server's view of a job in a store that several servers share. */
import type { Clock } from '../../core/clock.ts';
import { isAnswered, type Job, type JobReply, type JobView } from './job.ts';
import type { JobInfo } from './job-records.ts';

/** The sources of a view. */
export interface JobSource {
  readonly clock: Clock;
  /** The job while this server runs it, before its end. */
  runningHere(id: string): Job | undefined;
  /** The job in the store; undefined where it was removed. */
  look(id: string): Promise<JobInfo | undefined>;
  /** The reply in the store; undefined where it was removed. */
  replyOf(id: string): Promise<JobReply | undefined>;
}

const LOOK_MS = 500;

/** The record of a job that this server runs. */
export const infoOf = (
  job: Job,
  { fingerprint, idempotencyKey, ended }: Pick<JobInfo, 'fingerprint' | 'idempotencyKey' | 'ended'>,
): JobInfo => ({ fingerprint, idempotencyKey, ended, reading: false, ...job.info });

/** The job without a server that reads or runs it. */
export const waiting = (info: JobInfo): JobInfo => ({
  ...info,
  ...{ state: 'queued', share: 0, started: undefined, finished: undefined, reading: false },
});

/** The job while this server runs it; otherwise its last record in the store. */
export class SharedJob implements JobView {
  constructor(
    private readonly source: JobSource,
    private seen: JobInfo,
  ) {}

  get info(): JobInfo {
    const job = this.source.runningHere(this.seen.id);
    if (job !== undefined) this.seen = infoOf(job, this.seen);
    return this.seen;
  }

  async reply(): Promise<JobReply | undefined> {
    return isAnswered(this.info.state) ? this.source.replyOf(this.seen.id) : undefined;
  }

  /** Calls `listener` at changes in this process, and every half second while another server runs the job. */
  onChange(listener: () => void): () => void {
    const { source } = this;
    const { id } = this.seen;
    let here: Job | undefined;
    let stopHere = () => {};
    /** Listens to the job of this server, which may have adopted it since the last call. @returns whether that is new */
    const listenHere = (): boolean => {
      const job = source.runningHere(id);
      if (job === undefined || job === here) return false;
      stopHere();
      here = job;
      stopHere = job.onChange(() => {
        // Its end is read from the store.
        if (source.runningHere(id) !== undefined) listener();
      });
      return true;
    };
    listenHere();
    let looking = false;
    const stopLooking = source.clock.every(LOOK_MS, () => {
      if (listenHere()) listener();
      if (looking || source.runningHere(id) !== undefined) return;
      looking = true;
      source
        .look(id)
        .then(info => {
          // A job that was removed has ended.
          this.seen = info ?? { ...this.seen, state: 'cancelled' };
          listener();
        })
        .catch(() => {})
        .finally(() => {
          looking = false;
        });
    });
    return () => {
      stopHere();
      stopLooking();
    };
  }
}
