/**
 * Faults of a fleet, one after another under load: what ends, freezes or cuts off is picked at random, and every answer is
 * held against that of one process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { processClock } from '#src/core/clock.js';
import type { Outcome } from '#src/core/engine.js';
import type { ProductKind } from '#src/core/plan/products.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openCpuEngine } from '#src/engine/threads/cpu-engine.js';
import { type Fleet, openFleet } from '#src/fleet/fleet.js';
import { createSpreader } from '#src/fleet/spread-engine.js';
import { createLogger } from '#src/log.js';
import { packageVersion } from '#src/package-version.js';
import { join, startWorkerProcess, type WorkerProcess } from './fleet.ts';
import { fleetPlan } from './fleet-plans.ts';

/** A connection that can be cut. */
export interface Proxy {
  readonly port: number;
  /** Closes every connection and takes none for so long. */
  cut(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function openProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer(from => {
    if (isCut) {
      from.destroy();
      return;
    }
    const to = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { readonly port: number }).port,
    async cut(milliseconds) {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      await sleep(milliseconds);
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A Redis of our own, which can be ended and started again. */
export interface OwnRedis {
  readonly port: number;
  /** @param kept whether what it held is there again */
  restart(kept: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts `redis-server`, which must be installed. */
export async function startRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(joinPath(tmpdir(), 'fleet-redis-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { readonly port: number };
  probe.close();
  let server: ChildProcess;
  const start = async () => {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'],
      { stdio: 'ignore' },
    );
    for (;;) {
      const socket = connect(port, '127.0.0.1');
      const open = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(
          () => false,
          () => false,
        ),
      ]).catch(() => false);
      socket.destroy();
      if (open) return;
      await sleep(20);
    }
  };
  const stop = async () => {
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    port,
    async restart(kept) {
      await stop();
      if (!kept) rmSync(joinPath(folder, 'appendonlydir'), { recursive: true, force: true });
      await sleep(200);
      await start();
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What can happen. */
export const FAULTS = [
  'worker-killed',
  'worker-stopped',
  'worker-frozen',
  'worker-cut-off',
  'front-end-cut-off',
  'front-end-gone',
  'store-restarted',
  'store-restarted-empty',
  'cancelled',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultReport {
  readonly fault: Fault;
  readonly product: ProductKind;
  /** Whether the answer was that of one process, or the cancelled run ended with its reason. */
  readonly right: boolean;
  /** From the fault to the end of the run. */
  readonly milliseconds: number;
}

export interface CampaignOptions {
  /** Port of the store; its address has the place of the port as `PORT`. */
  readonly url: string;
  readonly port: number;
  /** Absent: faults of the store are left out. */
  readonly restartStore?: (kept: boolean) => Promise<void>;
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
const SMALL_PARTS = { leastWork: 0, partSize: { least: 2 ** 19, most: 2 ** 19 } };

/** Runs one fault after another, beside a second run that never has a pause. */
export async function runCampaign(options: CampaignOptions): Promise<void> {
  const { url, port, restartStore, name, faults, random, report } = options;
  const cpu = openCpuEngine({ threads: 1 });
  const right = new Map<ProductKind, { plan: SimulationPlan; outcome: Outcome }>();
  for (const [kind, paths] of PRODUCTS) {
    const plan = fleetPlan(kind, paths);
    right.set(kind, { plan, outcome: await cpu.run(plan) });
  }
  const workerProxy = await openProxy(port);
  const frontProxy = await openProxy(port);
  const at = (own: number) => url.replace('PORT', String(own));
  const frontEnd = async (): Promise<Fleet> =>
    openFleet({
      ...(await join(at(frontProxy.port), name)),
      version: packageVersion(),
      clock: processClock,
      log: createLogger('silent'),
    });
  const newWorker = (own: number) => startWorkerProcess(at(own), name);
  // The first worker goes through the proxy.
  const workers: WorkerProcess[] = [
    await newWorker(workerProxy.port),
    await newWorker(port),
    await newWorker(port),
  ];
  let fleet = await frontEnd();
  const ready = async () => {
    while (fleet.threadsFor('double') < workers.length) await sleep(50);
  };
  const spread = (front: Fleet, plan: SimulationPlan) => {
    const engine = createSpreader(front, SMALL_PARTS).spread(plan, 'double', cpu, cpu);
    if (engine === undefined) throw new Error('the run is not spread');
    return engine;
  };
  const goneFronts = new WeakSet<Fleet>();
  let ending = false;
  const load = (async () => {
    for (let i = 0; !ending; i++) {
      const [kind] = PRODUCTS[i % PRODUCTS.length];
      const { plan, outcome } = right.get(kind) as { plan: SimulationPlan; outcome: Outcome };
      const front = fleet;
      if (front.threadsFor('double') === 0) {
        await sleep(100);
        continue;
      }
      const got = await spread(front, plan)
        .run(plan)
        .catch(error => error as Error);
      // A front end that has gone takes its runs with it.
      if (!goneFronts.has(front) && !isDeepStrictEqual(got, outcome))
        throw new Error(`the load got another answer: ${kind}`, { cause: got });
    }
  })();
  load.catch(() => {});
  try {
    for (const fault of faults) {
      await ready();
      const [kind] = PRODUCTS[Math.floor(random() * PRODUCTS.length)];
      const { plan, outcome } = right.get(kind) as { plan: SimulationPlan; outcome: Outcome };
      const when = 0.05 + 0.8 * random();
      const abort = new AbortController();
      const reason = new Error('cancelled');
      const scope = randomUUID();
      let began = 0;
      let happening: Promise<unknown> | undefined;
      const strike = async () => {
        began = performance.now();
        switch (fault) {
          case 'worker-killed': {
            await workers[1].kill();
            workers[1] = await newWorker(port);
            return;
          }
          case 'worker-stopped': {
            const [leaving] = workers.splice(1, 1, await newWorker(port));
            const exit = once(leaving.child, 'exit');
            leaving.child.kill('SIGTERM');
            await exit;
            return;
          }
          case 'worker-frozen': {
            workers[2].child.kill('SIGSTOP');
            await sleep(FROZEN_MS);
            workers[2].child.kill('SIGCONT');
            return;
          }
          case 'worker-cut-off':
            return workerProxy.cut(2000 + 12_000 * random());
          case 'front-end-cut-off':
            return frontProxy.cut(500 + 3000 * random());
          case 'store-restarted':
          case 'store-restarted-empty':
            return restartStore?.(fault === 'store-restarted');
          case 'cancelled':
            return abort.abort(reason);
          case 'front-end-gone':
            goneFronts.add(fleet);
            return fleet.close();
        }
      };
      let gone = () => {};
      const takenUp = new Promise<'gone'>(resolve => {
        gone = () => resolve('gone');
      });
      const run = spread(fleet, plan).run(plan, {
        scope,
        signal: abort.signal,
        onProgress: share => {
          if (share < when || happening !== undefined) return;
          happening = strike();
          if (fault === 'front-end-gone') gone();
        },
      });
      let got: unknown;
      if (fault === 'front-end-gone') {
        run.catch(() => {});
        await takenUp;
        await happening;
        fleet = await frontEnd();
        await ready();
        got = await spread(fleet, plan).run(plan, { scope });
      } else got = await run.catch(error => error as Error);
      const milliseconds = Math.round(performance.now() - began);
      await happening;
      report({
        fault,
        product: kind,
        right: fault === 'cancelled' ? got === reason : isDeepStrictEqual(got, outcome),
        milliseconds,
      });
    }
  } finally {
    ending = true;
    // The load is right to the end, or it has thrown.
    await load.finally(async () => {
      await fleet.close();
      for (const worker of workers) {
        worker.child.kill('SIGCONT');
        await worker.kill();
      }
      await Promise.all([workerProxy.close(), frontProxy.close(), cpu.close()]);
    });
  }
}
