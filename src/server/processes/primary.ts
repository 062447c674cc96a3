/**
 * The primary process where several processes serve: it starts them, replaces them one after another, and stops them.
 *
 * They share one port (node:cluster): the primary process passes each connection to the next of them and serves nothing itself.
 * Must not know: HTTP, what is served.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../host/log.ts';
import type { FromServer, ProcessMetrics, ToServer } from './messages.ts';
import { createReports } from './reports.ts';

interface ProcessesOptions {
  readonly count: number;
  /** CPU threads of all server processes together. */
  readonly cpuThreads: number;
  /** Of a process that is replaced. */
  readonly drainSeconds: number;
  /** Seconds after `drainSeconds` within which a process must end; then it is killed. */
  readonly endSeconds: number;
  /** Joins the metrics of all processes, by their numbers, and how many have ended, to one text; undefined: it did not report. */
  readonly joinMetrics: (
    reports: ReadonlyMap<number, ProcessMetrics | undefined>,
    ended: number,
  ) => Promise<string>;
  /** Receives the health reports of the processes, by their numbers. */
  readonly health?: {
    report(source: number, obstacles: readonly string[]): void;
    forget(source: number): void;
  };
  /** The clock of the deadline for reports of metrics. */
  readonly clock: Clock;
  readonly log: Logger;
}

/** A server process, until another replaces it. */
interface Server {
  readonly worker: Worker;
  readonly socket: string;
  readonly banner: string;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ends after this time was stable, and is replaced after the shortest pause. */
const STABLE_MS = 60_000;
/** Deadline for a process to report its metrics: longer than the slowest reading, shorter than the timeout of Prometheus. */
const REPORT_MS = 4000;

/** The processes, also those that do not serve yet. */
const workers = () => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined);

const send = (worker: Worker, message: ToServer) => {
  if (worker.isConnected()) worker.send(message);
};

/** Starts all. They can be stopped before all serve. */
export function startProcesses(options: ProcessesOptions) {
  const { count, cpuThreads, drainSeconds, endSeconds, joinMetrics, health, clock, log } = options;
  const environment = { CPU_THREADS: String(Math.max(1, Math.floor(cpuThreads / count))) };
  const servers: (Server | undefined)[] = [];
  let stopping = false;
  /** Processes that have ended without being asked to. */
  let ended = 0;
  const serving = new Map<number, Worker>();
  const silent = new Set<number>();
  const reports = createReports<ProcessMetrics>(
    id => {
      const worker = serving.get(id);
      if (worker !== undefined) send(worker, { kind: 'own-metrics-wanted' });
    },
    clock,
    REPORT_MS,
  );

  /** The metrics of all processes that report in time. */
  async function allMetrics(): Promise<string> {
    const found = await reports.gather([...serving.keys()]);
    for (const [process, report] of found) {
      if (report !== undefined && silent.delete(process))
        log.info({ process }, 'a process reports its metrics again');
      if (report !== undefined || silent.has(process) || !serving.has(process)) continue;
      silent.add(process);
      log.warn({ process }, 'a process does not report its metrics');
    }
    return joinMetrics(found, ended);
  }

  /** Starts a process and resolves when it serves; rejects if it ends before. */
  async function start(): Promise<Server> {
    const worker = cluster.fork(environment);
    worker.on('message', (message: FromServer) => {
      if (message.kind === 'health') health?.report(worker.id, message.obstacles);
      if (message.kind === 'own-metrics') reports.receive(worker.id, message.metrics);
      if (message.kind === 'serving') serving.set(worker.id, worker);
      if (message.kind !== 'metrics-wanted') return;
      allMetrics().then(
        text => send(worker, { kind: 'metrics', id: message.id, text }),
        () => send(worker, { kind: 'metrics', id: message.id, text: undefined }),
      );
    });
    worker.once('exit', () => {
      health?.forget(worker.id);
      serving.delete(worker.id);
      silent.delete(worker.id);
      reports.forget(worker.id);
    });
    // A message to a killed process can fail before its exit is known. Without a listener the error would end this process.
    worker.on('error', error => log.warn({ process: worker.id, err: error }, 'a process cannot be reached'));
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromServer) => {
        if (message.kind === 'serving') resolve({ worker, socket: message.socket, banner: message.banner });
      });
      worker.once('exit', () => reject(new Error('A process ended before it served.')));
    });
  }

  /** Sends all processes the socket of the one that stores the jobs, the first. */
  function announceJobsSocket(): void {
    const storing = servers[0];
    for (const server of servers)
      if (server !== undefined)
        send(server.worker, { kind: 'jobs-at', socket: server === storing ? undefined : storing?.socket });
  }

  /** Puts a process in a place, and starts another one there if it ends without a stop. */
  function place(at: number, server: Server, pauseMs = FIRST_PAUSE_MS): void {
    servers[at] = server;
    announceJobsSocket();
    const since = performance.now();
    server.worker.once('exit', (code, signal) => {
      if (stopping || servers[at] !== server) return;
      servers[at] = undefined;
      ended++;
      log.error({ process: server.worker.id, code, signal }, 'a process ended; another takes its place');
      const stable = performance.now() - since > STABLE_MS;
      void refill(at, stable ? FIRST_PAUSE_MS : pauseMs);
    });
  }

  async function refill(at: number, pauseMs: number): Promise<void> {
    for (let pause = pauseMs; !stopping; pause = Math.min(LONGEST_PAUSE_MS, 2 * pause)) {
      await sleep(pause);
      if (stopping) return;
      try {
        place(at, await start(), Math.min(LONGEST_PAUSE_MS, 2 * pause));
        return;
      } catch (error) {
        if (!stopping) log.error({ reason: (error as Error).message }, 'a process did not start');
      }
    }
  }

  /** @returns whether it stopped cleanly, or did not serve yet */
  async function end(worker: Worker, drain: number): Promise<boolean> {
    if (worker.isDead()) return false;
    const serves = serving.has(worker.id);
    const exit = new Promise<number>(resolve => worker.once('exit', resolve));
    if (serves) send(worker, { kind: 'stop', drainSeconds: drain });
    // It has no requests, and perhaps does not listen to messages yet.
    else worker.process.kill('SIGKILL');
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), (drain + endSeconds) * 1000);
    const code = await exit;
    clearTimeout(timer);
    return code === 0 || !serves;
  }

  async function startAll(): Promise<string | undefined> {
    let banner: string | undefined;
    try {
      for (let at = 0; at < count && !stopping; at++) {
        const server = await start();
        banner ??= server.banner;
        place(at, server);
      }
    } catch (error) {
      if (!stopping) throw error;
    }
    return stopping ? undefined : banner;
  }

  const allServe = startAll();
  let round: Promise<unknown> = allServe;
  async function replaceEach(): Promise<void> {
    for (let at = 0; at < count && !stopping; at++) {
      const old = servers[at];
      // Its successor is starting already.
      if (old === undefined) continue;
      let next: Server;
      try {
        next = await start();
      } catch {
        if (!stopping) log.error('a new process did not start; the others stay as they are');
        return;
      }
      place(at, next);
      await end(old.worker, drainSeconds);
    }
    if (!stopping) log.info('all processes were replaced');
  }

  return {
    /**
     * Resolves when all serve, with the banner of the first; undefined where they are stopped before.
     * @throws Error if one does not start, which has reported the reason itself
     */
    allServe,
    /** Replaces all once they serve, one after another: each ends when its successor serves. Two calls never overlap. */
    replaceAll(): void {
      round = round.then(replaceEach);
    },
    /** Stops all. @returns whether each stopped cleanly */
    async stop(drain: number): Promise<boolean> {
      stopping = true;
      const ends = await Promise.all(workers().map(worker => end(worker, drain)));
      return ends.every(Boolean);
    },
    /** Kills all. */
    kill(): void {
      for (const { process } of workers()) process.kill('SIGKILL');
    },
  };
}
