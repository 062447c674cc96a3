/**
 * Connections of BullMQ to PostgreSQL that retry while the server is unavailable or short of connections.
 *
 * BullMQ 6.7 stores the failure of its first connection permanently, and retries at once after every error that it does not
 * classify as a network error: a worker that starts while PostgreSQL has no connection free would retry forever without a pause, and block
 * its event loop.
 */
import type { EventEmitter } from 'node:events';
import { type createPostgresBackend, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import type { Clock } from '../core/clock.ts';
import type { Warn } from '../host/repeated-warnings.ts';
import { isOutage } from './store-errors.ts';

type Listener = Awaited<ReturnType<PostgresConnection['getListenClient']>> & EventEmitter;

/** Pause between two attempts. */
const RETRY_MS = 500;

/** Makes a backend of BullMQ whose connections retry. */
export function retryingBackend(clock: Clock, warn: Warn): typeof createPostgresBackend {
  class RetryingConnection extends PostgresConnection {
    #listener: Listener | undefined;
    #isChecking = false;

    /** Waits while the server is unavailable; rejects after a pause with any other failure. */
    override async waitUntilReady(): Promise<void> {
      for (;;) {
        try {
          return await this.#pausingAfterFailure(() => super.waitUntilReady());
        } catch (error) {
          if (this.isClosing || !isOutage(error)) throw error;
          warn({ err: error }, 'the queue of the fleet does not answer');
          // The stored failure (a private member).
          Reflect.set(this, 'readyPromise', undefined);
        }
      }
    }

    /** Rejects after a pause: BullMQ retries, or ends where it is closing. */
    override async getListenClient() {
      const client = (await this.#pausingAfterFailure(() => super.getListenClient())) as Listener;
      // BullMQ asks for it every five seconds; first it listens on it.
      if (client === this.#listener && !this.#isChecking) void this.#check(client);
      this.#listener = client;
      return client;
    }

    /** A connection that is open without a word brings no notifications: its error makes BullMQ connect again, and is logged. */
    async #check(client: Listener): Promise<void> {
      this.#isChecking = true;
      try {
        await client.query('SELECT 1');
      } catch (error) {
        if (!this.isClosing) client.emit('error', error);
      } finally {
        this.#isChecking = false;
      }
    }

    async #pausingAfterFailure<T>(attempt: () => Promise<T>): Promise<T> {
      try {
        return await attempt();
      } catch (error) {
        if (!this.isClosing) await new Promise<void>(resolve => clock.after(RETRY_MS, resolve));
        throw error;
      }
    }
  }
  return (name, options, { withBlockingConnection = false, blocking = false } = {}) => {
    // BullMQ finds workers and listeners by these names.
    const listener = withBlockingConnection ? name : blocking ? `${name}:qe` : undefined;
    return new PostgresQueueBackend(
      new RetryingConnection(options.connection),
      name,
      options,
      true,
      listener,
    );
  };
}
