/**
 * The jobs of a process: how many a caller may have, how long results are kept, and retries that find the first job.
 *
 * Jobs live in memory and end with the process. Must not know: HTTP, what the work is.
 */
import { randomBytes } from 'node:crypto';
import { RiskError } from '../core/errors.ts';
import { Job, type JobWork } from './job.ts';
import type { JobQuestion } from './job-records.ts';

export interface JobStoreOptions {
  /** Most unfinished jobs of one owner. */
  readonly maxJobs: number;
  /** How long a finished job is kept. */
  readonly retentionHours: number;
  /** Bytes of results that are kept; the oldest go first. 256 MiB by default. */
  readonly maxResultBytes?: number;
  /** Milliseconds since 1970; tests set it. */
  readonly clock?: () => number;
}

/** A question that is to be answered later. */
export interface Submission {
  readonly owner: string;
  readonly operation: string;
  /** Same text for the same question. */
  readonly fingerprint: string;
  /** A retry with the same key finds the first job. */
  readonly idempotencyKey: string | undefined;
  readonly work: JobWork;
  /** The question as it was sent, from which another server can make the work again. */
  readonly question?: JobQuestion;
  /** Aborted where nobody waits for the job any more: one that is not in the store by then is not begun. */
  readonly signal?: AbortSignal;
}

/** A job as those who ask for it see it, here or on another server. */
export type JobView = Pick<
  Job,
  | 'id'
  | 'owner'
  | 'operation'
  | 'created'
  | 'state'
  | 'share'
  | 'started'
  | 'finished'
  | 'reply'
  | 'isAnswered'
  | 'isFinished'
  | 'secondsLeft'
  | 'onChange'
>;

/** Jobs as the interface needs them, whoever keeps them. */
export interface Jobs {
  /**
   * Begins a job, or gives the one that was begun with the same idempotency key.
   * @throws RiskError `queue-full` where the owner has too many; `invalid-request` where the idempotency key was used for
   *   another question
   */
  submit(submission: Submission): JobView | Promise<JobView>;
  /** A job of this owner. */
  find(owner: string, id: string): JobView | undefined | Promise<JobView | undefined>;
  /** The jobs of this owner, the latest first. */
  list(owner: string): readonly JobView[] | Promise<readonly JobView[]>;
  /** Cancels a job that is not finished; forgets one that is. */
  remove(job: JobView): void | Promise<void>;
  /** Takes no more jobs; those that no other server can take up are cancelled. */
  close(): void | Promise<void>;
  /** Begins to take up jobs of servers that have ended; absent where there are no others. */
  takeUp?(resumption: Resumption): void;
}

/** Makes the work of a job again. */
export interface Resumption {
  /**
   * Reads a question until the signal is aborted.
   * @returns its work; for a question that is refused by now, work that ends with the refusal
   */
  resume(question: JobQuestion, signal: AbortSignal): Promise<JobWork>;
  /** Work that ends at once, with a reply that says why. */
  fail(id: string, operation: string, why: string): JobWork;
}

/** The jobs of one process. */
export interface JobStore extends Jobs {
  submit(submission: Submission): Job;
  find(owner: string, id: string): Job | undefined;
  list(owner: string): readonly Job[];
  remove(job: JobView): void;
  close(): void;
}

export const newJobId = () => randomBytes(ID_BYTES).toString('base64url');

/** Another question has the idempotency key. */
export const idempotencyKeyUsed = () =>
  new RiskError('invalid-request', 'The request is not valid.', {
    faults: [
      {
        path: 'header.idempotency-key',
        message: 'header.idempotency-key was used for another request; a new request needs a new key',
      },
    ],
  });

/** @param maxJobs unfinished jobs that an owner may have, and has */
export const tooManyJobs = (maxJobs: number) =>
  new RiskError(
    'queue-full',
    `${maxJobs} jobs of this key are not finished, and at most ${maxJobs} are taken; try again later.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );

export const serverStopping = () =>
  new RiskError('queue-full', 'This server is stopping; try again later.', {
    retryAfterSeconds: RETRY_SECONDS,
  });

const ID_BYTES = 16;
const MS_PER_HOUR = 3_600_000;
const DEFAULT_RESULT_BYTES = 2 ** 28;
/** So many jobs with tiny results are kept at most, whatever their age. */
const MAX_FINISHED = 10_000;
const RETRY_SECONDS = 5;

interface Kept {
  readonly job: Job;
  readonly fingerprint: string;
  readonly idempotencyName: string | undefined;
}

/** An empty store. */
export function createJobStore(options: JobStoreOptions): JobStore {
  const { maxJobs, retentionHours, maxResultBytes = DEFAULT_RESULT_BYTES, clock = Date.now } = options;
  const kept = new Map<string, Kept>();
  const byIdempotencyName = new Map<string, Kept>();
  /** Finished jobs in the order in which they finished. */
  const finished = new Set<Job>();
  let resultBytes = 0;
  let closed = false;

  const bytesOf = (job: Job) => job.reply?.body.length ?? 0;

  function forget(job: Job): void {
    const entry = kept.get(job.id);
    if (entry === undefined) return;
    kept.delete(job.id);
    if (entry.idempotencyName !== undefined) byIdempotencyName.delete(entry.idempotencyName);
    if (finished.delete(job)) resultBytes -= bytesOf(job);
  }

  function forgetOld(): void {
    const oldest = clock() - retentionHours * MS_PER_HOUR;
    for (const job of finished) {
      const isOld = (job.finished ?? 0) < oldest;
      if (!isOld && resultBytes <= maxResultBytes && finished.size <= MAX_FINISHED) return;
      forget(job);
    }
  }

  function noteChange(job: Job): void {
    if (!job.isFinished || finished.has(job)) return;
    finished.add(job);
    resultBytes += bytesOf(job);
    forgetOld();
  }

  return {
    submit({ owner, operation, fingerprint, idempotencyKey, work }) {
      forgetOld();
      const idempotencyName = idempotencyKey === undefined ? undefined : `${owner} ${idempotencyKey}`;
      const first = idempotencyName === undefined ? undefined : byIdempotencyName.get(idempotencyName);
      if (first !== undefined) {
        if (first.fingerprint === fingerprint) return first.job;
        throw idempotencyKeyUsed();
      }
      const unfinished = [...kept.values()].filter(
        ({ job }) => job.owner === owner && !job.isFinished,
      ).length;
      if (closed) throw serverStopping();
      if (unfinished >= maxJobs) throw tooManyJobs(maxJobs);
      const id = newJobId();
      const job = new Job({ id, owner, operation, clock }, work);
      const entry = { job, fingerprint, idempotencyName };
      kept.set(id, entry);
      if (idempotencyName !== undefined) byIdempotencyName.set(idempotencyName, entry);
      job.onChange(() => noteChange(job));
      return job;
    },
    find(owner, id) {
      forgetOld();
      const job = kept.get(id)?.job;
      return job?.owner === owner ? job : undefined;
    },
    list(owner) {
      forgetOld();
      return [...kept.values()].flatMap(({ job }) => (job.owner === owner ? [job] : [])).reverse();
    },
    remove({ id }) {
      const job = kept.get(id)?.job;
      if (job?.isFinished === true) forget(job);
      else job?.cancel();
    },
    close() {
      closed = true;
      for (const { job } of [...kept.values()]) job.cancel();
    },
  };
}
