/**
 * A process that serves beside others: the messages it sends to the first process and takes from it.
 *
 * Only messages of the first process stop it: signals of a terminal or a supervisor reach all processes at once, and the first
 * passes them on. Must not know: HTTP, what is served.
 */
import cluster from 'node:cluster';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FromMember, ProcessMetrics, ToMember } from './messages.ts';

export interface Member {
  /** Identifies the process in the log. */
  readonly number: number;
  /** Where this process is to listen for the others. */
  readonly socket: string;
  /** Where jobs are kept; undefined where they are kept here. */
  jobsAt(): string | undefined;
  /** The figures of all processes that report theirs in time, as one text. */
  allMetrics(): Promise<string>;
  /** Where the figures of this process come from. */
  readMetrics(own: () => Promise<ProcessMetrics>): void;
  /** Reports to the first process why no request should come here; empty where one may. */
  health(obstacles: readonly string[]): void;
  /** Reports to the first process that requests may come. */
  serving(banner: string): void;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * The part of this process, or undefined where it is the only one or the first.
 *
 * @param stop is called when this process is to end; also when the first process has gone
 */
export function openMember(stop: (drainSeconds: number) => void): Member | undefined {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const { process: channel, id: number } = worker;
  const socket = join(tmpdir(), `collateral-risk-engine-${process.pid}.sock`);
  const send = (message: FromMember) => {
    // Where the first process has gone, `disconnect` stops this one.
    if (worker.isConnected()) channel.send(message, () => {});
  };
  let jobs: string | undefined;
  let ownMetrics: (() => Promise<ProcessMetrics>) | undefined;
  let asked = 0;
  const waiting = new Map<number, (text: string | undefined) => void>();
  for (const signal of SIGNALS) process.on(signal, () => {});
  process.on('message', (message: ToMember) => {
    if (message.kind === 'stop') stop(message.drainSeconds);
    else if (message.kind === 'jobs-at') jobs = message.socket;
    else if (message.kind === 'own-metrics-wanted')
      ownMetrics?.().then(
        metrics => send({ kind: 'own-metrics', metrics }),
        () => send({ kind: 'own-metrics', metrics: undefined }),
      );
    else if (message.kind === 'metrics') {
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
    }
  });
  process.on('disconnect', () => stop(0));
  return {
    number,
    socket,
    jobsAt: () => jobs,
    async allMetrics() {
      const id = asked++;
      const text = await new Promise<string | undefined>(resolve => {
        waiting.set(id, resolve);
        send({ kind: 'metrics-wanted', id });
      });
      if (text === undefined) throw new Error('The metrics of the processes could not be joined.');
      return text;
    },
    readMetrics(own) {
      ownMetrics = own;
    },
    health: obstacles => send({ kind: 'health', obstacles }),
    serving: banner => send({ kind: 'serving', banner, socket }),
  };
}
