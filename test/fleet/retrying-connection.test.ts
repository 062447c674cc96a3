/** Connections of a queue to PostgreSQL that fail, with a pool of the test, on a clock that it moves. */
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { retryingBackend } from '#src/fleet/retrying-connection.js';
import { idle, pass } from '../support/idle.ts';
import { ManualClock } from '../support/manual-clock.ts';

const outage = () => Object.assign(new Error('too many connections'), { code: '53300' });
const refusal = () => Object.assign(new Error('password authentication failed'), { code: '28P01' });

interface Connection {
  readonly isClosing: unknown;
  waitUntilReady(): Promise<void>;
  getListenClient(): Promise<unknown>;
  close(): Promise<void>;
}

/** A connection whose attempts end as listed, in turn; the last end is that of all later ones. */
function opened(...ends: readonly (() => Error)[]) {
  const clock = new ManualClock();
  const warnings: unknown[] = [];
  const counts = { attempts: 0 };
  const pool = {
    connect: async () => {
      const end = ends[Math.min(counts.attempts, ends.length - 1)];
      counts.attempts += 1;
      throw end();
    },
    query: async () => ({ rows: [] }),
    end: async () => {},
    on: () => {},
  };
  const make = retryingBackend(clock, (details, meaning) => warnings.push({ ...details, meaning }));
  const open = (options: object = {}) =>
    make('parts', { connection: pool } as never, options) as unknown as {
      readonly connection: Connection;
      readonly listenClientName: string | undefined;
      close(): Promise<void>;
    };
  /** The end of a promise that is not awaited. */
  const endOf = (asked: Promise<unknown>) => {
    const end: { error?: unknown; done: boolean } = { done: false };
    asked.then(
      () => {
        end.done = true;
      },
      error => {
        end.error = error;
      },
    );
    return end;
  };
  return { clock, warnings, counts, open, endOf };
}

it('A connection is tried again each half second while the server has none free, and each attempt is logged', async () => {
  const { clock, warnings, counts, open, endOf } = opened(outage);
  const end = endOf(open().connection.waitUntilReady());
  for (const attempt of [1, 2, 3]) {
    await idle();
    expect([counts.attempts, warnings.length, clock.pending]).toEqual([attempt, attempt - 1, 1]);
    await pass(clock, 499);
    expect(counts.attempts).toBe(attempt);
    await pass(clock, 1);
  }
  expect(warnings[0]).toEqual({ err: outage(), meaning: 'the queue of the fleet does not answer' });
  expect(end).toEqual({ done: false });
});

it('A connection that is refused fails after half a second, is not tried again and is not logged', async () => {
  const { clock, warnings, counts, open, endOf } = opened(outage, refusal);
  const end = endOf(open().connection.waitUntilReady());
  await idle();
  await pass(clock, 500);
  await pass(clock, 499);
  expect(end).toEqual({ done: false });
  await pass(clock, 1);
  expect(end).toEqual({ done: false, error: refusal() });
  expect([counts.attempts, warnings.length, clock.pending]).toEqual([2, 1, 0]);
});

it('A connection that closes is not tried again', async () => {
  const { clock, warnings, counts, open, endOf } = opened(outage);
  const { connection } = open();
  const end = endOf(connection.waitUntilReady());
  await idle();
  await connection.close();
  await pass(clock, 500);
  expect(end).toEqual({ done: false, error: outage() });
  expect([counts.attempts, warnings, clock.pending]).toEqual([1, [], 0]);
});

it('A connection that fails after its end fails at once', async () => {
  const { clock, counts, open, endOf } = opened(outage);
  const { connection } = open();
  await connection.close();
  const end = endOf(connection.waitUntilReady());
  await idle();
  expect(end).toEqual({ done: false, error: outage() });
  expect([counts.attempts, clock.pending]).toEqual([1, 0]);
});

it('A listener that cannot connect fails after half a second', async () => {
  const { clock, open, endOf } = opened(outage);
  const end = endOf(open().connection.getListenClient());
  await idle();
  await pass(clock, 499);
  expect(end).toEqual({ done: false });
  await pass(clock, 1);
  expect(end).toEqual({ done: false, error: outage() });
});

/** A connection that listens on a client whose queries end as `query` says. */
function listening(query: () => Promise<unknown>) {
  const client = Object.assign(new EventEmitter(), { query: vi.fn(query), release: vi.fn() });
  const connect = async () => client;
  const pool = { connect, query: async () => ({ rows: [] }), end: async () => {}, on: () => {} };
  const make = retryingBackend(new ManualClock(), () => {});
  const backend = make('parts', { connection: pool } as never, {}) as unknown as EventEmitter & {
    readonly connection: Connection & EventEmitter;
  };
  const errors: unknown[] = [];
  backend.on('error', error => errors.push(error));
  const { connection } = backend;
  const invalidated = vi.fn();
  connection.on('listenerinvalidated', invalidated);
  return { client, connection, errors, invalidated };
}

it('A listener that is asked for again is asked for an answer, one question at a time', async () => {
  const { client, connection, errors } = listening(() => new Promise(() => {}));
  expect(await connection.getListenClient()).toBe(client);
  expect(client.query).not.toHaveBeenCalled();
  for (let again = 0; again < 3; again++) expect(await connection.getListenClient()).toBe(client);
  expect(client.query.mock.calls).toEqual([['SELECT 1']]);
  expect(errors).toEqual([]);
});

it('A listener without an answer is given up with its error, so that the queue connects again', async () => {
  const silent = new Error('Query read timeout');
  const { client, connection, errors, invalidated } = listening(() => Promise.reject(silent));
  await connection.getListenClient();
  await connection.getListenClient();
  await idle();
  expect(errors).toEqual([silent]);
  expect(client.release.mock.calls).toEqual([[true]]);
  expect(invalidated).toHaveBeenCalledTimes(1);
});

it('A listener that closes while it is asked says nothing', async () => {
  let fail: (error: Error) => void = () => {};
  const { connection, errors } = listening(() => new Promise((_, reject) => (fail = reject)));
  await connection.getListenClient();
  await connection.getListenClient();
  await connection.close();
  fail(new Error('Connection terminated'));
  await idle();
  expect(errors).toEqual([]);
});

it('Workers and listeners have the name of their queue, and a backend closes its connection', async () => {
  const { open } = opened(outage);
  const nameOf = (options: object) => open(options).listenClientName;
  expect(nameOf({})).toBeUndefined();
  expect(nameOf({ withBlockingConnection: true })).toBe('parts');
  expect(nameOf({ blocking: true })).toBe('parts:qe');
  const backend = open();
  await backend.close();
  expect(backend.connection.isClosing).toBeTruthy();
});
