/**
 * The port for probes (HEALTH_PORT), served by a thread of its own: it answers at once, however much the event loop of the
 * process has to do, and says when that has stalled.
 *
 * Must not know: what makes a process ready.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { answerWithin, type Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';

/** To the health thread. */
export type ToHealthThread =
  | { readonly kind: 'report'; readonly source: number; readonly obstacles: readonly string[] }
  | { readonly kind: 'forget'; readonly source: number };

/** From the health thread, once. */
export type FromHealthThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string };

/** Where the thread listens. */
export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

export interface HealthPort {
  readonly port: number;
  /** @param obstacles why no request should come to the process `source`; empty where one may */
  report(source: number, obstacles: readonly string[]): void;
  /** The process has ended. */
  forget(source: number): void;
  close(): Promise<void>;
}

/** How often a process reports. */
const REPORT_MS = 500;
/** Deadline of the question what stands against requests; longer than that of each check. */
const READINESS_MS = 3000;

/** @throws Error where the address cannot be had */
export async function openHealthPort(address: HealthAddress, log: Logger): Promise<HealthPort> {
  const thread = new Worker(new URL('./worker.js', import.meta.url), { workerData: address });
  const send = (message: ToHealthThread) => thread.postMessage(message);
  const [first] = (await once(thread, 'message')) as [FromHealthThread];
  if (first.kind === 'failed') {
    await thread.terminate();
    throw new Error(`Cannot listen for probes: ${first.message}; set HEALTH_PORT to another.`);
  }
  thread.on('error', error => log.error({ err: error }, 'the health thread has ended'));
  thread.unref();
  return {
    port: first.port,
    report: (source, obstacles) => send({ kind: 'report', source, obstacles }),
    forget: source => send({ kind: 'forget', source }),
    async close() {
      await thread.terminate();
    },
  };
}

/**
 * Reports again and again. What stands against requests is found out beside that: a report says that the event loop turns.
 *
 * @param obstacles a question that fails, or is not answered within 3 s, is itself an obstacle
 * @returns a function that reports at once what has just changed, and one that ends all
 */
export function keepReporting(
  obstacles: () => Promise<readonly string[]>,
  report: (obstacles: readonly string[]) => void,
  clock: Clock,
): { readonly now: () => Promise<void>; readonly stop: () => void } {
  let known: readonly string[] = ['starting'];
  let asking = false;
  async function now(): Promise<void> {
    known = await answerWithin(clock, READINESS_MS, obstacles()).catch(() => ['readiness check failed']);
    report(known);
  }
  const beat = () => {
    report(known);
    if (asking) return;
    asking = true;
    void now().finally(() => {
      asking = false;
    });
  };
  beat();
  return { now, stop: clock.every(REPORT_MS, beat) };
}
