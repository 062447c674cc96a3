/**
 * The port for probes (HEALTH_PORT). A separate thread answers at once, even while the event loop of the process is busy, and
 * reports when the loop has stalled.
 *
 * Must not know: what makes a process ready.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../host/log.ts';

/** To the health thread: why the process is not ready; empty where it is. */
export type ToHealthThread = readonly string[];

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
  /** @param obstacles why the process is not ready; empty where it is */
  report(obstacles: readonly string[]): void;
  close(): Promise<void>;
}

/** Interval of the reports. */
const REPORT_MS = 500;

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
    report: send,
    async close() {
      await thread.terminate();
    },
  };
}

/**
 * Reports at once and then periodically: a report shows that the event loop runs.
 *
 * @returns a function that stops the reports
 */
export function keepReporting(report: () => void, clock: Clock): () => void {
  report();
  return clock.every(REPORT_MS, report);
}
