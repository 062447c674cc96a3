/**
 * Jobs of several servers with one store: any of them shows a job, cancels it, and takes it up where its server has ended.
 *
 * Takes: the jobs of this process, and a store. A server holds each of its jobs by a lease that it renews; a job whose lease
 * has gone is begun again by another, from the question as it was sent. Only states, questions and results are shared: who
 * asks waits for the store when that is away. Must not know: HTTP, what the work is.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { FleetStore } from '../fleet/store.ts';
import type { Logger } from '../log.ts';
import { isFinal, type Job, type JobReply, type JobState, type JobWork } from './job.ts';
import { type JobQuestion, packed, unpacked } from './job-question.ts';
import type { JobStore, Jobs, JobView, Submission } from './job-store.ts';

export interface SharedJobsOptions {
  /** The jobs of this process. */
  readonly local: JobStore;
  readonly store: FleetStore;
  /** How long a finished job is kept. */
  readonly retentionHours: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a server writes down of a job. */
interface Info {
  readonly id: string;
  readonly owner: string;
  readonly operation: string;
  readonly fingerprint: string;
  readonly created: number;
  readonly state: JobState;
  readonly share: number;
  readonly started: number | undefined;
  readonly finished: number | undefined;
  /** Milliseconds since 1970, when it was written down. */
  readonly seen: number;
}

/** Makes the work of a job again from its question. */
export type Resume = (question: JobQuestion) => Promise<JobWork>;

const HELD_SECONDS = 6;
const RENEW_MS = 1_500;
const CANCELS_MS = 250;
const WRITE_MS = 500;
/** Unfinished jobs are forgotten when no server has taken them up for so long. */
const UNFINISHED_SECONDS = 7 * 86_400;
const LIST = 'jobs';
const infoName = (id: string) => `job:${id}`;
const questionName = (id: string) => `job-question:${id}`;
const replyName = (id: string) => `job-reply:${id}`;
const holderName = (id: string) => `job-holder:${id}`;
const cancelName = (id: string) => `job-cancel:${id}`;
const idempotencyName = (owner: string, key: string) => `job-key:${owner}:${key}`;

/** Jobs that other servers with the same store see. */
export function createSharedJobs(options: SharedJobsOptions): Jobs {
  return new SharedJobs(options);
}

class SharedJobs implements Jobs {
  private readonly options: SharedJobsOptions;
  private readonly me = randomUUID();
  /** Jobs that this server holds. */
  private readonly held = new Map<
    string,
    { readonly job: Job; readonly fingerprint: string; readonly stop: () => void }
  >();
  private readonly timers: (() => void)[] = [];
  private closed = false;

  constructor(options: SharedJobsOptions) {
    this.options = options;
    this.every(RENEW_MS, () => this.renew());
    this.every(CANCELS_MS, () => this.obeyCancels());
  }

  takeUp(resume: Resume): void {
    this.every(RENEW_MS, () => this.adopt(resume));
  }

  async submit(submission: Submission): Promise<JobView> {
    const { store, local } = this.options;
    const { owner, idempotencyKey, fingerprint, question } = submission;
    const key = idempotencyKey === undefined ? undefined : idempotencyName(owner, idempotencyKey);
    if (key !== undefined) {
      const [first] = await store.get([key]);
      if (first !== undefined) {
        const known = unpacked(first) as { readonly id: string; readonly fingerprint: string };
        const view = await this.find(owner, known.id);
        if (view !== undefined) {
          if (known.fingerprint !== fingerprint) local.refuseKey();
          return view;
        }
      }
    }
    local.refuseAbove(
      (await this.infos()).filter(info => info.owner === owner && !isFinal(info.state)).length,
    );
    const job = local.submit({ ...submission, idempotencyKey: undefined });
    if (question !== undefined) await store.put(questionName(job.id), packed(question), UNFINISHED_SECONDS);
    if (key !== undefined) await store.put(key, packed({ id: job.id, fingerprint }), this.keptSeconds);
    await this.hold(job, fingerprint);
    return job;
  }

  async find(owner: string, id: string): Promise<JobView | undefined> {
    const own = this.options.local.find(owner, id);
    if (own !== undefined) return own;
    const info = await this.info(id);
    return info?.owner === owner
      ? new RemoteJob(info, () => this.info(id), await this.reply(info), this)
      : undefined;
  }

  async list(owner: string): Promise<readonly JobView[]> {
    const own = new Map(this.options.local.list(owner).map(job => [job.id, job]));
    const others = (await this.infos()).filter(info => info.owner === owner && !own.has(info.id));
    const all: JobView[] = [
      ...own.values(),
      ...others.map(info => new RemoteJob(info, () => this.info(info.id), isAnswered(info), this)),
    ];
    return all.sort((a, b) => b.created - a.created);
  }

  async remove({ id, owner, isFinished }: JobView): Promise<void> {
    const { local, store } = this.options;
    const own = local.find(owner, id);
    if (own !== undefined) local.remove(own);
    if (isFinished) {
      await store.forget([infoName(id), questionName(id), replyName(id)]);
    } else if (own === undefined) {
      await store.put(cancelName(id), new Uint8Array(1), UNFINISHED_SECONDS);
    }
  }

  /** Others take up what is not finished. */
  close(): Promise<void> {
    this.closed = true;
    for (const end of this.timers) end();
    const ids = [...this.held.keys()];
    for (const { stop } of this.held.values()) stop();
    this.held.clear();
    this.options.local.close();
    return this.options.store.forget(ids.map(holderName)).catch(() => {});
  }

  get clock(): Clock {
    return this.options.clock;
  }

  private get keptSeconds(): number {
    return this.options.retentionHours * 3600;
  }

  /** Runs `work` again and again, one at a time. */
  private every(milliseconds: number, work: () => Promise<void>): void {
    const { clock, log } = this.options;
    let running = false;
    this.timers.push(
      clock.every(milliseconds, () => {
        if (running || this.closed) return;
        running = true;
        work()
          .catch(error => log.warn({ err: error }, 'shared jobs could not be looked after'))
          .finally(() => {
            running = false;
          });
      }),
    );
  }

  private async hold(job: Job, fingerprint: string): Promise<void> {
    const { store } = this.options;
    await store.put(holderName(job.id), Buffer.from(this.me), HELD_SECONDS);
    let writing = Promise.resolve();
    let due = false;
    const write = () => {
      // What it is by then is written, however many changes there were.
      if (due) return;
      due = true;
      const pause = job.isFinished ? Promise.resolve() : this.pause(WRITE_MS);
      writing = Promise.all([writing, pause]).then(async () => {
        due = false;
        if (this.held.has(job.id)) await this.write(job, fingerprint);
      });
      writing.catch(() => {});
    };
    const stop = job.onChange(() => {
      if (job.isFinished) due = false;
      write();
    });
    this.held.set(job.id, { job, fingerprint, stop });
    await this.write(job, fingerprint);
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => this.options.clock.after(milliseconds, resolve));
  }

  private async write(job: Job, fingerprint: string): Promise<void> {
    const { store } = this.options;
    const { id, owner, operation, created, state, share, started, finished } = job;
    const info: Info = {
      id,
      owner,
      operation,
      fingerprint,
      created,
      state,
      share,
      started,
      finished,
      seen: Date.now(),
    };
    // The reply is there before a state says so.
    if (job.reply !== undefined) await store.put(replyName(id), packed(job.reply), this.keptSeconds);
    await store.putListed(
      LIST,
      infoName(id),
      packed(info),
      job.isFinished ? this.keptSeconds : UNFINISHED_SECONDS,
    );
    if (!job.isFinished) return;
    this.held.get(id)?.stop();
    this.held.delete(id);
    await store.forget([holderName(id), questionName(id), cancelName(id)]);
  }

  private async renew(): Promise<void> {
    for (const id of this.held.keys())
      await this.options.store.put(holderName(id), Buffer.from(this.me), HELD_SECONDS);
  }

  private async obeyCancels(): Promise<void> {
    const ids = [...this.held.keys()];
    const found = await this.options.store.get(ids.map(cancelName));
    ids.forEach((id, i) => {
      if (found[i] !== undefined) this.held.get(id)?.job.cancel();
    });
  }

  private async adopt(resume: Resume): Promise<void> {
    const { store, local, log } = this.options;
    for (const info of await this.infos()) {
      const { id, owner, operation, created, fingerprint } = info;
      if (isFinal(info.state) || this.held.has(id) || this.closed) continue;
      if (!(await store.putNew(holderName(id), Buffer.from(this.me), HELD_SECONDS))) continue;
      // It may have ended between both looks.
      const [now, question] = await Promise.all([this.info(id), store.get([questionName(id)])]);
      if (now === undefined || isFinal(now.state) || question[0] === undefined) continue;
      log.info({ job: id, operation }, 'a job is taken up: its server has ended');
      const work = await resume(unpacked(question[0]) as JobQuestion);
      const job = local.submit({
        owner,
        operation,
        fingerprint,
        idempotencyKey: undefined,
        work,
        id,
        created,
      });
      await this.hold(job, fingerprint);
    }
  }

  private async infos(): Promise<Info[]> {
    const { store } = this.options;
    const found = await store.get(await store.list(LIST));
    return found.flatMap(bytes => (bytes === undefined ? [] : [unpacked(bytes) as Info]));
  }

  private async info(id: string): Promise<Info | undefined> {
    const [bytes, cancelled] = await this.options.store.get([infoName(id), cancelName(id)]);
    if (bytes === undefined) return undefined;
    const info = unpacked(bytes) as Info;
    // It ends as soon as its server looks.
    return cancelled === undefined || isFinal(info.state)
      ? info
      : { ...info, state: 'cancelled', finished: info.finished ?? info.seen };
  }

  private async reply(info: Info): Promise<JobReply | undefined> {
    if (info.state !== 'done' && info.state !== 'failed') return undefined;
    const [bytes] = await this.options.store.get([replyName(info.id)]);
    return bytes === undefined ? undefined : (unpacked(bytes) as JobReply);
  }
}

/** In a list a result is named, not shown. */
const isAnswered = ({ state }: Info): JobReply | undefined =>
  state === 'done' || state === 'failed' ? { status: 200, headers: {}, body: '' } : undefined;

/** A job of another server, as it was when it was looked at; it looks again as long as it has a listener. */
class RemoteJob implements JobView {
  private info: Info;
  private readonly look: () => Promise<Info | undefined>;
  readonly reply: JobReply | undefined;
  private readonly clock: Clock;

  constructor(
    info: Info,
    look: () => Promise<Info | undefined>,
    reply: JobReply | undefined,
    { clock }: { readonly clock: Clock },
  ) {
    this.info = info;
    this.look = look;
    this.reply = reply;
    this.clock = clock;
  }

  get id() {
    return this.info.id;
  }
  get owner() {
    return this.info.owner;
  }
  get operation() {
    return this.info.operation;
  }
  get created() {
    return this.info.created;
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

  onChange(listener: () => void): () => void {
    let looking = false;
    return this.clock.every(WRITE_MS, () => {
      if (looking) return;
      looking = true;
      this.look()
        .then(info => {
          // One that has been forgotten has ended.
          this.info = info ?? { ...this.info, state: 'cancelled' };
          listener();
        })
        .catch(() => {})
        .finally(() => {
          looking = false;
        });
    });
  }
}
