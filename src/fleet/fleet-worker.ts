/**
 * A worker of a fleet: takes parts from the queues of its engines, computes them, and writes the answers to the store.
 *
 * The engines compute on threads or in a separate process, so that the event loop can renew the locks of its jobs. A part is
 * dropped when the lease of its run has expired: the run was cancelled, or its server has ended.
 * Must not know: HTTP, market data (a plan contains all data).
 */

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, settlesWithin } from '../core/clock.ts';
import type { EngineKind } from '../core/engine.ts';
import { RiskError } from '../core/errors.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { PartAnswer, PartEngine } from '../engine/parts.ts';
import type { Logger } from '../host/log.ts';
import { ENGINE_RULES } from './engine-rules.ts';
import {
  failureOf,
  packAnnouncement,
  packReply,
  readJobData,
  unpackPart,
  unpackPlan,
} from './fleet-messages.ts';
import { engineName, partName, partQueue, replyName, WORKERS, workerName } from './names.ts';
import { type JobTaker, LOCK_MS, type QueuedJob, type Queues } from './queues.ts';
import { CLOSE_MS, type FleetStore } from './store.ts';
import { StoreRefused, storeWarnings } from './store-errors.ts';

/** Parts of one engine at a time: one is read or written while the other computes. */
const AT_ONCE = 2;
const ANNOUNCED_SECONDS = 4;
const ANNOUNCE_MS = 1_000;
const LEASE_LOOK_MS = 200;
const REPLY_SECONDS = 3600;
/** Size of the cache of plans: parts of one plan come one after another. */
const PLANS = 4;

const DROPPED = Symbol('the run of the part has ended');

export async function startWorker(options: {
  readonly store: FleetStore;
  readonly queues: Queues;
  readonly engines: ReadonlyMap<EngineKind, PartEngine>;
  readonly threads: number;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { store, queues, engines, threads, version, clock, log } = options;
  const id = randomUUID();
  const plans = new PlanCache(store, log);
  const leases = new Leases(store, clock);
  let busy = 0;
  let closing = false;
  const isAvailable = (engine: PartEngine) => engine.available !== false;
  const warn = storeWarnings(clock, log);
  let announced = clock.now();
  const announce = async () => {
    const offered = [...engines]
      .filter(([, engine]) => isAvailable(engine))
      .map(
        ([kind, engine]) => [engineName(kind, engine), ENGINE_RULES[kind].isDevice ? 1 : threads] as const,
      );
    await store.put({
      name: workerName(id),
      bytes: packAnnouncement({ id, host: hostname(), version, engines: Object.fromEntries(offered), busy }),
      seconds: ANNOUNCED_SECONDS,
      list: WORKERS,
    });
    if (clock.now() - announced > ANNOUNCED_SECONDS * 1000) log.info('the store of the fleet answers again');
    announced = clock.now();
  };
  /** Parts that engines compute. */
  const computing = new Set<Promise<PartAnswer>>();
  const computed = (answer: Promise<PartAnswer>) => {
    computing.add(answer);
    return answer.finally(() => computing.delete(answer));
  };
  const work = async (engine: PartEngine, { id: name, data: sent }: QueuedJob) => {
    const data = readJobData(sent);
    if (data === undefined) {
      log.error(
        { part: name },
        'a part in the queue cannot be read; its server adds it again, or computes it',
      );
      return;
    }
    const answerPart = (bytes: Uint8Array) =>
      store.put({ name: replyName(name), bytes, seconds: REPLY_SECONDS });
    busy += 1;
    const watch = leases.watch(data.lease);
    try {
      const inline = data.part === undefined ? undefined : Buffer.from(data.part, 'base64');
      const [lease, done, kept] = await store.get([data.lease, replyName(name), partName(name)]);
      const bytes = inline ?? kept;
      // Nothing is written for a dropped part: a server that needs it adds it again.
      if (lease === undefined || bytes === undefined || done !== undefined) return;
      const plan = await plans.get(data.plan);
      if (plan === undefined) return;
      const part = unpackPart(bytes);
      if (part === undefined)
        throw new RiskError('engine-failed', 'A part of the work cannot be read from the store.');
      const answer = await computed(engine.runPart(plan, part, { signal: watch.signal }));
      await answerPart(packReply({ answer }));
    } catch (error) {
      if (watch.signal.aborted) return;
      log.warn({ err: error, part: name }, 'a part failed');
      // The queue delivers it again; by then the store may accept the answer.
      if (error instanceof StoreRefused) throw error;
      // An unavailable engine may be available again at the next attempt.
      if (error instanceof RiskError && error.reason === 'engine-unavailable') {
        // Before the queue delivers this part, or the next, to the same engine, whose failure may not be detected yet.
        withdraw(engine);
        throw error;
      }
      await answerPart(packReply(failureOf(error)));
    } finally {
      watch.end();
      busy -= 1;
    }
  };
  const takers = new Map<PartEngine, JobTaker>();
  /** Consumers of engines that became unavailable; each ends after its current parts. */
  const ending = new Set<Promise<void>>();
  /** Accepts no more parts for an engine until it is offered again. */
  const withdraw = (engine: PartEngine) => {
    const taker = takers.get(engine);
    if (taker === undefined || closing) return;
    takers.delete(engine);
    const end = taker
      .close()
      .catch(() => {})
      .finally(() => ending.delete(end));
    ending.add(end);
  };
  const offer = () => {
    if (closing) return;
    for (const [kind, engine] of engines) {
      const taker = takers.get(engine);
      if (taker === undefined && isAvailable(engine)) {
        const queue = partQueue(engineName(kind, engine), version);
        takers.set(
          engine,
          queues.take(queue, AT_ONCE, job => work(engine, job)),
        );
      } else if (!isAvailable(engine)) withdraw(engine);
    }
  };
  await announce();
  offer();
  const endAnnouncing = clock.every(ANNOUNCE_MS, () => {
    offer();
    void announce().catch(error => warn({ err: error }, 'this worker cannot be announced; it gets no parts'));
  });
  return {
    id,
    /** Accepts no more parts, and ends after the current ones. */
    async close(): Promise<void> {
      closing = true;
      endAnnouncing();
      await settlesWithin(clock, CLOSE_MS, store.forget([workerName(id)]));
      const closed = Promise.all([...ending, ...[...takers.values()].map(taker => taker.close())]);
      let inTime: boolean;
      do {
        await Promise.allSettled(computing);
        // After this time the queue gives parts whose answers could not be stored to other workers.
        inTime = await settlesWithin(clock, busy === 0 ? CLOSE_MS : LOCK_MS, closed);
      } while (!inTime && computing.size > 0);
      if (!inTime)
        log.warn('the store does not answer while this worker stops; other workers compute its parts');
      leases.close();
      await store.close();
    },
  };
}

/** Cache of the last plans. */
class PlanCache {
  private readonly plans = new Map<string, Promise<SimulationPlan | undefined>>();

  constructor(
    private readonly store: FleetStore,
    private readonly log: Logger,
  ) {}

  async get(name: string): Promise<SimulationPlan | undefined> {
    const found = this.plans.get(name) ?? this.read(name);
    this.plans.delete(name);
    this.plans.set(name, found);
    const [oldest] = this.plans.keys();
    if (this.plans.size > PLANS) this.plans.delete(oldest);
    const plan = await found.catch(error => {
      this.plans.delete(name);
      throw error;
    });
    if (plan === undefined) this.plans.delete(name);
    return plan;
  }

  private async read(name: string): Promise<SimulationPlan | undefined> {
    const [bytes] = await this.store.get([name]);
    if (bytes === undefined) return undefined;
    try {
      return unpackPlan(bytes);
    } catch (error) {
      this.log.error(
        { err: error, plan: name },
        'a plan cannot be read from the store; it is removed, and its server adds it again',
      );
      await this.store.forget([name]);
      return undefined;
    }
  }
}

/** Checks whether runs still have a lease, in one read. */
class Leases {
  private readonly watched = new Map<string, Set<AbortController>>();
  private readonly endLooking: () => void;
  private looking = false;

  constructor(store: FleetStore, clock: Clock) {
    this.endLooking = clock.every(LEASE_LOOK_MS, () => {
      if (this.looking || this.watched.size === 0) return;
      this.looking = true;
      const names = [...this.watched.keys()];
      store
        .get(names)
        .then(
          found =>
            names.forEach((name, i) => {
              if (found[i] === undefined)
                for (const abort of this.watched.get(name) ?? []) abort.abort(DROPPED);
            }),
          // An unavailable store gives no information on the run.
          () => {},
        )
        .finally(() => {
          this.looking = false;
        });
    });
  }

  watch(name: string): { readonly signal: AbortSignal; end(): void } {
    const abort = new AbortController();
    const all = this.watched.get(name) ?? new Set();
    this.watched.set(name, all.add(abort));
    return {
      signal: abort.signal,
      end: () => {
        all.delete(abort);
        if (all.size === 0) this.watched.delete(name);
      },
    };
  }

  close(): void {
    this.endLooking();
  }
}
