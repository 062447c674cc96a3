/**
 * The port for probes (HEALTH_PORT). A separate thread answers at once, even while the event loop of the process is busy, and
 * reports when the loop has stalled.
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

/** The address of the thread. */
export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

export interface HealthPort {
  readonly port: number;
  /** @param obstacles why the process `source` is not ready; empty where it is */
  report(source: number, obstacles: readonly string[]): void;
  /** Removes a process that has ended. */
  forget(source: number): void;
  close(): Promise<void>;
}

/** Interval of the reports. */
const REPORT_MS = 500;
/** Deadline of the readiness check; longer than those of its parts. */
const READINESS_MS = 3000;

/** @throws Error where the address is not available */
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
 * Reports periodically. A report shows that the event loop runs, so it does not wait for the readiness check.
 *
 * @param obstacles the readiness check; its failure, or no answer within 3 s, is itself an obstacle
 * @returns a function that checks and reports at once, and one that stops the reports
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
