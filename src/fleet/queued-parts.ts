/**
 * The missing parts of one run in the queue of a fleet. A queue that does not answer in time counts as one that refuses: the server
 * computes the parts, and tries again later.
 *
 * Must not know: what a part computes, which answers are there.
 */
import { type Clock, settlesWithin } from '../core/clock.ts';
import type { Warn } from '../host/repeated-warnings.ts';
import { partName } from './names.ts';
import type { JobQueue, QueuedJob } from './queues.ts';
import type { Entry, FleetStore } from './store.ts';

export interface QueuedPartsOptions {
  readonly store: FleetStore;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly warn: Warn;
  /** The plan of all parts. */
  readonly plan: Pick<Entry, 'name' | 'bytes'>;
  /** The name of the lease of the run. */
  readonly lease: string;
  readonly renewLease: () => Promise<void>;
}

/** How long plans and parts that nobody fetches are stored. */
const KEPT_SECONDS = 3600;
/** Parts up to this size go through the queue, larger ones through the store. */
const SMALL_BYTES = 512;
const ADD_AT_ONCE = 500;
/** Longest wait for the queue; a store that is away is found sooner. */
const ANSWER_MS = 7_000;

export class QueuedParts {
  private putting: Promise<boolean> | undefined;
  /** Whether the last wait for the queue was too long; the call may still end. */
  private isLate = false;

  constructor(private readonly options: QueuedPartsOptions) {}

  /**
   * Adds parts to the queue; one that is there stays as it is.
   * @param missing their names and bytes
   * @returns whether the queue has them; also false while an earlier call waits for too long
   */
  async put(missing: Iterable<readonly [name: string, bytes: Uint8Array]>): Promise<boolean> {
    const { warn } = this.options;
    if (this.putting !== undefined && this.isLate) return false;
    this.isLate = false;
    this.putting ??= this.putAll([...missing])
      .then(
        () => true,
        error => {
          warn({ err: error }, 'parts could not be added to the queue');
          return false;
        },
      )
      .finally(() => {
        this.putting = undefined;
      });
    const added = await this.inTime(this.putting);
    if (added !== undefined) return added;
    this.isLate = true;
    const err = new Error(`the queue has not answered for ${ANSWER_MS / 1000} seconds`);
    warn({ err }, 'parts could not be added to the queue');
    return false;
  }

  /** Whether a worker computes a part of the queue; otherwise workers that are alive do not take parts. */
  async isWorkedOn(): Promise<boolean> {
    return (await this.inTime(this.options.queue.isWorkedOn().catch(() => true))) ?? false;
  }

  /** Why a part failed for good; undefined where it did not, and where the queue does not say. */
  failure(name: string): Promise<string | undefined> {
    return this.inTime(this.options.queue.failure(name).catch(() => undefined));
  }

  /** Does not wait. */
  remove(name: string): void {
    void this.options.queue.remove(name);
  }

  private async putAll(missing: readonly (readonly [string, Uint8Array])[]): Promise<void> {
    const { store, queue, plan, lease, renewLease } = this.options;
    await renewLease();
    if (!(await store.touch(plan.name, KEPT_SECONDS))) await store.put({ ...plan, seconds: KEPT_SECONDS });
    const jobs: QueuedJob[] = [];
    for (const [id, bytes] of missing) {
      const isSmall = bytes.byteLength <= SMALL_BYTES;
      if (!isSmall) await store.put({ name: partName(id), bytes, seconds: KEPT_SECONDS });
      const inline = isSmall ? { part: Buffer.from(bytes).toString('base64') } : {};
      jobs.push({ id, data: { plan: plan.name, lease, ...inline } });
    }
    for (let i = 0; i < jobs.length; i += ADD_AT_ONCE) await queue.add(jobs.slice(i, i + ADD_AT_ONCE));
  }

  private async inTime<T>(asked: Promise<T>): Promise<T | undefined> {
    return (await settlesWithin(this.options.clock, ANSWER_MS, asked)) ? asked : undefined;
  }
}
