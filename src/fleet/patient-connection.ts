/**
 * Connections of BullMQ to PostgreSQL that wait for a server which is away or short of connections.
 *
 * BullMQ 6.7 keeps the failure of its first connection for good, and takes what it does not know for an error of the network to be
 * over at once: a worker that starts while PostgreSQL has no connection free would ask again without end and without a pause, and let
 * nothing else run.
 */
import { type createPostgresBackend, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';
import { isOutage } from './postgres-outage.ts';

/** Between two attempts. */
const RETRY_MS = 500;

/** Makes what BullMQ takes as its backend, with connections that wait. */
export function patientBackend(clock: Clock, log: Logger): typeof createPostgresBackend {
  class PatientConnection extends PostgresConnection {
    /** Waits while the server is away; any other failure is told after a pause. */
    override async waitUntilReady(): Promise<void> {
      for (;;) {
        try {
          return await this.#slowly(() => super.waitUntilReady());
        } catch (error) {
          if (this.isClosing || !isOutage(error)) throw error;
          log.warn({ err: error }, 'the queue of the fleet does not answer');
          // The failure that it has kept (a private member).
          Reflect.set(this, 'readyPromise', undefined);
        }
      }
    }

    /** Fails after a pause: who asks tries again, or ends where it is closing. */
    override getListenClient() {
      return this.#slowly(() => super.getListenClient());
    }

    async #slowly<T>(attempt: () => Promise<T>): Promise<T> {
      try {
        return await attempt();
      } catch (error) {
        if (!this.isClosing) await new Promise<void>(resolve => clock.after(RETRY_MS, resolve));
        throw error;
      }
    }
  }
  return (name, options, { withBlockingConnection = false, blocking = false } = {}) => {
    // Named as BullMQ names them, by which workers and listeners are found.
    const listener = withBlockingConnection ? name : blocking ? `${name}:qe` : undefined;
    return new PostgresQueueBackend(new PatientConnection(options.connection), name, options, true, listener);
  };
}
