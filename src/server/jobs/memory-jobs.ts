/** Jobs in the memory of one process, lost when it ends. Must not know: HTTP, what the work is. */
import { Job, jobClock } from './job.ts';
import { idempotencyKeyUsed, type Jobs, newJobId, serverStopping, tooManyJobs } from './jobs.ts';

export interface MemoryJobsOptions {
  /** Most unfinished jobs of one owner. */
  readonly maxJobs: number;
  /** How long a finished job is stored. */
  readonly retentionHours: number;
  /** Largest total bytes of results; the oldest are removed first. 256 MiB by default. */
  readonly maxResultBytes?: number;
  /** Largest number of finished jobs, however small their results; 10,000 by default. */
  readonly maxFinished?: number;
  /** Milliseconds since 1970, for the moment at which a job was created; tests replace it. */
  readonly clock?: () => number;
  /** Milliseconds that no change of the system clock moves, for the retention and for what passes during a job; tests replace it. */
  readonly elapsed?: () => number;
}

const MS_PER_HOUR = 3_600_000;
const DEFAULT_RESULT_BYTES = 2 ** 28;
const DEFAULT_FINISHED = 10_000;

interface StoredJob {
  readonly job: Job;
  readonly owner: string;
  readonly fingerprint: string;
  readonly idempotencyName: string | undefined;
}

export function createMemoryJobs(options: MemoryJobsOptions): Jobs {
  const { maxJobs, retentionHours, clock = Date.now, elapsed = () => performance.now() } = options;
  const { maxResultBytes = DEFAULT_RESULT_BYTES, maxFinished = DEFAULT_FINISHED } = options;
  const kept = new Map<string, StoredJob>();
  const byIdempotencyName = new Map<string, StoredJob>();
  /** Ids of finished jobs in the order in which they finished, and when. */
  const finished = new Map<string, number>();
  let resultBytes = 0;
  let closed = false;

  const bytesOf = (job: Job) => job.answer?.body.length ?? 0;

  function remove(id: string): void {
    const entry = kept.get(id);
    if (entry === undefined) return;
    kept.delete(id);
    if (entry.idempotencyName !== undefined) byIdempotencyName.delete(entry.idempotencyName);
    if (finished.delete(id)) resultBytes -= bytesOf(entry.job);
  }

  function removeOld(): void {
    const oldest = elapsed() - retentionHours * MS_PER_HOUR;
    for (const [id, at] of finished) {
      const isOld = at < oldest;
      if (!isOld && resultBytes <= maxResultBytes && finished.size <= maxFinished) return;
      remove(id);
    }
  }

  const ofOwner = (owner: string) => [...kept.values()].filter(entry => entry.owner === owner);

  return {
    async submit({ owner, operation, fingerprint, idempotencyKey, work }) {
      removeOld();
      const idempotencyName = idempotencyKey === undefined ? undefined : `${owner} ${idempotencyKey}`;
      const first = idempotencyName === undefined ? undefined : byIdempotencyName.get(idempotencyName);
      if (first !== undefined) {
        if (first.fingerprint === fingerprint) return first.job;
        throw idempotencyKeyUsed();
      }
      if (closed) throw serverStopping();
      if (ofOwner(owner).filter(({ job }) => !job.isFinished).length >= maxJobs) throw tooManyJobs(maxJobs);
      const id = newJobId();
      const job = new Job({ id, owner, operation, clock: jobClock(clock(), elapsed) }, work);
      const entry = { job, owner, fingerprint, idempotencyName };
      kept.set(id, entry);
      if (idempotencyName !== undefined) byIdempotencyName.set(idempotencyName, entry);
      job.onChange(() => {
        if (!job.isFinished) return;
        finished.set(id, elapsed());
        resultBytes += bytesOf(job);
        removeOld();
      });
      return job;
    },
    async find(owner, id) {
      removeOld();
      const entry = kept.get(id);
      return entry?.owner === owner ? entry.job : undefined;
    },
    async list(owner) {
      removeOld();
      return ofOwner(owner)
        .map(({ job }) => job)
        .reverse();
    },
    async remove({ info: { id } }) {
      const job = kept.get(id)?.job;
      if (job?.isFinished === true) remove(id);
      else job?.cancel();
    },
    async close() {
      closed = true;
      for (const { job } of [...kept.values()]) job.cancel();
    },
  };
}
