/**
 * Faults of a fleet, one after another under load: what ends, freezes or is cut off is picked at random, and every answer is
 * held against that of one process.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { processClock } from '#src/core/clock.js';
import type { Engine, Outcome } from '#src/core/engine.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { type Fleet, openFleet } from '#src/fleet/fleet.js';
import { createSpreader, type SpreadOptions } from '#src/fleet/spread-engine.js';
import { engineVersion } from '#src/host/engine-version.js';
import { createLogger } from '#src/host/log.js';
import { type CutProxy, openProxy } from './cut-proxy.ts';
import { join, startWorkerProcess, type WorkerProcess } from './fleet.ts';
import { fleetPlan } from './fleet-plans.ts';
import { outliveServer, type ServerProcess, startServerProcess } from './fleet-servers.ts';
import { LOAN_RISK, withMember } from './request-bodies.ts';
import { sharedReference } from './threads.ts';

/** What happens to a run whose answer is waited for. */
const STRIKES = [
  'worker-killed',
  'worker-stopped',
  'worker-frozen',
  'worker-cut-off',
  'server-cut-off',
  'server-gone',
  'store-restarted',
  'store-restarted-empty',
] as const;
type Strike = (typeof STRIKES)[number];

/** What can happen. */
export const FAULTS = [...STRIKES, 'server-killed', 'cancelled'] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultReport {
  readonly fault: Fault;
  readonly product: ProductKind;
  /** Whether the answer was that of one process, and a cancelled run ended with its reason. */
  readonly right: boolean;
  /** From the fault to the end of the run; from a cancel to the end of the next run. */
  readonly milliseconds: number;
}

/** The store of a campaign. */
export interface StoreAtFault {
  readonly port: number;
  /** Its address at a port, its own or that of a proxy. */
  urlAt(port: number): string;
  /** @param kept whether what it held is there again */
  restart(kept: boolean): Promise<void>;
}

export interface CampaignOptions {
  readonly store: StoreAtFault;
  readonly name: string;
  readonly faults: readonly Fault[];
  /** From 0 to 1. */
  readonly random: () => number;
  readonly report: (fault: FaultReport) => void;
}

const PRODUCTS: readonly (readonly [ProductKind, number])[] = [
  ['loan', 60_000],
  ['capped-loan', 60_000],
  ['perpetual', 60_000],
  ['origination', 60_000],
  ['book', 6_000],
];
/** Longer than the lock of a part, so that others have done it when its worker wakes up. */
const FROZEN_MS = 15_000;
const SMALL_PARTS: SpreadOptions = { leastWork: 0, partSize: { least: 2 ** 19, most: 2 ** 19 } };
/** Parts of about two seconds of a thread: a cancel that waited for the end of one would be late. There are enough for all. */
const LONG_PARTS: SpreadOptions = { leastWork: 0, partSize: { least: 2 ** 28, most: 2 ** 28 } };
const LONG_RUN = { paths: 1_000_000, steps: 8760 };
/** A job of some seconds, long enough to be handed out. */
const JOB = withMember(withMember(LOAN_RISK, 'params.mc_iter', 100_000), 'params.loan_duration', 60);

/** Runs one fault after another, beside a second run that never has a pause but at a cancel. */
export async function runCampaign(options: CampaignOptions): Promise<void> {
  const campaign = new Campaign(options);
  try {
    await campaign.open();
    for (const fault of options.faults) options.report(await campaign.suffer(fault));
  } finally {
    await campaign.close();
  }
}

interface Known {
  readonly kind: ProductKind;
  readonly plan: SimulationPlan;
  /** The answer of one process. */
  readonly outcome: Outcome;
}

class Campaign {
  private readonly options: CampaignOptions;
  private readonly cpu = sharedReference(1);
  private readonly known: Known[] = [];
  private readonly workers: WorkerProcess[] = [];
  private readonly proxies: CutProxy[] = [];
  private readonly servers: ServerProcess[] = [];
  private readonly goneServers = new WeakSet<Fleet>();
  private fleet: Fleet | undefined;
  private jobText = '';
  private load = Promise.resolve();
  private isEnding = false;
  private isPaused = false;
  private isLoading = false;

  constructor(options: CampaignOptions) {
    this.options = options;
  }

  async open(): Promise<void> {
    const { store, faults } = this.options;
    for (const [kind, paths] of PRODUCTS) {
      const plan = fleetPlan(kind, paths);
      this.known.push({ kind, plan, outcome: await this.cpu.run(plan) });
    }
    if (faults.includes('server-killed')) {
      const alone = await startServerProcess();
      this.jobText = await (await alone.ask(JOB)).text();
      await alone.kill();
      this.servers.push(await this.newServer(), await this.newServer());
    }
    // One for the first worker, one for the server.
    this.proxies.push(await openProxy(store.port), await openProxy(store.port));
    for (const port of [this.proxies[0].port, store.port, store.port])
      this.workers.push(await this.newWorker(port));
    this.fleet = await this.joinFleet();
    this.load = this.keepLoaded();
    this.load.catch(() => {});
  }

  async suffer(fault: Fault): Promise<FaultReport> {
    const known = this.known[Math.floor(this.options.random() * this.known.length)];
    await this.ready();
    if (fault === 'cancelled') return { fault, product: 'loan', ...(await this.cancel()) };
    if (fault === 'server-killed') return { fault, product: 'loan', ...(await this.killServer()) };
    return { fault, product: known.kind, ...(await this.strikeRun(fault, known)) };
  }

  /** The load is right to the end, or this throws. */
  async close(): Promise<void> {
    this.isEnding = true;
    this.isPaused = false;
    await this.load.finally(async () => {
      await this.fleet?.close();
      for (const worker of this.workers) {
        worker.child.kill('SIGCONT');
        await worker.kill();
      }
      for (const server of this.servers) await server.kill();
      await Promise.all([...this.proxies.map(proxy => proxy.close()), this.cpu.close()]);
    });
  }

  private newWorker(port: number): Promise<WorkerProcess> {
    const { store, name } = this.options;
    return startWorkerProcess(store.urlAt(port), name);
  }

  private newServer(): Promise<ServerProcess> {
    const { store, name } = this.options;
    return startServerProcess({ url: store.urlAt(store.port), name });
  }

  private async joinFleet(): Promise<Fleet> {
    const { store, name } = this.options;
    return openFleet({
      ...(await join(store.urlAt(this.proxies[1].port), name)),
      version: engineVersion(),
      clock: processClock,
      log: createLogger('silent'),
    });
  }

  private get server(): Fleet {
    if (this.fleet === undefined) throw new Error('the campaign is not open');
    return this.fleet;
  }

  private async ready(): Promise<void> {
    while (this.server.threadsFor('reference') < this.workers.length) await sleep(50);
  }

  private spread(server: Fleet, plan: SimulationPlan, parts = SMALL_PARTS): Engine {
    const engine = createSpreader(server, parts).spread(plan, 'reference', this.cpu);
    if (engine === undefined) throw new Error('the run is not spread');
    return engine;
  }

  private async keepLoaded(): Promise<void> {
    for (let i = 0; !this.isEnding; i++) {
      const { kind, plan, outcome } = this.known[i % this.known.length];
      const { server } = this;
      if (this.isPaused || server.threadsFor('reference') === 0) {
        await sleep(20);
        continue;
      }
      this.isLoading = true;
      const got = await this.spread(server, plan)
        .run(plan)
        .catch(error => error as Error);
      this.isLoading = false;
      // A server that ends takes its runs with it.
      if (!this.goneServers.has(server) && !isDeepStrictEqual(got, outcome))
        throw new Error(`the load got another answer: ${kind}`, { cause: got });
    }
  }

  /** A run is under way when the fault strikes; it or, after the end of a server, the next run of its name answers. */
  private async strikeRun(fault: Strike, { plan, outcome }: Known) {
    const when = 0.05 + 0.8 * this.options.random();
    const scope = randomUUID();
    let began = 0;
    let happening: Promise<void> | undefined;
    let strikes = () => {};
    const struck = new Promise<void>(resolve => {
      strikes = resolve;
    });
    const run = this.spread(this.server, plan)
      .run(plan, {
        scope,
        onProgress: share => {
          if (share < when || happening !== undefined) return;
          began = performance.now();
          happening = this.strike(fault);
          strikes();
        },
      })
      .catch(error => error as Error);
    let got: unknown;
    if (fault === 'server-gone') {
      await struck;
      await happening;
      this.fleet = await this.joinFleet();
      await this.ready();
      got = await this.spread(this.server, plan).run(plan, { scope });
    } else got = await run;
    const milliseconds = Math.round(performance.now() - began);
    await happening;
    return { right: isDeepStrictEqual(got, outcome), milliseconds };
  }

  private async strike(fault: Strike): Promise<void> {
    const { workers, proxies } = this;
    const { store, random } = this.options;
    switch (fault) {
      case 'worker-killed':
        await workers[1].kill();
        workers[1] = await this.newWorker(store.port);
        return;
      case 'worker-stopped': {
        const [leaving] = workers.splice(1, 1, await this.newWorker(store.port));
        const exit = once(leaving.child, 'exit');
        leaving.child.kill('SIGTERM');
        await exit;
        return;
      }
      case 'worker-frozen':
        workers[2].child.kill('SIGSTOP');
        await sleep(FROZEN_MS);
        workers[2].child.kill('SIGCONT');
        return;
      case 'worker-cut-off':
        return proxies[0].cut(2000 + 12_000 * random());
      case 'server-cut-off':
        return proxies[1].cut(500 + 3000 * random());
      case 'store-restarted':
      case 'store-restarted-empty':
        return store.restart(fault === 'store-restarted');
      case 'server-gone':
        this.goneServers.add(this.server);
        return this.server.close();
    }
  }

  /** All workers are busy for long when their run is cancelled; the time to the end of the next run says when they are free. */
  private async cancel() {
    this.isPaused = true;
    while (this.isLoading) await sleep(20);
    const short = fleetPlan('loan', LONG_RUN.paths);
    if (short.product.kind !== 'loan') throw new Error('the plan is of a loan');
    const long = { ...short, product: { ...short.product, steps: LONG_RUN.steps } };
    const abort = new AbortController();
    const reason = new Error('cancelled');
    let hasEnded = false;
    const run = this.spread(this.server, long, LONG_PARTS)
      .run(long, { signal: abort.signal })
      .catch(error => error as Error)
      .finally(() => {
        hasEnded = true;
      });
    // Workers announce every second how busy they are.
    while (!this.server.workers.every(({ busy }) => busy > 0)) {
      if (hasEnded) throw new Error('the long run has ended', { cause: await run });
      await sleep(20);
    }
    await sleep(500 * this.options.random());
    const began = performance.now();
    abort.abort(reason);
    const ended = await run;
    const { plan, outcome } = this.known[0];
    const next = await this.spread(this.server, plan).run(plan);
    const milliseconds = Math.round(performance.now() - began);
    this.isPaused = false;
    return { right: ended === reason && isDeepStrictEqual(next, outcome), milliseconds };
  }

  /** The job of a server that is killed is answered by another, byte for byte as by a server without a fleet. */
  private async killServer() {
    const [killed, other] = this.servers;
    const share = 0.05 + 0.7 * this.options.random();
    const { answer, milliseconds } = await outliveServer(killed, other, JOB, {
      share,
      requestId: randomUUID(),
    });
    this.servers.splice(0, 2, other, await this.newServer());
    return { right: answer.status === 200 && (await answer.text()) === this.jobText, milliseconds };
  }
}
