/**
 * Adopts jobs whose servers have ended: restarts them from their questions as sent.
 *
 * One question is read at a time; the lease of its job is renewed meanwhile (`reading`). A server that ended counts as an
 * attempt if it was reading the question or running the job, but not if the job was waiting. Every question was accepted by the
 * server that it was sent to. One that this server refuses, or cannot read, is left to the others for a time: they may have
 * another version or configuration.
 * Must not know: HTTP, what the work is, how a job runs.
 */
import type { Clock } from '../../core/clock.ts';
import type { Entry, FleetStore } from '../../fleet/store.ts';
import type { Logger } from '../../host/log.ts';
import { isFinal, type JobWork } from './job.ts';
import {
  cancelName,
  holderName,
  infoName,
  QUESTION_PREFIX,
  QUESTIONS,
  questionName,
  stateOf,
  unfinishedNames,
} from './job-entries.ts';
import { type JobInfo, type JobQuestion, readInfoOf, readQuestion } from './job-records.ts';
import type { JobResumer } from './jobs.ts';
import { waiting } from './shared-job.ts';

export interface AdoptionOptions {
  readonly store: FleetStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly resumer: JobResumer;
  /** The lease: while it is in the store, the job belongs to this server. */
  readonly lease: (id: string) => Entry;
  /** Whether this server runs the job. */
  readonly runs: (id: string) => boolean;
  /** Starts a job whose lease this server has. */
  readonly begin: (info: JobInfo, work: JobWork) => Promise<void>;
}

/** A job during which this many servers ended is not restarted: it would probably end the next one, too. */
const MAX_ENDED = 10;
/** How long a job is left to other servers, and how often this one tries again meanwhile. */
const LEFT_MS = 600_000;
const LEFT_LOOK_MS = 60_000;
const TOO_MANY_ENDED = `${MAX_ENDED} servers ended while they read or ran the job; it is not begun again.`;

export class Adoption {
  private readonly readings = new Map<string, AbortController>();
  /** Jobs that are left to other servers: since when, and when this server tries again. */
  private readonly left = new Map<string, { readonly since: number; readonly next: number }>();
  private closed = false;

  constructor(private readonly options: AdoptionOptions) {}

  /** The jobs whose questions are being read. */
  get reading(): Iterable<string> {
    return this.readings.keys();
  }

  /** Aborts the reading of a question whose job another server has. @returns whether it was being read */
  lose(id: string): boolean {
    const reading = this.readings.get(id);
    reading?.abort(new Error('Another server has the job.'));
    return this.readings.delete(id);
  }

  /** Aborts the reading of questions; their jobs wait for another server. */
  close(): void {
    this.closed = true;
    for (const reading of this.readings.values()) reading.abort(new Error('The server is stopping.'));
  }

  /** Adopts the jobs that have no server. */
  async look(): Promise<void> {
    const { store, clock, lease, runs } = this.options;
    const ids = (await store.list(QUESTIONS)).map(name => name.slice(QUESTION_PREFIX.length));
    const holders = await store.get(ids.map(holderName));
    for (const id of this.left.keys()) if (!ids.includes(id)) this.left.delete(id);
    for (const [i, id] of ids.entries()) {
      if (holders[i] !== undefined || runs(id) || this.closed) continue;
      const { next = 0 } = this.left.get(id) ?? {};
      if (clock.now() < next) continue;
      if ((await store.change({ held: lease(id) })) === 'done') await this.adopt(id);
    }
  }

  /** Restarts a job whose lease this server has. */
  private async adopt(id: string): Promise<void> {
    const { store, log, lease, begin } = this.options;
    const [bytes, asked, cancelled] = await store.get([infoName(id), questionName(id), cancelName(id)]);
    const info = readInfoOf(id, bytes);
    if (bytes !== undefined && info === undefined) {
      // Without its owner it cannot fail; it expires.
      this.leave(id, { reason: 'its record in the store of the fleet cannot be read' });
      await store.change({ held: lease(id), forget: [holderName(id)] });
      return;
    }
    if (info === undefined || isFinal(info.state)) {
      // It has ended since it was listed, or its owner is unknown.
      if (info === undefined && asked !== undefined)
        log.error({ job: id }, 'the store has lost the record of a job; its question is removed');
      await store.forget(unfinishedNames(id));
      return;
    }
    const inHand = info.reading || info.state === 'running';
    const known = { ...waiting(info), ended: info.ended + (inHand ? 1 : 0) };
    const question = readQuestion(asked);
    if (cancelled !== undefined) await begin(known, cancelledWork);
    else if (asked === undefined) await begin(known, this.failing(known, QUESTION_GONE));
    else if (known.ended >= MAX_ENDED) await begin(known, this.failing(known, TOO_MANY_ENDED));
    else if (question !== undefined) await this.read(known, question);
    else if (this.leave(id, { reason: QUESTION_UNREADABLE })) await this.giveBack(known);
    else await begin(known, this.failing(known, QUESTION_UNREADABLE));
  }

  private async read(info: JobInfo, question: JobQuestion): Promise<void> {
    const { store, log, lease, begin, resumer } = this.options;
    const { id, operation, ended } = info;
    const reading = new AbortController();
    this.readings.set(id, reading);
    try {
      const marked = await store.change(stateOf({ ...info, reading: true }, lease(id)));
      if (marked === 'lost') return;
      log.info({ job: id, operation, ended }, 'this server adopts a job whose server has ended');
      const resumed = await resumer.resume(question, reading.signal);
      const work = 'refusal' in resumed ? resumed.work : resumed;
      if (this.closed) await this.giveBack(info);
      else if (reading.signal.aborted) return;
      else if ('refusal' in resumed && this.leave(id, resumed.refusal)) await this.giveBack(info);
      else await begin(info, work);
    } finally {
      this.readings.delete(id);
    }
  }

  /** Writes a job back as waiting, without this server. */
  private async giveBack(info: JobInfo): Promise<void> {
    const { store, lease } = this.options;
    await store.change({ ...stateOf(info, lease(info.id)), forget: [holderName(info.id)] });
  }

  /** @param why facts for the log @returns whether the job is left to other servers; false after the time for that */
  private leave(job: string, why: Readonly<Record<string, unknown>>): boolean {
    const { clock, log } = this.options;
    const now = clock.now();
    const { since = now } = this.left.get(job) ?? {};
    if (!this.left.has(job))
      log.warn(
        { job, ...why },
        'this server refuses a job that another one accepted; it is left to other servers for ten minutes',
      );
    this.left.set(job, { since, next: now + LEFT_LOOK_MS });
    return now - since < LEFT_MS;
  }

  /** The work of a job that is not restarted. */
  private failing({ id, operation }: JobInfo, why: string): JobWork {
    return this.options.resumer.fail(id, operation, why);
  }
}

const QUESTION_GONE =
  'The server of this job has ended, and its question is no longer in the store of the fleet.';
const QUESTION_UNREADABLE =
  'The server of this job has ended, and its question in the store of the fleet cannot be read.';
const cancelledWork: JobWork = () => Promise.reject(new Error('The job was cancelled.'));
