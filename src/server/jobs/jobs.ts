/**
 * The jobs of a service, as HTTP uses them: in the memory of one process (memory-jobs.ts) or in a store that servers share
 * (shared-jobs.ts).
 *
 * Must not know: HTTP, what the work is.
 */
import { randomBytes } from 'node:crypto';
import { RiskError } from '../../core/errors.ts';
import type { JobView, JobWork } from './job.ts';
import type { JobQuestion } from './job-records.ts';

/** A question to be answered later. */
export interface Submission {
  readonly owner: string;
  readonly operation: string;
  /** The same text for the same question. */
  readonly fingerprint: string;
  /** A retry with the same key finds the first job. */
  readonly idempotencyKey: string | undefined;
  readonly work: JobWork;
  /** The question as sent, from which another server can restart the work. */
  readonly question?: JobQuestion;
  /** Aborted when the client has disconnected: a job that is not in the store by then is not started. */
  readonly signal?: AbortSignal;
}

export interface Jobs {
  /**
   * Starts a job, or returns the one that was started with the same idempotency key.
   * @throws RiskError `queue-full` where the owner has too many; `invalid-request` where the idempotency key was used for
   *   another question
   */
  submit(submission: Submission): Promise<JobView>;
  /** A job of this owner. */
  find(owner: string, id: string): Promise<JobView | undefined>;
  /** The jobs of this owner, the latest first. */
  list(owner: string): Promise<readonly JobView[]>;
  /** Cancels a job that is not finished; removes one that is. */
  remove(job: JobView): Promise<void>;
  /**
   * Rejects new jobs; cancels those that no other server can adopt.
   * @param longestMs longest wait for a store that does not answer
   */
  close(longestMs: number): Promise<void>;
  /** Starts to adopt the jobs of servers that have ended; absent where there are no others. */
  startAdoption?(resumer: JobResumer): void;
}

/** A question that this server refuses. */
export interface RefusedQuestion {
  /** Facts for the log. */
  readonly refusal: Readonly<Record<string, unknown>>;
  /** Ends with the refusal. */
  readonly work: JobWork;
}

/** Recreates the work of a job. */
export interface JobResumer {
  /** Reads a question until the signal is aborted. @returns its work, or the refusal */
  resume(question: JobQuestion, signal: AbortSignal): Promise<JobWork | RefusedQuestion>;
  /** Work that ends at once, with a reply that states the reason. */
  fail(id: string, operation: string, why: string): JobWork;
}

const ID_BYTES = 16;
const RETRY_SECONDS = 5;

export const newJobId = () => randomBytes(ID_BYTES).toString('base64url');

/** Another question has the idempotency key. */
export const idempotencyKeyUsed = () =>
  new RiskError('invalid-request', 'The request is not valid.', {
    faults: [
      {
        code: 'repeated',
        path: 'header.idempotency-key',
        message: 'header.idempotency-key was used for another request; a new request needs a new key',
      },
    ],
  });

/** @param maxJobs the limit of unfinished jobs of an owner, which is reached */
export const tooManyJobs = (maxJobs: number) =>
  new RiskError(
    'queue-full',
    `This key has ${maxJobs} unfinished jobs, and at most ${maxJobs} are accepted; try again later.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );

export const serverStopping = () =>
  new RiskError('queue-full', 'This server is stopping; try again later.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
