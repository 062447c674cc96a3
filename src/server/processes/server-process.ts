/**
 * One of several server processes: the messages that it sends to the primary process and receives from it.
 *
 * Only messages of the primary process stop it: signals of a terminal or a supervisor reach all processes at once, and the
 * primary process handles them. Must not know: HTTP, what is served.
 */
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FromServer, ProcessMetrics, ToServer } from './messages.ts';

export interface ServerProcess {
  /** Identifies the process in the log. */
  readonly number: number;
  /** Path of the socket on which this process listens for the others. */
  readonly socket: string;
  /** Socket of the process that stores the jobs; undefined where it is this one. */
  jobsAt(): string | undefined;
  /** The metrics of all processes that report in time, as one text. */
  allMetrics(): Promise<string>;
  /** Sets the source of the metrics of this process. */
  readMetrics(own: () => Promise<ProcessMetrics>): void;
  /** Reports to the primary process why this one is not ready; empty where it is. */
  health(obstacles: readonly string[]): void;
  /** Reports to the primary process that this one serves. */
  serving(banner: string): void;
}

/**
 * A path for the socket of this process. A killed process leaves its socket, and the processes of a container have the same ids after
 * each start.
 */
export const newSocketPath = (): string =>
  join(tmpdir(), `collateral-risk-engine-${process.pid}-${randomBytes(4).toString('hex')}.sock`);

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

/**
 * This process as one of several; undefined where it is the only one or the primary process.
 *
 * @param stop called when this process must stop; also when the primary process has ended
 */
export function openServerProcess(stop: (drainSeconds: number) => void): ServerProcess | undefined {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const { process: channel, id: number } = worker;
  // Otherwise Node ends this process as soon as the primary process has ended, with its requests in progress.
  worker.exitedAfterDisconnect = true;
  const socket = newSocketPath();
  const send = (message: FromServer) => {
    // If the primary process has ended, `disconnect` stops this one.
    if (worker.isConnected()) channel.send(message, () => {});
  };
  let jobs: string | undefined;
  let ownMetrics: (() => Promise<ProcessMetrics>) | undefined;
  let requests = 0;
  const waiting = new Map<number, (text: string | undefined) => void>();
  for (const signal of SIGNALS) process.on(signal, () => {});
  process.on('message', (message: ToServer) => {
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
      const id = requests++;
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
