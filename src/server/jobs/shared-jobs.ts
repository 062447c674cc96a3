/**
 * Jobs of several servers with one store: each of them can show a job, cancel it, and adopt it if its server has ended.
 *
 * Takes: a store. A job is completely in the store before it runs. A server renews a lease on each of its jobs. If a lease expires, another
 * server restarts the job from the question as sent, and the server that lost the lease writes nothing more. Only states, questions
 * and results are shared. While the store is away, callers are refused, and running jobs go on.
 * Must not know: HTTP, what the work is.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, settlesWithin } from '../../core/clock.ts';
import { RiskError } from '../../core/errors.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Change, Entry, FleetStore } from '../../fleet/store.ts';
import { storeWarnings } from '../../fleet/store-errors.ts';
import type { Logger } from '../../host/log.ts';
import type { Warn } from '../../host/repeated-warnings.ts';
import { Adoption } from './adoption.ts';
import { isFinal, Job, type JobReply, type JobView, type JobWork, jobClock } from './job.ts';
import {
  admissionOf,
  cancelName,
  endOf,
  holderName,
  infoName,
  jobsOf,
  LEASE_SECONDS,
  markName,
  marksOf,
  placeName,
  questionName,
  replyName,
  stateOf,
  UNFINISHED_SECONDS,
  unfinishedNames,
} from './job-entries.ts';
import { type JobInfo, packed, readInfo, readInfoOf, readMark, readReply } from './job-records.ts';
import {
  idempotencyKeyUsed,
  type JobResumer,
  type Jobs,
  newJobId,
  type Submission,
  serverStopping,
  tooManyJobs,
} from './jobs.ts';
import { infoOf, type JobSource, SharedJob, waiting } from './shared-job.ts';
import { StateWriter } from './state-writer.ts';

export interface SharedJobsOptions {
  /** Most unfinished jobs of one owner. */
  readonly maxJobs: number;
  readonly store: FleetStore;
  /** Calls of the store for which a caller waits. */
  readonly ask: Fleet['ask'];
  /** How long a finished job is stored. */
  readonly retentionHours: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A job that this server runs. */
interface OwnJob {
  readonly job: Job;
  /** Its entries in the store in addition to its state. */
  readonly known: Pick<JobInfo, 'fingerprint' | 'idempotencyKey' | 'ended'>;
  readonly writer: StateWriter;
}

const RENEW_MS = 1_500;
const CANCELS_MS = 250;
const LENGTHEN_MS = 3_600_000;
/** A job starts without a record of its start if the store has not answered for this time. */
const START_MS = 1_000;
/** A key may name a job that is being removed; then the next attempt succeeds. */
const MAX_TRIES = 3;

/** Jobs that other servers with the same store see. */
export function createSharedJobs(options: SharedJobsOptions): Jobs {
  return new SharedJobs(options);
}

class SharedJobs implements Jobs, JobSource {
  readonly clock: Clock;
  private readonly store: FleetStore;
  private readonly warn: Warn;
  private readonly me = Buffer.from(randomUUID());
  private readonly ownJobs = new Map<string, OwnJob>();
  private readonly timers: (() => void)[] = [];
  /** Calls of timers that have not ended. */
  private readonly rounds = new Set<Promise<void>>();
  private adoption: Adoption | undefined;
  private lengthened: number;
  private closed = false;

  constructor(private readonly options: SharedJobsOptions) {
    this.clock = options.clock;
    this.warn = storeWarnings(options.clock, options.log);
    this.store = options.store;
    this.lengthened = options.clock.now();
    this.every(RENEW_MS, () => this.renew());
    this.every(CANCELS_MS, () => this.applyCancels());
  }

  startAdoption(resumer: JobResumer): void {
    const adoption = new Adoption({
      ...{ store: this.store, clock: this.clock, log: this.options.log, resumer },
      lease: id => this.lease(id),
      runs: id => this.ownJobs.has(id),
      begin: async (info, work) => {
        await this.begin(info, work);
        // Other servers see that its question has been read.
        this.ownJobs.get(info.id)?.writer.note(true);
      },
    });
    this.adoption = adoption;
    this.every(RENEW_MS, () => adoption.look());
  }

  async submit(submission: Submission): Promise<JobView> {
    if (this.closed) throw serverStopping();
    const refused = new AbortController();
    const signals = [refused.signal, ...(submission.signal ? [submission.signal] : [])];
    const admitted = this.options.ask(() => this.admit({ ...submission, signal: AbortSignal.any(signals) }));
    // The store may still accept the job when it answers again.
    admitted.catch(error => refused.abort(error));
    return admitted;
  }

  private async admit(submission: Submission): Promise<JobView> {
    const { owner, operation, fingerprint, idempotencyKey, question, work, signal } = submission;
    if (question === undefined) throw new Error('a shared job must have its question');
    const [id, created] = [newJobId(), Date.now()];
    const info: JobInfo = {
      ...{ id, owner, operation, fingerprint, idempotencyKey, created, seen: created },
      ...{ state: 'queued', share: 0, reading: false, ended: 0 },
    };
    const key = idempotencyKey === undefined ? undefined : markName(owner, idempotencyKey);
    const admission = admissionOf(info, question, this.lease(id), this.options.maxJobs);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const changed = await this.store.change(admission);
      if (changed === 'full') throw tooManyJobs(this.options.maxJobs);
      // The entry may be that of this job: the store's answer was lost, and the client repeated the change.
      if (changed === 'done' || (await this.stored(id)) !== undefined) {
        if (signal?.aborted && key === undefined) {
          // No client has the job's id, or can find it by a key.
          await this.store.forget([infoName(id), ...unfinishedNames(id)]);
          signal.throwIfAborted();
        }
        return this.begin(info, work);
      }
      const first = key === undefined ? undefined : await this.firstOf(key, owner, fingerprint);
      if (first !== undefined) return first;
    }
    throw new RiskError('engine-unavailable', 'The store of the fleet did not accept the job; try again.', {
      retryAfterSeconds: 1,
    });
  }

  async find(owner: string, id: string): Promise<JobView | undefined> {
    const own = this.ownJobs.get(id);
    const here = own && this.runningHere(id) && infoOf(own.job, own.known);
    const info = here ?? (await this.options.ask(() => this.look(id)));
    if (info?.owner !== owner) return undefined;
    return new SharedJob(this, info);
  }

  async list(owner: string): Promise<readonly JobView[]> {
    const read = async () => this.store.get(await this.store.list(jobsOf(owner)));
    const found = await this.options.ask(read);
    const infos = found.flatMap(bytes => readInfo(bytes) ?? []).filter(info => info.owner === owner);
    return infos.sort((a, b) => b.created - a.created).map(info => new SharedJob(this, info));
  }

  async remove({ info: { id } }: JobView): Promise<void> {
    const own = this.ownJobs.get(id);
    if (own !== undefined) {
      const wasFinished = own.job.isFinished;
      own.job.cancel();
      // Its end is in the store, or another server has the job.
      await this.options.ask(() => own.writer.ended);
      if (!wasFinished) return;
    }
    await this.options.ask(() => this.removeStored(id));
  }

  private async removeStored(id: string): Promise<void> {
    const info = await this.stored(id);
    if (info === undefined) return;
    if (isFinal(info.state)) await this.forget(info);
    else
      await this.store.put({ name: cancelName(id), bytes: new Uint8Array(1), seconds: UNFINISHED_SECONDS });
  }

  /**
   * Writes the jobs back as waiting, so that other servers adopt them at once. Waits for a store that does not answer until the
   * leases have expired at most; other servers adopt the jobs then.
   */
  async close(longestMs: number): Promise<void> {
    this.closed = true;
    for (const end of this.timers) end();
    this.adoption?.close();
    const all = [...this.ownJobs.values()];
    this.ownJobs.clear();
    const returned = all.map(async ({ job, known, writer }) => {
      const info = infoOf(job, known);
      const lease = this.lease(info.id);
      const end = job.isFinished ? this.endOf(job, info) : undefined;
      writer.end();
      job.cancel();
      await writer.settled;
      await this.store.change((await end) ?? { ...stateOf(waiting(info), lease), forget: [lease.name] });
    });
    const written = Promise.allSettled([...returned, ...this.rounds]);
    const inTime = await settlesWithin(this.clock, Math.min(longestMs, 1000 * LEASE_SECONDS), written);
    if (!inTime && all.length > 0)
      this.options.log.warn(
        { jobs: all.length },
        'the store does not answer while this server stops; other servers adopt its jobs when their leases have expired',
      );
  }

  /** Excludes a job that has ended: its end counts once it is in the store. */
  runningHere(id: string): Job | undefined {
    const job = this.ownJobs.get(id)?.job;
    return job?.isFinished === false ? job : undefined;
  }

  /** A job as clients see it: one with a request to cancel is cancelled, even before its server reads the request. */
  async look(id: string): Promise<JobInfo | undefined> {
    const [bytes, cancelled] = await this.store.get([infoName(id), cancelName(id)]);
    const info = readInfoOf(id, bytes);
    return info === undefined || cancelled === undefined || isFinal(info.state)
      ? info
      : { ...info, state: 'cancelled', finished: info.finished ?? info.seen };
  }

  replyOf(id: string): Promise<JobReply | undefined> {
    return this.options.ask(async () => readReply((await this.store.get([replyName(id)]))[0]));
  }

  /** The job belongs to this server while this entry is in the store. */
  private lease(id: string): Entry {
    return { name: holderName(id), bytes: this.me, seconds: LEASE_SECONDS };
  }

  private async stored(id: string): Promise<JobInfo | undefined> {
    const [bytes] = await this.store.get([infoName(id)]);
    return readInfoOf(id, bytes);
  }

  /** Seconds for which a finished job is stored. */
  private get kept(): number {
    return this.options.retentionHours * 3600;
  }

  /** Runs `work` periodically, one at a time. */
  private every(milliseconds: number, work: () => Promise<void>): void {
    let running = false;
    this.timers.push(
      this.clock.every(milliseconds, () => {
        if (running || this.closed) return;
        running = true;
        const round = work()
          .catch(error =>
            this.warn({ err: error }, 'leases, cancels or adoptions of shared jobs failed; they are retried'),
          )
          .finally(() => {
            running = false;
            this.rounds.delete(round);
          });
        this.rounds.add(round);
      }),
    );
  }

  /**
   * The job of an idempotency key; undefined if the job was removed, and then the key is removed, too.
   * @throws RiskError `invalid-request`: the key was used for another question
   */
  private async firstOf(key: string, owner: string, fingerprint: string): Promise<JobView | undefined> {
    const [bytes] = await this.store.get([key]);
    if (bytes === undefined) return undefined;
    const known = readMark(bytes);
    const view = known && (await this.find(owner, known.id));
    if (view === undefined) {
      // Unless another server has started a job with it in the meantime.
      await this.store.change({ held: { name: key, bytes, seconds: 1 }, forget: [key] });
      return undefined;
    }
    if (known?.fingerprint !== fingerprint) throw idempotencyKeyUsed();
    return view;
  }

  /** Starts a job in the store, with the lease of this server. */
  private async begin(info: JobInfo, work: JobWork): Promise<JobView> {
    const { id, owner, operation, created, fingerprint, idempotencyKey, ended } = info;
    const view = new SharedJob(this, info);
    if (this.closed) {
      await this.store.forget([holderName(id)]);
      return view;
    }
    // The clock of the server that created it may be ahead.
    const time = jobClock(Math.max(created, Date.now()));
    const job = new Job({ id, owner, operation, created, clock: time }, (signal, report) =>
      work(signal, {
        ...report,
        started: async () => {
          await report.started();
          // The store has it as running before it runs, so that an end of this server counts as an attempt.
          await own.writer.tried(START_MS);
        },
      }),
    );
    const { clock } = this.options;
    const write = () => this.write(own);
    const warn: Warn = (details, meaning) => this.warn({ job: id, ...details }, meaning);
    const own: OwnJob = {
      job,
      known: { fingerprint, idempotencyKey, ended },
      writer: new StateWriter({ write, clock, warn }),
    };
    this.ownJobs.set(id, own);
    job.onChange(() => own.writer.note(job.isFinished));
    return view;
  }

  private async write(own: OwnJob): Promise<void> {
    const { job, known } = own;
    const { isFinished } = job;
    const info = infoOf(job, known);
    const { id } = info;
    const change = isFinished ? await this.endOf(job, info) : stateOf(info, this.lease(id));
    if ((await this.store.change(change)) === 'lost') {
      this.lose(id);
    } else if (isFinished) {
      if (this.ownJobs.get(id) === own) this.ownJobs.delete(id);
      own.writer.end();
    }
  }

  private async endOf({ answer }: Job, info: JobInfo): Promise<Change> {
    const reply = answer && packed(answer);
    return endOf(info, reply, this.lease(info.id), this.kept);
  }

  /** Aborts the work on a job that another server has adopted: only its writes count. */
  private lose(id: string): void {
    const own = this.ownJobs.get(id);
    if (own === undefined && this.adoption?.lose(id) !== true) return;
    this.ownJobs.delete(id);
    own?.writer.end();
    own?.job.cancel();
    this.options.log.warn(
      { job: id },
      'another server has adopted a job whose lease this one could not renew in time; this server ends its work on it',
    );
  }

  private async forget(info: JobInfo): Promise<void> {
    // The lease stays: a server that stood still must not take the job again.
    const names = [infoName(info.id), replyName(info.id)];
    const [mark] = marksOf(info, 1);
    // Not the entry of another job with the same idempotency key.
    const both = mark && (await this.store.change({ held: mark, forget: [...names, mark.name] }));
    if (both !== 'done') await this.store.forget(names);
  }

  private async renew(): Promise<void> {
    const ids = [...this.ownJobs.keys(), ...(this.adoption?.reading ?? [])];
    const lengthens = this.clock.now() - this.lengthened >= LENGTHEN_MS;
    const renewed = await Promise.allSettled(
      ids.map(async id => {
        if ((await this.store.change({ held: this.lease(id) })) === 'lost') this.lose(id);
        else if (lengthens) await this.lengthen(id);
      }),
    );
    const failure = renewed.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure !== undefined) throw failure.reason;
    if (lengthens) this.lengthened = this.clock.now();
  }

  /** A job may wait for longer than unfinished jobs stay in the store. */
  private async lengthen(id: string): Promise<void> {
    const own = this.ownJobs.get(id);
    if (own === undefined || own.job.isFinished) return;
    const marks = marksOf(infoOf(own.job, own.known), UNFINISHED_SECONDS);
    for (const name of [infoName(id), questionName(id), placeName(id), ...marks.map(mark => mark.name)])
      await this.store.touch(name, UNFINISHED_SECONDS);
  }

  private async applyCancels(): Promise<void> {
    const ids = [...this.ownJobs.keys()];
    const found = await this.store.get(ids.map(cancelName));
    ids.forEach((id, i) => {
      if (found[i] !== undefined) this.ownJobs.get(id)?.job.cancel();
    });
  }
}
