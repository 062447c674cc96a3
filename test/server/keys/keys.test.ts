/** Keys with scopes, expiry and limits, in a file that changes while the service runs. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { afterEach, describe, expect, it } from 'vitest';
import { createKey, keyTable, revokeKey, rotateKey } from '#src/cli/keys.js';
import type { OperationAnswer } from '#src/question/question.js';
import { type Counters, memoryCounters } from '#src/server/admission/counters.js';
import { isFinal } from '#src/server/jobs/job.js';
import { createMemoryJobs } from '#src/server/jobs/memory-jobs.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import { KeyFileError, readKeyFile } from '#src/server/keys/key-file.js';
import { type KeyRing, openKeyRing } from '#src/server/keys/key-ring.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { heldOperations, until } from '../../support/held-operations.ts';
import {
  ANSWER,
  KEY,
  NOW,
  type ProblemBody,
  post,
  problem,
  serve,
  testRoutes,
} from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';
import { DOCUMENT } from '../../support/openapi.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

const { log, lines } = collectLog();
const WORK = 1000 * 1440 * 3;

let server: RunningServer | undefined;
let ring: KeyRing | undefined;
afterEach(async () => {
  ring?.close();
  await server?.drain(1000);
  server = undefined;
});

const newFile = () => join(mkdtempSync(join(tmpdir(), 'keys-')), 'keys.json');

async function serveFile(file: string, now = NOW): Promise<RunningServer> {
  ring = openKeyRing({ hashes: [hashKey(KEY).toString('hex')], file, log, now: () => now });
  server = await serve({ keys: ring });
  return server;
}

const operate = { name: 'desk', scopes: ['operate'] } as const;

/** Methods and paths of openapi.json that need a key, always. */
const BEHIND_A_KEY = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { responses, security }]) =>
    // The application of the tests has no back-tests.
    responses === undefined || security !== undefined || path === '/backtest'
      ? []
      : [[method.toUpperCase(), path] as const],
  ),
);

/** The status of a request without a body; what it is answered is held against openapi.json. */
async function statusOf(running: RunningServer, method: string, path: string, key: string): Promise<number> {
  const url = running.url + path.replace('{id}', 'gq5hC1yTQGmV0l2dHtRr1g');
  const response = await fetch(url, { method, headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  return response.status;
}

describe('A file of keys', () => {
  it('has digests, never keys, and accepts the keys that it names', async () => {
    const file = newFile();
    const key = createKey(file, { ...operate, days: 30, workPerMinute: 1e9, concurrent: 4 }, NOW);
    expect(JSON.stringify(readKeyFile(file))).not.toContain(key);
    expect(keyTable(file, NOW)).toMatch(/desk +operate +2026-06-15T12:34:56.000Z +2026-07-15T/);
    const running = await serveFile(file);
    expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': key })).status).toBe(200);
    expect((await post(running, '/loan_risk', LOAN_RISK)).status).toBe(200);
    expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': `${key}x` })).status).toBe(401);
  });

  it('takes effect without a restart when it changes', async () => {
    const file = newFile();
    const first = createKey(file, operate, NOW);
    const running = await serveFile(file);
    const second = createKey(file, { ...operate, name: 'another' }, NOW);
    revokeKey(file, 'desk', NOW);
    ring?.reload();
    expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': first })).status).toBe(401);
    expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': second })).status).toBe(200);
  });

  it('does not change the keys when it becomes faulty', async () => {
    const file = newFile();
    const key = createKey(file, operate, NOW);
    const running = await serveFile(file);
    writeFileSync(file, '{"version": 2}');
    ring?.reload();
    expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': key })).status).toBe(200);
    expect(lines.some(({ msg }) => msg.startsWith('the file of keys is faulty'))).toBe(true);
    expect(() => readKeyFile(file)).toThrow(KeyFileError);
  });

  it('rotates a key: the old one is valid for a while', async () => {
    const file = newFile();
    const old = createKey(file, { ...operate, workPerMinute: 1e9 }, NOW);
    const next = rotateKey(file, 'desk', 24, NOW);
    const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
    for (const [hours, status] of [
      [23, 200],
      [25, 401],
    ] as const) {
      const running = await serveFile(file, at(hours));
      expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': old })).status).toBe(status);
      expect((await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': next })).status).toBe(200);
      ring?.close();
      await running.drain(1000);
    }
    expect(readKeyFile(file)[1].work_per_minute).toBe(1e9);
    expect(() => createKey(file, operate, NOW)).toThrow('already');
  });
});

describe('A key that is rotated', () => {
  it('has the same lifetime again, and ends with its successor when its name is revoked', () => {
    const file = newFile();
    const DAY = 86_400_000;
    createKey(file, { ...operate, days: 30 }, NOW);
    const later = new Date(NOW.getTime() + 10 * DAY);
    rotateKey(file, 'desk', 24, later);
    const [old, next] = readKeyFile(file);
    expect(old.expires).toBe(new Date(later.getTime() + DAY).toISOString());
    expect(next.expires).toBe(new Date(later.getTime() + 30 * DAY).toISOString());
    revokeKey(file, 'desk', later);
    expect(readKeyFile(file).map(({ revoked }) => revoked)).toEqual([
      later.toISOString(),
      later.toISOString(),
    ]);
  });

  it('is named by its name, which means the latest, or by its identifier', () => {
    const file = newFile();
    for (const name of ['desk', 'risk']) createKey(file, { ...operate, name }, NOW);
    rotateKey(file, readKeyFile(file)[0].id, 24, NOW);
    rotateKey(file, 'desk', 24, NOW);
    const expires = new Date(NOW.getTime() + 86_400_000).toISOString();
    expect(readKeyFile(file).map(key => [key.name, key.expires])).toEqual([
      ['desk', expires],
      ['risk', undefined],
      ['desk', expires],
      ['desk', undefined],
    ]);
    for (const end of [revokeKey, (path: string, name: string, now: Date) => rotateKey(path, name, 24, now)])
      expect(() => end(file, 'nobody', NOW)).toThrow('has no key nobody that is not revoked');
  });

  it('is revoked alone by its identifier', () => {
    const file = newFile();
    createKey(file, operate, NOW);
    rotateKey(file, 'desk', 24, NOW);
    const [old, next] = readKeyFile(file);
    revokeKey(file, old.id, NOW);
    expect(readKeyFile(file).map(({ revoked }) => revoked)).toEqual([NOW.toISOString(), undefined]);
    expect(next.id).not.toBe(old.id);
  });
});

describe('A key', () => {
  it('without the scope is answered 403', async () => {
    const file = newFile();
    const key = createKey(file, { name: 'monitor', scopes: ['read'] }, NOW);
    const running = await serveFile(file);
    const refused = await post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': key });
    expect((await problem(refused)).detail).toBe('The key lacks the scope operate.');
    expect(refused.status).toBe(403);
  });

  it('without the scope is answered 403 at every path that needs it, as openapi.json has it', async () => {
    // Batches, reports, four requests of jobs, symbols, prices, scenarios, usage and the operations.
    expect(BEHIND_A_KEY).toHaveLength(10 + testRoutes().length);
    const file = newFile();
    const key = createKey(file, { name: 'monitor', scopes: ['read'] }, NOW);
    const running = await serveFile(file);
    for (const [method, path] of BEHIND_A_KEY)
      expect([path, await statusOf(running, method, path, key)]).toEqual([
        path,
        path === '/usage' ? 200 : 403,
      ]);
  });

  it('at its work limit is answered with Retry-After; another key is not delayed', async () => {
    const file = newFile();
    const key = createKey(file, { ...operate, workPerMinute: 2.5 * WORK }, NOW);
    const running = await serveFile(file);
    const ask = () => post(running, '/loan_risk', LOAN_RISK, { 'x-api-key': key });
    const first = await ask();
    expect(first.headers.get('ratelimit-policy')).toBe(`"work";q=${2.5 * WORK};w=60`);
    expect(first.headers.get('ratelimit')).toMatch(/^"work";r=6480000;t=\d+$/);
    expect((await ask()).status).toBe(200);
    for (let i = 0; i < 3; i++) {
      const refused = await ask();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('ratelimit-policy')).toBe(`"work";q=${2.5 * WORK};w=60`);
      // What was refused has taken nothing.
      expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"work";r=${WORK / 2};t=\\d+$`));
      expect((await problem(refused)).type).toBe('urn:collateral-risk-engine:rate-limited');
    }
    expect((await post(running, '/loan_risk', LOAN_RISK)).status).toBe(200);
  });

  it('may have as many requests at once as its limit allows', async () => {
    const file = newFile();
    const key = createKey(file, { ...operate, concurrent: 1 }, NOW);
    ring = openKeyRing({ hashes: [], file, log, now: () => NOW });
    const finish: (() => void)[] = [];
    const held = () => new Promise<OperationAnswer>(resolve => finish.push(() => resolve(ANSWER)));
    server = await serve({ keys: ring, routes: testRoutes(held) });
    const ask = () => post(server as RunningServer, '/loan_risk', LOAN_RISK, { 'x-api-key': key });
    const first = ask();
    while (finish.length < 1) await new Promise(setImmediate);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect((await problem(refused)).detail).toBe('The key may have 1 request at the same time.');
    finish[0]();
    expect((await first).status).toBe(200);
    const next = ask();
    while (finish.length < 2) await new Promise(setImmediate);
    finish[1]();
    expect((await next).status).toBe(200);
  });
});

describe('Background work of a key', () => {
  const line = (id: string) => JSON.stringify({ id, path: '/loan_risk', body: LOAN_RISK });
  const postLines = (key: string, ids: readonly string[]) =>
    post(server as RunningServer, '/batch', ids.map(line).join('\n'), {
      'x-api-key': key,
      'content-type': 'application/x-ndjson',
    });
  const statusesOf = async (response: Response) =>
    (await response.text())
      .trimEnd()
      .split('\n')
      .map(text => (JSON.parse(text) as { status?: number }).status);

  /** A server with operations that the test ends, and a key that may have one of them at once. */
  async function serveOneAtOnce() {
    const { running, routes } = heldOperations();
    const file = newFile();
    const key = createKey(file, { ...operate, concurrent: 1 }, NOW);
    ring = openKeyRing({ hashes: [], file, log, now: () => NOW });
    server = await serve({ keys: ring, routes });
    return { running, key, server };
  }

  it('waits for a place of the key, in order, where a request is refused', async () => {
    const { running, key, server } = await serveOneAtOnce();
    const batch = postLines(key, ['a', 'b', 'c']);
    for (let done = 0; done < 3; done++) {
      await until(() => running.length === done + 1);
      expect((await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': key })).status).toBe(429);
      expect(running).toHaveLength(done + 1);
      running[done].finish();
    }
    expect(await statusesOf(await batch)).toEqual([200, 200, 200, undefined]);
  });

  it('that waits for a place is dropped when its client disconnects, and the next one is served', async () => {
    const { running, key, server } = await serveOneAtOnce();
    const first = post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': key });
    await until(() => running.length === 1);
    const headers = { 'x-api-key': key, prefer: 'respond-async' };
    const begun = await Promise.all([1, 2].map(() => post(server, '/loan_risk', LOAN_RISK, headers)));
    expect(begun.map(({ status }) => status)).toEqual([202, 202]);
    const { url } = server;
    await fetch(`${url}${begun[0].headers.get('location')}`, {
      method: 'DELETE',
      headers: { 'x-api-key': key },
    });
    running[0].finish();
    expect((await first).status).toBe(200);
    await until(() => running.length === 2);
    running[1].finish();
    const result = () =>
      fetch(`${url}${begun[1].headers.get('location')}/result`, { headers: { 'x-api-key': key } });
    while ((await result()).status === 409) await new Promise(setImmediate);
    expect((await result()).status).toBe(200);
    expect(running).toHaveLength(2);
  });

  it('waits for the next minute where the work of this one is spent', async () => {
    const file = newFile();
    const key = createKey(file, { ...operate, workPerMinute: 2.5 * WORK, concurrent: 1 }, NOW);
    ring = openKeyRing({ hashes: [], file, log, now: () => NOW });
    const own = memoryCounters();
    let refusals = 2;
    const counters: Counters = {
      ...own,
      perMinute(name, points) {
        const limiter = own.perMinute(name, points);
        const consume = limiter.consume.bind(limiter);
        limiter.consume = async (...asked) => {
          if (name !== 'work' || refusals === 0) return consume(...asked);
          refusals -= 1;
          throw new RateLimiterRes(0, 20, 0, false);
        };
        return limiter;
      },
    };
    server = await serve({ keys: ring, counters });
    expect(await statusesOf(await postLines(key, ['a', 'b']))).toEqual([200, 200, undefined]);
    expect(refusals).toBe(0);
  });
});

describe('Background work of a key that is revoked', () => {
  const line = (id: string) => JSON.stringify({ id, path: '/loan_risk', body: LOAN_RISK });
  const batchOf = (key: string, ids: readonly string[]) =>
    post(server as RunningServer, '/batch', ids.map(line).join('\n'), {
      'x-api-key': key,
      'content-type': 'application/x-ndjson',
    });
  const linesOf = async (response: Response) =>
    (await response.text())
      .trimEnd()
      .split('\n')
      .map(text => JSON.parse(text) as { id?: string; status?: number; body: ProblemBody })
      .sort((one, other) => ((one.id ?? '~') < (other.id ?? '~') ? -1 : 1));
  const WHY = 'The key of this question was revoked, or has expired, before it began.';

  it.each([
    ['is revoked', (file: string) => void revokeKey(file, operate.name, NOW)],
    [
      'loses its scope',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"operate"', '"read"')),
    ],
  ])('is refused where it has not begun when the key %s', async (how, change) => {
    const { running, routes } = heldOperations();
    const file = newFile();
    const key = createKey(file, { ...operate, concurrent: 1 }, NOW);
    ring = openKeyRing({ hashes: [], file, log, now: () => NOW });
    const jobs = createMemoryJobs({ maxJobs: 4, retentionHours: 1 });
    server = await serve({ keys: ring, routes, jobs });
    const answers = batchOf(key, ['a', 'b', 'c']);
    await until(() => running.length === 1);
    const job = await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': key, prefer: 'respond-async' });
    expect(job.status).toBe(202);
    const { id } = (await job.json()) as { id: string };
    change(file);
    ring.reload();
    running[0].finish();
    const [first, ...others] = await linesOf(await answers);
    expect(first.status).toBe(200);
    const status = how === 'is revoked' ? 401 : 403;
    expect(others.map(each => each.status)).toEqual([status, status, undefined]);
    expect(others[0].body.detail).toBe(how === 'is revoked' ? WHY : 'The key lacks the scope operate.');
    // No request of the key can show it any more.
    const owner = hashKey(key).toString('hex');
    await eventually(async () => isFinal((await jobs.find(owner, id))?.info.state ?? 'queued'));
    const view = await jobs.find(owner, id);
    expect([view?.info.state, (await view?.reply())?.status]).toEqual(['failed', status]);
    expect(running).toHaveLength(1);
  });

  it('is refused without waiting for the next minute of the key', { tags: ['slow'] }, async () => {
    const file = newFile();
    const key = createKey(file, { ...operate, workPerMinute: WORK }, NOW);
    ring = openKeyRing({ hashes: [], file, log, now: () => NOW });
    const own = memoryCounters();
    let refused = 0;
    const counters: Counters = {
      ...own,
      perMinute(name, points) {
        const limiter = own.perMinute(name, points);
        limiter.consume = async () => {
          refused += 1;
          // So long that the test would not end.
          throw new RateLimiterRes(0, 2 ** 30, 0, false);
        };
        return limiter;
      },
    };
    server = await serve({ keys: ring, counters });
    const answers = batchOf(key, ['a', 'b']);
    await until(() => refused === 1);
    revokeKey(file, operate.name, NOW);
    ring.reload();
    const lines = await linesOf(await answers);
    expect(lines.map(each => each.status)).toEqual([401, 401, undefined]);
    expect(refused).toBe(1);
  });

  it('is refused from the expiry of the key on', async () => {
    const { running, routes } = heldOperations();
    const file = newFile();
    const expires = NOW.getTime() + 86_400_000;
    const key = createKey(file, { ...operate, concurrent: 1, days: 1 }, NOW);
    let time = NOW.getTime();
    ring = openKeyRing({ hashes: [], file, log, now: () => new Date(time) });
    server = await serve({ keys: ring, routes });
    const answers = batchOf(key, ['a', 'b', 'c']);
    await until(() => running.length === 1);
    time = expires - 1;
    running[0].finish();
    await until(() => running.length === 2);
    time = expires;
    running[1].finish();
    expect((await linesOf(await answers)).map(each => each.status)).toEqual([200, 200, 401, undefined]);
  });
});

describe('Failed keys', () => {
  it('of one address are throttled, and a valid key from it is not', async () => {
    server = await serve({ failedKeysPerMinute: 3 });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++)
      statuses.push((await post(server, '/loan_risk', LOAN_RISK, { 'x-api-key': `guess ${i}` })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(200);
  });

  it('are throttled at every path that needs a key, as openapi.json has it', async () => {
    server = await serve({ failedKeysPerMinute: 1 });
    const first = await statusOf(server, 'GET', '/symbols', 'guess');
    expect(first).toBe(401);
    for (const [method, path] of BEHIND_A_KEY)
      expect([path, await statusOf(server, method, path, 'guess')]).toEqual([path, 429]);
  });
});
