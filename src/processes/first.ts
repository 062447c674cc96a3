/**
 * The first process where several serve: it starts them, replaces them one after another, and ends them.
 *
 * They share one port (node:cluster); the first process hands each connection to the next of them and serves nothing
 * itself. Must not know: HTTP, what is served.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';
import type { FromMember, ProcessMetrics, ToMember } from './messages.ts';
import { createReports } from './reports.ts';

export interface ProcessesOptions {
  readonly count: number;
  /** Threads of the CPU for all together. */
  readonly cpuThreads: number;
  /** Used when a process is replaced. */
  readonly drainSeconds: number;
  /** Within which a process that drains has ended; then it is killed. Beside the time to drain. */
  readonly endSeconds: number;
  /** Makes one text of the figures of all processes, by their numbers; undefined for one that did not report. */
  readonly joinMetrics: (reports: ReadonlyMap<number, ProcessMetrics | undefined>) => Promise<string>;
  /** Receives what the processes report of their health, by their numbers. */
  readonly health?: {
    report(source: number, obstacles: readonly string[]): void;
    forget(source: number): void;
  };
  /** Of the deadline within which a process reports its figures. */
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Processes {
  /** Of the first that served. */
  readonly banner: string;
  /** Replaces all, one after another: the next one goes when its successor serves. Never two rounds at once. */
  replaceAll(): Promise<void>;
  /** Ends all. @returns whether each ended in good order */
  stop(drainSeconds: number): Promise<boolean>;
  /** Ends all at once. */
  kill(): void;
}

/** One of the processes, as long as its place is not taken by another. */
interface Member {
  readonly worker: Worker;
  readonly socket: string;
  readonly banner: string;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** After so long a process counts as sound, and the next one that ends is replaced at once. */
const SOUND_MS = 60_000;
/** For a process to report its figures; longer than a reading takes at most, less than Prometheus waits. */
const REPORT_MS = 4000;

const send = (worker: Worker, message: ToMember) => {
  if (worker.isConnected()) worker.send(message);
};

/** Starts all. @throws Error where the first does not start; it has said why */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { count, cpuThreads, drainSeconds, endSeconds, joinMetrics, health, clock, log } = options;
  const environment = { CPU_THREADS: String(Math.max(1, Math.floor(cpuThreads / count))) };
  const members: (Member | undefined)[] = [];
  let stopping = false;
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

  /** The figures of all processes that report theirs in time. */
  async function allMetrics(): Promise<string> {
    const found = await reports.gather([...serving.keys()]);
    for (const [process, report] of found) {
      if (report !== undefined && silent.delete(process))
        log.info({ process }, 'a process reports its metrics again');
      if (report !== undefined || silent.has(process) || !serving.has(process)) continue;
      silent.add(process);
      log.warn({ process }, 'a process does not report its metrics');
    }
    return joinMetrics(found);
  }

  /** A new process that serves; rejects where it ends before. */
  async function start(): Promise<Member> {
    const worker = cluster.fork(environment);
    worker.on('message', (message: FromMember) => {
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
    // A message to a process that was killed fails before its exit is known. Without a listener this process would end, too.
    worker.on('error', error => log.warn({ process: worker.id, err: error }, 'a process cannot be reached'));
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromMember) => {
        if (message.kind === 'serving') resolve({ worker, socket: message.socket, banner: message.banner });
      });
      worker.once('exit', () => reject(new Error('A process ended before it served.')));
    });
  }

  /** The process in the first place stores the jobs. */
  function announceJobsSocket(): void {
    const keeper = members[0];
    for (const member of members)
      if (member !== undefined)
        send(member.worker, { kind: 'jobs-at', socket: member === keeper ? undefined : keeper?.socket });
  }

  /** Gives a place to a process, and to another one when it ends unasked. */
  function place(at: number, member: Member, pauseMs = FIRST_PAUSE_MS): void {
    members[at] = member;
    announceJobsSocket();
    const since = performance.now();
    member.worker.once('exit', (code, signal) => {
      if (stopping || members[at] !== member) return;
      members[at] = undefined;
      log.error({ process: member.worker.id, code, signal }, 'a process ended; another takes its place');
      const sound = performance.now() - since > SOUND_MS;
      void refill(at, sound ? FIRST_PAUSE_MS : pauseMs);
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
        log.error({ reason: (error as Error).message }, 'a process did not start');
      }
    }
  }

  /** @returns whether it ended in good order */
  async function end({ worker }: Member, drain: number): Promise<boolean> {
    if (worker.isDead()) return false;
    const ended = new Promise<number>(resolve => worker.once('exit', resolve));
    send(worker, { kind: 'stop', drainSeconds: drain });
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), (drain + endSeconds) * 1000);
    const code = await ended;
    clearTimeout(timer);
    return code === 0;
  }

  const first = await start();
  place(0, first);
  for (let at = 1; at < count; at++) place(at, await start());

  let round: Promise<void> = Promise.resolve();
  async function replaceEach(): Promise<void> {
    for (let at = 0; at < count && !stopping; at++) {
      const old = members[at];
      // Its successor is on its way already.
      if (old === undefined) continue;
      let next: Member;
      try {
        next = await start();
      } catch {
        log.error('a new process did not start; the others stay as they are');
        return;
      }
      place(at, next);
      await end(old, drainSeconds);
    }
    log.info('all processes were replaced');
  }

  return {
    banner: first.banner,
    replaceAll() {
      round = round.then(replaceEach);
      return round;
    },
    async stop(drain) {
      stopping = true;
      const present = members.filter(member => member !== undefined);
      const ends = await Promise.all(present.map(member => end(member, drain)));
      return ends.every(Boolean);
    },
    kill() {
      for (const { process } of Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined))
        process.kill('SIGKILL');
    },
  };
}
