/**
 * The queues of a fleet, in BullMQ on Redis: one for each engine and version, so that a worker receives only
 * parts that it can run.
 *
 * Jobs carry only names of entries in the store. Must not know: plans, engines.
 */
import { Queue, QueueEvents, type QueueOptions, Worker } from 'bullmq';
import type { Warn } from '../host/repeated-warnings.ts';
import { SILENT_CONNECTION_MS } from './store.ts';
import { queueWords } from './store-errors.ts';

/** A job in the queue. */
export interface QueuedJob {
  /** Adding a job with the id of an existing one has no effect. */
  readonly id: string;
  readonly data: Readonly<Record<string, string>>;
}

/** The sending side of a queue. */
export interface JobQueue {
  add(jobs: readonly QueuedJob[]): Promise<void>;
  /** Why a job failed for good; undefined where it did not. */
  failure(id: string): Promise<string | undefined>;
  /** Whether a receiver has a job. */
  isWorkedOn(): Promise<boolean>;
  /** Removes a job that waits or has failed. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

/** The receiving side of a queue. */
export interface JobTaker {
  /** Ends after the current jobs. */
  close(): Promise<void>;
}

export interface Queues {
  /** @param onEnd called with the ids of ended jobs; some may be missing */
  open(name: string, onEnd?: (id: string) => void): JobQueue;
  /**
   * Receives jobs from a queue. A job that throws is retried.
   * @param concurrency jobs at a time
   */
  take(name: string, concurrency: number, work: (job: QueuedJob) => Promise<void>): JobTaker;
}

/** The queue gives a job to another worker if its lock was not renewed for this time. */
export const LOCK_MS = 10_000;
/** Interval of the search for jobs whose worker has ended. */
const STALLED_MS = 3_000;
/** A job during which this many workers ended fails for good. */
const MAX_STALLS = 10;
const ATTEMPTS = 5;
const RETRY_MS = 500;
/** Pause between two attempts to connect. */
const RECONNECT_MS = 500;

/** @param prefix distinguishes this fleet from others in the same store: letters, digits and underscores */
export function connectQueues(url: string, prefix: string, warn: Warn): Queues {
  const connection = {
    ...{ url, maxRetriesPerRequest: null, retryStrategy: () => RECONNECT_MS },
    socketTimeout: SILENT_CONNECTION_MS,
  };
  const options: QueueOptions = { connection, prefix };
  const logError = (error: Error) => warn({ err: error }, queueWords(error));
  return {
    open(name, onEnd) {
      const queue = new Queue(name, options);
      queue.on('error', logError);
      const events = onEnd && new QueueEvents(name, options);
      events?.on('error', logError);
      events?.on('completed', ({ jobId }) => onEnd?.(jobId));
      events?.on('failed', ({ jobId }) => onEnd?.(jobId));
      return {
        async add(jobs) {
          await queue.addBulk(
            jobs.map(({ id, data }) => ({
              name: 'part',
              data,
              opts: {
                jobId: id,
                attempts: ATTEMPTS,
                backoff: { type: 'fixed', delay: RETRY_MS },
                removeOnComplete: true,
                removeOnFail: { age: 3600 },
              },
            })),
          );
        },
        async failure(id) {
          const job = await queue.getJob(id);
          if (job === undefined || !(await job.isFailed())) return undefined;
          return job.failedReason || 'it was given up';
        },
        async isWorkedOn() {
          return (await queue.getActiveCount()) > 0;
        },
        async remove(id) {
          await queue.remove(id).catch(() => {});
        },
        async close() {
          await Promise.all([queue.close(), events?.close()]);
        },
      };
    },
    take(name, concurrency, work) {
      const worker = new Worker<QueuedJob['data']>(name, ({ id, data }) => work({ id: id as string, data }), {
        ...options,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MAX_STALLS,
        runRetryDelay: RECONNECT_MS,
      });
      worker.on('error', logError);
      return { close: () => worker.close() };
    },
  };
}
