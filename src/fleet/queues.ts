/**
 * The queues of a fleet, in BullMQ on Redis or PostgreSQL: one for each engine and version, so that a worker is handed only
 * what it can run.
 *
 * Jobs carry names of what is in the store, nothing else. Must not know: plans, engines.
 */
import { Queue, type QueueBaseOptions, QueueEvents, Worker } from 'bullmq';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';
import type { FleetAddress } from './address.ts';
import { retryingBackend } from './retrying-connection.ts';
import { queueWords } from './store-errors.ts';

/** A job as the queue has it. */
export interface QueuedJob {
  /** Same id, same job: adding one that is there already changes nothing. */
  readonly id: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Where jobs are put. */
export interface JobQueue {
  add(jobs: readonly QueuedJob[]): Promise<void>;
  /** Why a job was given up by the queue; undefined where it was not. */
  failure(id: string): Promise<string | undefined>;
  /** Takes a job out that waits or has failed. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Who takes jobs. */
export interface JobTaker {
  /** Ends after the jobs at hand. */
  close(): Promise<void>;
}

export interface Queues {
  /** @param onEnd called with the ids of jobs that have ended; some may be missed */
  open(name: string, onEnd?: (id: string) => void): JobQueue;
  /**
   * Takes jobs from a queue. One that throws is tried again.
   * @param concurrency jobs at a time
   */
  take(name: string, concurrency: number, work: (job: QueuedJob) => Promise<void>): JobTaker;
}

/** The queue gives a job to another worker when its lock was not renewed for so long. */
export const LOCK_MS = 10_000;
/** Interval of the search for jobs whose worker has gone. */
const STALLED_MS = 3_000;
/** A job that has ended so many workers is given up. */
const MAX_STALLS = 10;
const ATTEMPTS = 5;
const RETRY_MS = 500;
/** Pause between two attempts to connect. */
const RECONNECT_MS = 500;

/** @param prefix sets this fleet apart from others in the same store: letters, digits and underscores */
export function connectQueues(
  { kind, url }: FleetAddress,
  prefix: string,
  clock: Clock,
  log: Logger,
): Queues {
  // PostgreSQL is given a schema of its own, which the queue makes for itself.
  const backend = kind === 'postgres' ? retryingBackend(clock, log) : undefined;
  const connection =
    kind === 'postgres'
      ? { connectionString: url, schema: `${prefix}_queue`, migrate: true }
      : { url, maxRetriesPerRequest: null, retryStrategy: () => RECONNECT_MS };
  const options = { connection, prefix } as QueueBaseOptions;
  const withBackend = <T>(make: new (...args: never[]) => T, ...args: readonly unknown[]): T =>
    new (make as unknown as new (...args: unknown[]) => T)(...args, backend);
  const logError = (error: Error) => log.warn({ err: error }, queueWords(error));
  return {
    open(name, onEnd) {
      const queue = withBackend(Queue, name, options) as Queue;
      queue.on('error', logError);
      const events = onEnd && (withBackend(QueueEvents, name, options) as QueueEvents);
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
        async remove(id) {
          await queue.remove(id).catch(() => {});
        },
        async close() {
          await Promise.all([queue.close(), events?.close()]);
        },
      };
    },
    take(name, concurrency, work) {
      const worker = withBackend(
        Worker,
        name,
        async (job: { readonly id: string; readonly data: QueuedJob['data'] }) =>
          work({ id: job.id, data: job.data }),
        {
          ...options,
          concurrency,
          lockDuration: LOCK_MS,
          stalledInterval: STALLED_MS,
          maxStalledCount: MAX_STALLS,
          runRetryDelay: RECONNECT_MS,
        },
      ) as Worker;
      worker.on('error', logError);
      return { close: () => worker.close() };
    },
  };
}
