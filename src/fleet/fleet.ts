/**
 * A fleet as a server uses it: it sends parts of runs and returns each answer once, whatever happens to the workers.
 *
 * Takes: a store and queues. Gives: answers in any order. The server has the list of missing parts: it adds
 * parts that seem lost to the queue again, and computes them itself while there is no worker, and while the store is away or
 * refuses them. The queue may deliver a part twice, and events may be lost; neither has an effect, since an answer has the
 * name of its part and is read from the store.
 * Must not know: HTTP, what a part computes.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessAborted } from '../core/async.ts';
import { type Clock, settlesWithin } from '../core/clock.ts';
import { RiskError } from '../core/errors.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Part, PartAnswer } from '../engine/parts.ts';
import type { Logger } from '../host/log.ts';
import type { Warn } from '../host/repeated-warnings.ts';
import { type Announcement, packPart, packPlan, unpackAnnouncement, unpackReply } from './fleet-messages.ts';
import { leaseName, partName, partQueue, partsName, planName, replyName, WORKERS } from './names.ts';
import { QueuedParts } from './queued-parts.ts';
import type { JobQueue, Queues } from './queues.ts';
import { CLOSE_MS, type FleetStore } from './store.ts';
import { StoreRefused, storeWarnings } from './store-errors.ts';
import { CHECK_MS, StoreAway, StoreWatch } from './store-watch.ts';
import { WriteTrial } from './write-trial.ts';

export interface FleetOptions {
  readonly store: FleetStore;
  readonly queues: Queues;
  /** `Risk engine version`. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Parts of one run, and the handling of their answers. */
export interface PartsRun {
  /** Its name (names.ts). */
  readonly engine: string;
  readonly plan: SimulationPlan;
  readonly parts: readonly Part[];
  /** The same name for the same parts of the same run, so that another server finds the answers in the store. */
  readonly run: string;
  readonly signal: AbortSignal | undefined;
  /** Called once with each answer. */
  onAnswer(index: number, answer: PartAnswer): void;
  /** Computes a part in this process, while no worker can, or none can be asked. */
  runHere(part: Part): Promise<PartAnswer>;
}

export interface Fleet {
  /** The store that its processes share. */
  readonly store: FleetStore;
  /** The workers that were alive at the last check. */
  readonly workers: readonly Announcement[];
  /** How many of them have the version of this server; undefined while the store does not answer. */
  readonly ownWorkers: number | undefined;
  /** Whether the store has answered within the last seconds. */
  readonly isAnswering: boolean;
  /** Whether it took the last entry that was written (write-trial.ts). */
  readonly takesWrites: boolean;
  /**
   * The result of a call of the store.
   * @throws StoreAway (503) while the store does not answer; the call may take effect when it answers again
   */
  ask<T>(call: () => Promise<T>): Promise<T>;
  /** Threads of the workers with an engine of that name; 0 without any, and while the store does not answer. */
  threadsFor(engine: string): number;
  /**
   * Runs all parts; resolves after the last answer. While the store does not answer, this process computes them.
   *
   * @throws RiskError `engine-unavailable` if the fleet is closed before the end: finished parts stay in the store
   *   for the server that adopts the run
   */
  runParts(run: PartsRun): Promise<void>;
  /** Also ends running runs; a second call has no effect. */
  close(): Promise<void>;
}

/** Workers drop the parts of a run whose server has not renewed its lease for this time. */
const LEASE_SECONDS = 10;
const LEASE_RENEWAL_MS = 2_000;
/** Longest wait for an event. */
const WAIT_MS = 250;
/** After this time without an answer, all missing answers are looked up: events can be lost. */
const LOOK_MS = 1_000;
/** After this time without an answer, missing parts are added to the queue again. */
const PUT_AGAIN_MS = 3_000;
/** Answers up to this size stay in the store until the run ends, for a server that adopts it; larger ones would fill the store. */
const KEPT_BYTES = 2 ** 16;
/** Answers that are read in one call. */
const READ_AT_ONCE = 64;

export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const fleet = new StoreFleet(options);
  await fleet.look();
  return fleet;
}

class StoreFleet implements Fleet {
  readonly store: FleetStore;
  workers: readonly Announcement[] = [];
  private readonly open = new Map<string, JobQueue>();
  /** Resolved by the end of a job. */
  private readonly waking = new Map<string, () => void>();
  private readonly endLooking: () => void;
  private readonly closing = new AbortController();
  private closed: Promise<void> | undefined;
  private looking = false;
  /** Whether the log has the absence of the store. */
  private isAway = false;
  private readonly watch: StoreWatch;
  private readonly trial: WriteTrial;
  private readonly warn: Warn;
  /** Announcements that could not be read at the last check. */
  private unreadable = 0;

  constructor(private readonly options: FleetOptions) {
    this.store = options.store;
    this.watch = new StoreWatch(options.clock);
    this.warn = storeWarnings(options.clock, options.log);
    this.trial = new WriteTrial(options.store, options.log, this.warn);
    this.endLooking = options.clock.every(CHECK_MS, () => {
      this.watch.check();
      if (!this.isAnswering && !this.isAway) {
        this.isAway = true;
        options.log.warn('the store of the fleet is silent for five seconds; this server computes alone');
      }
      void this.look();
    });
  }

  get isAnswering(): boolean {
    return this.watch.isAnswering;
  }

  get takesWrites(): boolean {
    return this.trial.passed;
  }

  ask<T>(call: () => Promise<T>): Promise<T> {
    return this.watch.ask(call);
  }

  threadsFor(engine: string): number {
    if (!this.isAnswering) return 0;
    return this.sameVersion().reduce((sum, { engines }) => sum + (engines[engine] ?? 0), 0);
  }

  get ownWorkers(): number | undefined {
    return this.isAnswering ? this.sameVersion().length : undefined;
  }

  private sameVersion(): readonly Announcement[] {
    return this.workers.filter(({ version }) => version === this.options.version);
  }

  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const { store, log } = this.options;
    try {
      const found = await store.get(await store.list(WORKERS));
      if (this.isAway) log.info('the store of the fleet answers again');
      this.isAway = false;
      this.watch.note();
      const read = found.map(bytes => bytes && unpackAnnouncement(bytes));
      this.workers = read.filter(announcement => announcement !== undefined);
      const unreadable = found.filter((bytes, i) => bytes !== undefined && read[i] === undefined).length;
      if (unreadable > 0 && unreadable !== this.unreadable)
        log.warn(
          { entries: unreadable },
          'announcements of workers cannot be read; those workers get no parts',
        );
      this.unreadable = unreadable;
      await this.trial.run();
    } catch (error) {
      this.warn({ err: error }, 'the list of workers of the fleet could not be read');
    } finally {
      this.looking = false;
    }
  }

  async runParts(run: PartsRun): Promise<void> {
    const { clock, store } = this.options;
    // Calls of a closed queue or store may never settle.
    const closing = this.closing.signal;
    const signal = run.signal === undefined ? closing : AbortSignal.any([run.signal, closing]);
    signal.throwIfAborted();
    const lease = leaseName(run.run);
    const ended = new AbortController();
    const renew = async () => {
      await store.put({ name: lease, bytes: new Uint8Array(1), seconds: LEASE_SECONDS });
      // The run may have ended while this waited for the store.
      if (ended.signal.aborted) await store.forget([lease]);
    };
    const endRenewal = clock.every(LEASE_RENEWAL_MS, () => void this.ask(renew).catch(() => {}));
    const names: string[] = [];
    try {
      await this.collect(run, signal, renew, names);
    } finally {
      ended.abort();
      endRenewal();
      for (const name of names) this.waking.delete(name);
      // The answers of a stopping server stay in the store for the server that adopts the run.
      if (!closing.aborted) {
        const swept = store
          .forget([lease, ...names.flatMap(name => [replyName(name), partName(name)])])
          .catch(() => {});
        // A cancel does not wait. A finished run waits, so that it does not remove the lease of the next run of the same name,
        // unless the store is away: then the next run writes its lease later.
        if (!signal.aborted) await this.ask(() => swept).catch(() => {});
      }
    }
  }

  private queueOf(engine: string): JobQueue {
    const known = this.open.get(engine);
    if (known !== undefined) return known;
    const queue = this.options.queues.open(partQueue(engine, this.options.version), id =>
      this.waking.get(id)?.(),
    );
    this.open.set(engine, queue);
    return queue;
  }

  private async collect(
    run: PartsRun,
    signal: AbortSignal,
    renewLease: () => Promise<void>,
    names: string[],
  ): Promise<void> {
    const { store, clock, log } = this.options;
    const { engine, plan, parts, onAnswer } = run;
    /** Undefined where the store is away, or refuses: this process computes the parts then. */
    const ask = <T>(call: () => Promise<T>): Promise<T | undefined> =>
      unlessAborted(this.ask(call), signal).catch((error: unknown) => {
        if (error instanceof StoreAway || error instanceof StoreRefused) return undefined;
        throw error;
      });
    const bytes = packPlan(plan);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const packed = parts.map(packPart);
    const base = partsName(run.run, [hash, engine, this.options.version], packed);
    const missing = new Map<string, number>();
    const ended = new Set<string>();
    let wake = () => {};
    const noteEnd = (name: string) => () => {
      ended.add(name);
      wake();
    };
    parts.forEach((_, i) => {
      const name = `${base}.${parts[i].kind}.${i}`;
      names.push(name);
      missing.set(name, i);
      this.waking.set(name, noteEnd(name));
    });
    const queued = new QueuedParts({
      store,
      queue: this.queueOf(engine),
      clock,
      warn: this.warn,
      plan: { name: planName(hash), bytes },
      lease: leaseName(run.run),
      renewLease,
    });
    /** Whether the queue has the parts; undefined where the store is away. */
    const put = () =>
      ask(() => queued.put([...missing].map(([name, index]) => [name, packed[index]] as const)));
    const doHere = async (name: string) => {
      const index = missing.get(name);
      if (index === undefined) return;
      const answer = await run.runHere(parts[index]);
      // A worker may have computed it in the meantime.
      if (missing.delete(name)) onAnswer(index, answer);
      queued.remove(name);
    };
    const read = async (some: readonly string[]): Promise<boolean> => {
      let found = false;
      for (let i = 0; i < some.length; i += READ_AT_ONCE) {
        const asked = some.slice(i, i + READ_AT_ONCE);
        const replies = await store.get(asked.map(replyName));
        const large: string[] = [];
        const unreadable: string[] = [];
        for (const [k, name] of asked.entries()) {
          const reply = replies[k];
          const index = missing.get(name);
          if (reply === undefined || index === undefined) continue;
          const unpacked = unpackReply(reply, parts[index].kind);
          if (unpacked === undefined) {
            unreadable.push(name);
            continue;
          }
          if ('failure' in unpacked) throw new RiskError(unpacked.failure.reason, unpacked.failure.message);
          missing.delete(name);
          found = true;
          onAnswer(index, unpacked.answer);
          if (reply.byteLength <= KEPT_BYTES) continue;
          large.push(replyName(name));
          // That of a large book takes some milliseconds.
          await nextTurn();
        }
        await store.forget([...large, ...unreadable.map(replyName)]);
        for (const name of unreadable) {
          log.warn(
            { part: name },
            'the answer to a part cannot be read from the store; this server computes the part',
          );
          await doHere(name);
          found = true;
        }
      }
      return found;
    };
    const doNextHere = async () => {
      const [name] = missing.keys();
      await doHere(name);
      lastAnswer = clock.now();
    };
    // An adopted run has some answers in the store.
    await ask(() => read([...missing.keys()]));
    let lastAnswer = clock.now();
    let lastPut = Number.NEGATIVE_INFINITY;
    let lastLook = clock.now();
    let isQueued: boolean | undefined;
    /** Whether this process computed the last part, since no worker could: it goes on without a pause. */
    let isAlone = false;
    while (missing.size > 0) {
      signal.throwIfAborted();
      if (!this.isAnswering) {
        isQueued = undefined;
        await doNextHere();
        continue;
      }
      const since = isQueued === false ? lastPut : Math.max(lastAnswer, lastPut);
      if (isQueued === undefined || clock.now() - since >= PUT_AGAIN_MS) {
        const isAgain = isQueued !== undefined;
        if (isQueued) await ask(() => this.refuseGivenUp(queued, missing));
        isQueued = await put();
        // Workers that are alive may have lost the queue.
        if (isAgain && isQueued && !(await ask(() => queued.isWorkedOn()))) isQueued = false;
        lastPut = clock.now();
      }
      if (ended.size === 0 && !isAlone) {
        await unlessAborted(
          new Promise<void>(resolve => {
            const cancel = clock.after(WAIT_MS, resolve);
            wake = () => {
              cancel();
              resolve();
            };
          }),
          signal,
        );
      }
      let asked = [...ended].filter(name => missing.has(name));
      ended.clear();
      if (clock.now() - Math.max(lastLook, lastAnswer) >= LOOK_MS) {
        lastLook = clock.now();
        asked = [...missing.keys()];
      }
      const found = await ask(() => read(asked));
      if (found) lastAnswer = clock.now();
      isAlone = !found && this.isAnswering && (isQueued === false || this.threadsFor(engine) === 0);
      if (isAlone) await doNextHere();
    }
  }

  /** A part during which several workers ended would probably end the next one, too. */
  private async refuseGivenUp(queued: QueuedParts, missing: ReadonlyMap<string, number>): Promise<void> {
    const [name] = missing.keys();
    const why = await queued.failure(name);
    if (why === undefined) return;
    this.options.log.error(
      { part: name, why },
      'a part failed on every worker that tried it; its run is answered 500',
    );
    throw new RiskError('engine-failed', 'A part of the work failed on every worker that tried it.');
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private async closeAll(): Promise<void> {
    this.endLooking();
    this.closing.abort(new RiskError('engine-unavailable', 'This server is stopping.'));
    const queues = Promise.all([...this.open.values()].map(queue => queue.close()));
    await settlesWithin(this.options.clock, CLOSE_MS, queues);
    await this.options.store.close();
  }
}
