/** Limits that several processes count together in Redis, and what becomes of them while it is away. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createKey } from '#src/cli/keys.js';
import type { OperationAnswer } from '#src/question/question.js';
import type { Counters } from '#src/server/admission/counters.js';
import { openRedisCounters } from '#src/server/admission/redis-counters.js';
import { openKeyRing } from '#src/server/keys/key-ring.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { ANSWER, NOW, post, serve, testRoutes } from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

const HOST = '127.0.0.1';
const PORT = 6379;
const WORK = 1000 * 1440 * 3;

const hasRedis = await new Promise<boolean>(resolve => {
  const socket = connect(PORT, HOST);
  const end = (there: boolean) => {
    socket.destroy();
    resolve(there);
  };
  socket.once('connect', () => end(true));
  socket.once('error', () => end(false));
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Limits {
  readonly workPerMinute?: number;
  readonly workPerDay?: number;
  readonly concurrent?: number;
}

/** A file with one key, and the key. */
function keyFile(limits: Limits) {
  const file = join(mkdtempSync(join(tmpdir(), 'keys-')), 'keys.json');
  return { file, key: createKey(file, { name: 'desk', scopes: ['operate'], ...limits }, NOW) };
}

async function open(url: string, prefix: string, log = collectLog().log): Promise<Counters> {
  const counters = await openRedisCounters({ url, log, prefix });
  ends.push(() => counters.close());
  return counters;
}

/** One of several processes. */
async function serveOne(counters: Counters, file: string, more = {}): Promise<RunningServer> {
  const keys = openKeyRing({ hashes: [], file, log: collectLog().log, now: () => NOW });
  const server = await serve({ counters, keys, failedKeysPerMinute: 2, ...more });
  ends.push(
    () => keys.close(),
    () => server.drain(1000),
  );
  return server;
}

const newPrefix = () => `tests:${randomUUID()}`;
const ask = async (server: RunningServer, key: string) =>
  (await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': key })).status;

describe.skipIf(!hasRedis)(`Two servers with a Redis (one on ${HOST}:${PORT} is needed)`, () => {
  const url = `redis://${HOST}:${PORT}`;

  it('count the work of a key together', async () => {
    const { file, key } = keyFile({ workPerMinute: 2.5 * WORK });
    const prefix = newPrefix();
    const first = await serveOne(await open(url, prefix), file);
    const second = await serveOne(await open(url, prefix), file);
    expect(await ask(first, key)).toBe(200);
    const told = await post(second, '/loan_risk', LOAN_RISK, { 'x-api-key': key });
    expect(told.headers.get('ratelimit')).toMatch(new RegExp(`^"work";r=${0.5 * WORK};t=\\d+$`));
    expect(await ask(first, key)).toBe(429);
    expect(await ask(second, key)).toBe(429);
  });

  it('count the use of a day and a month together, but not what is refused', async () => {
    const { file, key } = keyFile({ workPerDay: 2.5 * WORK });
    const prefix = newPrefix();
    const first = await serveOne(await open(url, prefix), file);
    const second = await serveOne(await open(url, prefix), file);
    expect([await ask(first, key), await ask(second, key), await ask(first, key)]).toEqual([200, 200, 429]);
    const response = await fetch(`${second.url}/usage`, { headers: { 'x-api-key': key } });
    expect(await response.json()).toMatchObject({
      servers: 'all',
      keys: [{ day: { questions: 2, asset_steps: 2 * WORK }, month: { questions: 2 } }],
    });
    const redis = new Redis(url);
    ends.push(() => redis.disconnect());
    // A total that was never added to is not kept.
    const totals = await redis.keys(`${prefix}:usage:*`);
    expect(totals).toHaveLength(4);
    for (const total of totals) expect(await redis.ttl(total)).toBeGreaterThan(86_400);
  });

  it('count concurrent requests together, and release places', async () => {
    const { file, key } = keyFile({ concurrent: 1 });
    const prefix = newPrefix();
    const finish: (() => void)[] = [];
    const held = () => new Promise<OperationAnswer>(resolve => finish.push(() => resolve(ANSWER)));
    const first = await serveOne(await open(url, prefix), file, { routes: testRoutes(held) });
    const second = await serveOne(await open(url, prefix), file);
    const running = ask(first, key);
    await eventually(() => finish.length === 1);
    expect(await ask(second, key)).toBe(429);
    finish[0]();
    expect(await running).toBe(200);
    await eventually(async () => (await ask(second, key)) === 200);
  });

  it('release the place of a killed process, but not one that is renewed', async () => {
    const prefix = newPrefix();
    const places = (await open(url, prefix)).places('concurrent');
    const redis = new Redis(url);
    ends.push(() => redis.disconnect());
    expect(await places.take('a', 1)).toBeTypeOf('function');
    expect(await places.take('a', 1)).toBeUndefined();
    const [holder] = await redis.zrange(`${prefix}:concurrent:a`, '0', '-1');
    const [seconds] = await redis.time();
    await redis.zadd(`${prefix}:concurrent:a`, String(Number(seconds) * 1000 - 1), holder);
    expect(await places.take('a', 1)).toBeTypeOf('function');
    expect(await redis.pttl(`${prefix}:concurrent:a`)).toBeLessThanOrEqual(60_000);
  });

  it('end a minute, and places of killed processes, where the clock of the Redis was set back', async () => {
    const { file, key } = keyFile({ workPerMinute: 1.5 * WORK });
    const prefix = newPrefix();
    const counters = await open(url, prefix);
    const server = await serveOne(counters, file);
    const redis = new Redis(url);
    ends.push(() => redis.disconnect());
    expect([await ask(server, key), await ask(server, key)]).toEqual([200, 429]);
    const [minute] = await redis.keys(`${prefix}:work:*`);
    // An hour earlier, everything in it lasts an hour longer.
    await redis.pexpire(minute, 3_660_000);
    expect([await ask(server, key), await ask(server, key)]).toEqual([200, 429]);
    expect(await redis.pttl(minute)).toBeLessThanOrEqual(60_000);
    const places = counters.places('concurrent');
    await places.take('a', 1);
    const [seconds] = await redis.time();
    const [holder] = await redis.zrange(`${prefix}:concurrent:a`, '0', '-1');
    await redis.zadd(`${prefix}:concurrent:a`, String((Number(seconds) + 3660) * 1000), holder);
    expect(await places.take('a', 1)).toBeTypeOf('function');
    expect(await places.take('a', 1)).toBeUndefined();
  });

  it('throttle failed keys of an address together', async () => {
    const { file } = keyFile({});
    const prefix = newPrefix();
    const first = await serveOne(await open(url, prefix), file);
    const second = await serveOne(await open(url, prefix), file);
    const statuses = [];
    for (const server of [first, second, first, second]) statuses.push(await ask(server, 'a guess'));
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  it('count separately while it is unavailable, and together again afterwards', async () => {
    const { file, key } = keyFile({ workPerMinute: 1.5 * WORK });
    const way = await openWay();
    const prefix = newPrefix();
    const { log, lines } = collectLog();
    const counters = await open(`redis://${HOST}:${way.port}`, prefix, log);
    const server = await serveOne(counters, file);
    expect(await ask(server, key)).toBe(200);
    await way.close();
    await eventually(() => counters.shared === false);
    expect(await ask(server, key)).toBe(200);
    expect(await ask(server, key)).toBe(429);
    await way.open();
    await eventually(() => counters.shared === true);
    expect(await ask(server, key)).toBe(429);
    expect(lines.some(({ msg }) => msg.startsWith('the shared counters do not answer'))).toBe(true);
  });
});

describe('A server without its Redis', () => {
  it('starts, logs this without the password, and counts alone', async () => {
    const { file, key } = keyFile({ workPerMinute: 1.5 * WORK, concurrent: 2 });
    const { log, lines } = collectLog();
    const counters = await open(`redis://user:very-secret@${HOST}:1`, newPrefix(), log);
    const server = await serveOne(counters, file);
    expect(counters.shared).toBe(false);
    expect(await ask(server, key)).toBe(200);
    expect(await ask(server, key)).toBe(429);
    expect(lines.filter(({ msg }) => msg.startsWith('the shared counters do not answer'))).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('very-secret');
  });
});

/** A way to Redis that can be closed. */
async function openWay() {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    server = createServer(near => {
      const far = connect(PORT, HOST);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => {
          near.destroy();
          far.destroy();
          sockets.delete(socket);
        });
      }
      near.pipe(far).pipe(near);
    });
    server.listen(port, HOST);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server?.close();
    for (const socket of sockets) socket.destroy();
    if (server?.listening) await once(server, 'close');
  };
  await open();
  ends.push(close);
  return {
    open,
    close,
    get port() {
      return port;
    },
  };
}
