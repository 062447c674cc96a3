/** Jobs of two servers with one store, on the Redis of this machine and in memory: atomic admission, leases, faulty entries. */
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '#src/core/clock.js';
import { openRedisStore } from '#src/fleet/redis-store.js';
import type { FleetStore } from '#src/fleet/store.js';
import { StoreRefused } from '#src/fleet/store-errors.js';
import { createLogger } from '#src/host/log.js';
import { type JobQuestion, readQuestion } from '#src/server/jobs/job-records.js';
import type { Jobs } from '#src/server/jobs/jobs.js';
import { createSharedJobs } from '#src/server/jobs/shared-jobs.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import { dropFleet, newFleetName, REDIS } from '../support/fleet.ts';
import { heldOperations } from '../support/held-operations.ts';
import { KEY, post, problem, serve } from '../support/http-app.ts';
import { collectLog } from '../support/log-lines.ts';
import { memoryStore } from '../support/memory-store.ts';
import { hasRedisServer, startRedis } from '../support/own-stores.ts';
import { LOAN_RISK } from '../support/request-bodies.ts';

const log = createLogger('silent');
const OWNER = hashKey(KEY).toString('hex');

interface Kind {
  readonly name: string;
  readonly present: boolean;
  open(name: string): Promise<FleetStore>;
  drop(name: string): Promise<void>;
}

const KINDS: readonly Kind[] = [
  { name: 'memory', present: true, open: async () => memoryStore(), drop: async () => {} },
  {
    name: 'Redis',
    present: REDIS.present,
    open: name => openRedisStore(REDIS.url, name, () => {}),
    drop: dropFleet,
  },
];

const MINUTE_MS = 60_000;
/** Of the jobs of a test: it can let time pass at once. */
let passedMs = 0;
const clock: Clock = { ...fastClock, now: () => fastClock.now() + passedMs };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  passedMs = 0;
  for (const close of closing.splice(0).reverse()) await close();
});

async function openStore({ open, drop }: Kind): Promise<FleetStore> {
  const name = newFleetName();
  closing.push(() => drop(name));
  const store = await open(name);
  closing.push(() => store.close());
  return store;
}

/** A server whose jobs are in `store`. */
async function startServer(store: FleetStore, parts: Parameters<typeof serve>[0] = {}, maxJobs = 4) {
  const jobs: Jobs = createSharedJobs({
    maxJobs,
    store,
    ask: call => call(),
    retentionHours: 1,
    clock,
    log: parts.log ?? log,
  });
  const server = await serve({ ...parts, jobs });
  closing.push(async () => {
    await jobs.close(0);
    await server.drain(0);
  });
  return { server, jobs };
}

const submit = (server: RunningServer, headers: Record<string, string> = {}) =>
  post(server, '/loan_risk', LOAN_RISK, { prefer: 'respond-async', ...headers });
const ask = (server: RunningServer, path: string, method = 'GET') =>
  fetch(server.url + path, { method, headers: { 'x-api-key': KEY } });
const stateOf = async (server: RunningServer, location: string) =>
  ((await (await ask(server, location)).json()) as { state: string }).state;
const listed = async (server: RunningServer) =>
  ((await (await ask(server, '/jobs')).json()) as { jobs: { id: string; state: string }[] }).jobs;
const locationsOf = (responses: readonly Response[]) =>
  new Set(responses.map(response => response.headers.get('location')));
const idOf = (location: string) => location.slice('/jobs/'.length);
const CONCURRENT = 10;

const bookOf = (loans: number) => {
  const loan = {
    ...{ collateral_weights: { ETH: 1 }, loan_weights: { USD: 1 }, loan_duration: 30, mc_top_up: 24 },
    ...{ loan_value: 250_000, N: 1.3, M: 1.2, L: 1.1, R: 1.3 },
  };
  const params = { analysis_date: '01-30-2026', model_lookback: 90, mc_iter: 1000, quantile: [0.9] };
  return {
    type: 'GBM',
    params: { ...params, loans: Array.from({ length: loans }, (_, i) => ({ id: `${i}`, ...loan })) },
  };
};

for (const kind of KINDS) {
  describe.skipIf(!kind.present)(`Jobs of two servers on ${kind.name}`, () => {
    const stored: JobQuestion[] = [];
    async function two(maxJobs?: number) {
      const store = await openStore(kind);
      stored.length = 0;
      const { change } = store;
      store.change = asked => {
        for (const { name, bytes } of asked.put ?? []) {
          const question = name.startsWith('job-question:') ? readQuestion(bytes) : undefined;
          if (question !== undefined) stored.push(question);
        }
        return change(asked);
      };
      const held = heldOperations();
      const parts = { routes: held.routes };
      const [one, other] = [
        await startServer(store, parts, maxJobs),
        await startServer(store, parts, maxJobs),
      ];
      const posts = (headers: Record<string, string> = {}) =>
        Promise.all(
          Array.from({ length: CONCURRENT }, (_, i) => submit((i % 2 === 0 ? one : other).server, headers)),
        );
      return { store, held, one, other, posts };
    }

    it('are one job for ten concurrent requests with one Idempotency-Key', async () => {
      const { held, one, posts } = await two();
      const responses = await posts({ 'idempotency-key': 'once' });
      expect(responses.map(({ status }) => status)).toEqual(Array(CONCURRENT).fill(202));
      expect(locationsOf(responses).size).toBe(1);
      await eventually(() => held.running.length > 0);
      expect(held.running).toHaveLength(1);
      expect(await listed(one.server)).toHaveLength(1);
    });

    it.each([1, 100, 2000])(
      'have their question in the store, byte for byte: a book of %i loans',
      async loans => {
        const { one } = await two();
        const body = JSON.stringify(bookOf(loans));
        const response = await post(one.server, '/book_risk', body, {
          prefer: 'respond-async',
          'x-seed': '9',
        });
        expect(response.status, await response.clone().text()).toBe(202);
        const asked = stored.find(question => question.path === '/book_risk');
        expect(Buffer.from(asked?.body ?? []).toString()).toBe(body);
        expect(asked).toMatchObject({ seed: '9', caller: OWNER });
      },
    );

    it('are accepted up to MAX_JOBS of ten concurrent requests, and again once one has ended', async () => {
      const { held, one, other, posts } = await two(3);
      const statuses = (await posts()).map(({ status }) => status).sort();
      expect(statuses).toEqual([202, 202, 202, ...Array(CONCURRENT - 3).fill(429)]);
      expect(await listed(other.server)).toHaveLength(3);
      await eventually(() => held.running.length === 3);
      held.running[0].finish();
      await eventually(async () => (await submit(one.server)).status === 202);
      expect((await submit(other.server)).status).toBe(429);
    });

    it('are all found and answered after their server has ended, and count until then', async () => {
      const { store, held, one, other } = await two(2);
      const [location] = [...locationsOf([await submit(one.server)])] as [string];
      await eventually(() => held.running.length === 1);
      // As of a server that was killed: nothing renews the lease any more.
      await one.jobs.close(0);
      const third = await startServer(store, { routes: held.routes }, 2);
      expect(await stateOf(third.server, location)).not.toBe('cancelled');
      expect((await submit(other.server)).status).toBe(202);
      expect((await submit(other.server)).status).toBe(429);
      await eventually(() => held.running.length === 3);
      for (const run of held.running) run.finish();
      await eventually(async () => (await stateOf(third.server, location)) === 'done');
      expect((await ask(third.server, `${location}/result`)).status).toBe(200);
    });

    // What cannot be read is the same on every store: the short suite asks the one in memory.
    for (const [state, bytes, why] of [
      ['is gone', undefined, 'its question is no longer in the store of the fleet'],
      ['is no message', Uint8Array.of(0xc1), 'its question in the store of the fleet cannot be read'],
      ['is null', Uint8Array.of(0xc0), 'its question in the store of the fleet cannot be read'],
      ['lacks members', Uint8Array.of(0x80), 'its question in the store of the fleet cannot be read'],
    ] as const)
      it(`fail with the reason where the question ${state}`, {
        tags: bytes === undefined || kind.name === 'memory' ? [] : ['slow'],
      }, async () => {
        const { store, held, one, other } = await two();
        const [location] = [...locationsOf([await submit(one.server, { 'x-request-id': 'mine' })])] as [
          string,
        ];
        await eventually(() => held.running.length === 1);
        const name = `job-question:${idOf(location)}`;
        // The list names it still, as it does where the store drops what it has too little memory for.
        await store.put({ name, bytes: bytes ?? Uint8Array.of(0xc1), seconds: 3600, list: 'job-questions' });
        const { get } = store;
        let reads = 0;
        store.get = async names => {
          const found = await get(names);
          if (!names.includes(name)) return found;
          reads += 1;
          return bytes === undefined ? found.map((each, i) => (names[i] === name ? undefined : each)) : found;
        };
        await one.jobs.close(0);
        await eventually(() => reads > 0);
        // What it cannot read, a server leaves to others for ten minutes.
        passedMs = 11 * MINUTE_MS;
        await eventually(async () => (await stateOf(other.server, location)) === 'failed');
        const result = await ask(other.server, `${location}/result`);
        expect((await problem(result)).detail).toContain(why);
        expect(result.status).toBe(500);
        // Its place is free.
        expect(await store.list(`job-places:${OWNER}`)).toEqual([]);
      });

    it('are left by a server that lacks their key, and answered by one that has it', async () => {
      const store = await openStore(kind);
      const held = heldOperations();
      const { log: otherLog, lines } = collectLog();
      const one = await startServer(store, { routes: held.routes });
      const other = await startServer(store, {
        log: otherLog,
        keyHashes: [hashKey('a-key-of-other-callers').toString('hex')],
      });
      const [location] = [...locationsOf([await submit(one.server)])] as [string];
      await eventually(() => held.running.length === 1);
      await one.jobs.close(0);
      await eventually(() => lines.some(({ msg }) => String(msg).startsWith('this server refuses a job')));
      expect(lines.filter(({ level }) => level === 40)).toEqual([
        expect.objectContaining({ job: idOf(location), reason: expect.stringContaining('The key') }),
      ]);
      const next = await startServer(store);
      await eventually(async () => (await stateOf(next.server, location)) === 'done');
      expect((await ask(next.server, `${location}/result`)).status).toBe(200);
      await other.jobs.close(0);
    });

    it('are shown without entries of another form', async () => {
      const { store, held, one, other } = await two();
      const [location] = [...locationsOf([await submit(one.server, { 'idempotency-key': 'k' })])] as [string];
      await eventually(() => held.running.length === 1);
      for (const [i, bytes] of [[0xc1], [0xc0], [0x80], [0x93, 1, 2, 3]].entries()) {
        await store.put({
          name: `job:x${i}`,
          bytes: Uint8Array.from(bytes),
          seconds: 3600,
          list: `jobs:${OWNER}`,
        });
        expect((await ask(other.server, `/jobs/x${i}`)).status, `${bytes}`).toBe(404);
      }
      await store.put({ name: `job-key:${OWNER}:other`, bytes: Uint8Array.of(0xc0), seconds: 3600 });
      expect((await submit(other.server, { 'idempotency-key': 'other' })).status).toBe(202);
      expect(await listed(other.server)).toHaveLength(2);
      held.running[0].finish();
      await eventually(async () => (await stateOf(other.server, location)) === 'done');
      await store.put({ name: `job-reply:${idOf(location)}`, bytes: Uint8Array.of(0xc0), seconds: 3600 });
      const result = await ask(other.server, `${location}/result`);
      expect([result.status, (await problem(result)).detail]).toEqual([
        410,
        'The result of the job is no longer in the store of the fleet.',
      ]);
    });

    it('are started again by a new request with the same Idempotency-Key once they are deleted', async () => {
      const { held, one, other } = await two();
      const [first] = [...locationsOf([await submit(one.server, { 'idempotency-key': 'k' })])] as [string];
      await eventually(() => held.running.length === 1);
      held.running[0].finish();
      await eventually(async () => (await stateOf(other.server, first)) === 'done');
      expect([...locationsOf([await submit(other.server, { 'idempotency-key': 'k' })])]).toEqual([first]);
      expect((await ask(other.server, first, 'DELETE')).status).toBe(204);
      expect([...locationsOf([await submit(one.server, { 'idempotency-key': 'k' })])]).not.toEqual([first]);
    });
  });

  describe.skipIf(!kind.present)(`A change of several entries on ${kind.name}`, () => {
    const at = (name: string, byte: number, list?: string) => ({
      ...{ name, bytes: Uint8Array.of(byte), seconds: 60 },
      ...(list === undefined ? {} : { list }),
    });

    it('is made whole or not at all', async () => {
      const store = await openStore(kind);
      const get = async (names: readonly string[]) => (await store.get(names)).map(bytes => bytes?.[0]);
      const first = { free: ['a'], room: { list: 'l', most: 1 }, put: [at('a', 1, 'l'), at('b', 2)] };
      expect(await store.change(first)).toBe('done');
      expect(await store.change({ free: ['a'], put: [at('c', 3)] })).toBe('taken');
      expect(await store.change({ room: { list: 'l', most: 1 }, put: [at('c', 3)] })).toBe('full');
      expect(await store.change({ held: at('a', 9), put: [at('c', 3)], forget: ['b'] })).toBe('lost');
      expect(await get(['a', 'b', 'c'])).toEqual([1, 2, undefined]);
      expect(await store.change({ held: at('a', 1, 'l'), put: [at('c', 3)], forget: ['b'] })).toBe('done');
      expect(await get(['a', 'b', 'c'])).toEqual([1, undefined, 3]);
      expect(await store.list('l')).toEqual(['a']);
      await store.forget(['a']);
      expect(await store.change({ room: { list: 'l', most: 1 }, put: [at('d', 4, 'l')] })).toBe('done');
    });

    it('gives a lease to one of ten servers', async () => {
      const store = await openStore(kind);
      const asked = Array.from({ length: CONCURRENT }, (_, i) => store.change({ held: at('lease', i) }));
      const changed = await Promise.all(asked);
      expect(changed.filter(each => each === 'done')).toHaveLength(1);
      expect(await store.change({ held: at('lease', changed.indexOf('done')) })).toBe('done');
    });

    it('counts the entries of a list for ten concurrent changes', async () => {
      const store = await openStore(kind);
      const changed = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, i) =>
          store.change({ room: { list: 'l', most: 4 }, put: [at(`n${i}`, i, 'l')] }),
        ),
      );
      expect(changed.filter(each => each === 'done')).toHaveLength(4);
      expect(await store.list('l')).toHaveLength(4);
    });
  });
}

describe.skipIf(!hasRedisServer)('A Redis that refuses writes', () => {
  it('still lists what is there', async () => {
    const redis = await startRedis();
    closing.push(() => redis.close());
    const url = redis.urlAt(redis.port);
    const store = await openRedisStore(url, 'f', () => {});
    closing.push(() => store.close());
    for (const name of ['there', 'gone'])
      await store.put({ name, bytes: new Uint8Array(1), seconds: 60, list: 'l' });
    const admin = new Redis(url);
    closing.push(async () => admin.disconnect());
    await admin.del('f:gone');
    await admin.config('SET', 'min-replicas-to-write', '1');
    await expect(store.put({ name: 'n', bytes: new Uint8Array(1), seconds: 60 })).rejects.toThrow(
      StoreRefused,
    );
    expect(await store.list('l')).toEqual(['there']);
  });
});

describe.skipIf(!hasRedisServer)('A Redis at its limit of memory', () => {
  it('refuses new jobs with a 503 with the reason, and accepts the ends of stored jobs', async () => {
    const redis = await startRedis();
    closing.push(() => redis.close());
    const url = redis.urlAt(redis.port);
    const open = () => openRedisStore(url, 'f', () => {});
    const stores = [await open(), await open()];
    for (const store of stores) closing.push(() => store.close());
    const held = heldOperations();
    const parts = { routes: held.routes };
    const [one, other] = [await startServer(stores[0], parts), await startServer(stores[1], parts)];
    const location = (await submit(one.server)).headers.get('location') ?? '';
    await eventually(async () => (await stateOf(other.server, location)) === 'running');
    const admin = new Redis(url);
    closing.push(async () => admin.disconnect());
    await admin.config('SET', 'maxmemory', '1');
    const refused = await submit(other.server);
    expect((await problem(refused)).detail).toBe(
      'The store of the fleet has no memory left; try again later.',
    );
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    held.running[0].finish();
    // The lease is renewed first, which takes no memory, and what is written with it passes too.
    await eventually(async () => (await stateOf(other.server, location)) === 'done');
    expect(await stateOf(one.server, location)).toBe('done');
    await admin.config('SET', 'maxmemory', '0');
    expect((await submit(other.server)).status).toBe(202);
    await eventually(() => held.running.length === 2);
  });
});
