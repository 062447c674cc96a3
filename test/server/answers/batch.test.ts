/** /batch: many questions in one request, on half the places, answered as they are done. */
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import type { EngineSet } from '#src/engine/engine-set.js';
import type { LoanRiskRequest } from '#src/question/loan/request.js';
import type { OperationAnswer } from '#src/question/question.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { heldOperations, until } from '../../support/held-operations.ts';
import { ANSWER, KEY, post, problem, serve, testRoutes } from '../../support/http-app.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { checksOf } from '../../support/openapi.ts';
import { LOAN_RISK, VALUE_AT_RISK, withMember } from '../../support/request-bodies.ts';

let server: RunningServer;
afterEach(() => server.drain(1000));

const LARGE = withMember(LOAN_RISK, 'params.mc_iter', 100_000);

interface AnsweredLine {
  readonly id?: string | null;
  readonly line?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Record<string, unknown>;
  readonly done?: number;
}

const text = (lines: readonly unknown[]) =>
  lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

const postLines = (body: string, headers: Record<string, string | null> = {}, signal?: AbortSignal) =>
  post(server, '/batch', body, { 'content-type': 'application/x-ndjson', ...headers }, signal);

async function answersOf(response: Response): Promise<AnsweredLine[]> {
  const all = await response.text();
  expect(all.endsWith('\n'), all).toBe(true);
  return all
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as AnsweredLine);
}

const loan = (id: string, more: object = {}) => ({ id, path: '/loan_risk', body: LOAN_RISK, ...more });

describe('A batch', () => {
  it('answers each line like a separate request, then sends the number of lines', async () => {
    const seen: { readonly seed: number; readonly compute: string }[] = [];
    const routes = testRoutes(async (_request, { seed, compute }) => {
      seen.push({ seed, compute });
      return ANSWER;
    });
    server = await serve({ routes });
    const alone = await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': '7', 'x-compute': 'cpu' });
    const batch = await postLines(
      text([loan('a', { seed: 7, compute: 'cpu' }), { id: 'b', path: '/var', body: VALUE_AT_RISK }]),
    );
    expect(batch.status).toBe(200);
    expect(batch.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = await answersOf(batch);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toEqual({ done: 2 });
    const line = lines.find(({ id }) => id === 'a');
    expect(line?.status).toBe(200);
    expect(line?.body).toEqual(await alone.json());
    for (const [name, value] of Object.entries(line?.headers ?? {}))
      expect(alone.headers.get(name), name).toBe(value);
    expect(line?.headers).toMatchObject({
      'x-seed': '7',
      'x-compute': 'cpu',
      'x-market-data-filled': 'USDC=9',
    });
    expect(seen).toEqual([
      { seed: 7, compute: 'cpu' },
      { seed: 7, compute: 'cpu' },
    ]);
  });

  it('streams answers in the order in which they finish', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const reader = (await postLines(text([loan('first'), loan('second')]))).body?.getReader();
    await until(() => running.length === 2);
    running[1].finish();
    const chunk = await reader?.read();
    expect(JSON.parse(Buffer.from(chunk?.value ?? []).toString()).id).toBe('second');
    running[0].finish();
    await reader?.cancel();
  });

  it('refuses faulty lines only, each with its fault', async () => {
    server = await serve();
    const bad = withMember(LOAN_RISK, 'params.N', -1);
    const response = await postLines(
      [
        text([loan('good')]),
        '{"id": "cut", "path": ',
        '',
        text([
          loan('good'),
          { ...loan('bad'), body: bad },
          { ...loan('where'), path: '/nowhere' },
          { ...loan('seeded'), seed: -1 },
          { ...loan('asked'), query: 'include=everything' },
          { ...loan('unknown'), priority: 1 },
          { id: 'bodiless', path: '/loan_risk' },
          '[1, 2]',
          '{"id":"twice","path":"/loan_risk","body":{"type":"GBM","type":"GBM"}}',
        ]),
      ].join('\n'),
    );
    const lines = await answersOf(response);
    expect(lines.at(-1)).toEqual({ done: 11 });
    const named = (id: string) => lines.find(line => line.id === id);
    const faultsOf = (line: AnsweredLine | undefined) =>
      line?.body?.errors as { path: string; message: string }[];
    expect(named('good')?.status).toBe(200);
    expect(named('bad')?.status).toBe(422);
    expect(faultsOf(named('bad')).map(({ path }) => path)).toContain('params.N');
    expect(faultsOf(named('where'))[0].path).toBe('path');
    expect(faultsOf(named('seeded'))[0].path).toBe('seed');
    expect(faultsOf(named('asked'))[0].path).toBe('query.include');
    expect(faultsOf(named('unknown'))[0].path).toBe('priority');
    expect(faultsOf(named('bodiless'))[0].path).toBe('body');
    expect(faultsOf(named('twice'))[0]).toMatchObject({
      code: 'repeated',
      path: 'type',
      message: 'type is named more than once',
    });
    const unnamed = lines.filter(({ id }) => id === null);
    expect(unnamed.map(({ line, status }) => [line, status]).sort()).toEqual([
      [11, 422],
      [2, 400],
      [4, 422],
    ]);
    const repeated = unnamed.find(({ line }) => line === 4);
    expect(faultsOf(repeated)).toEqual([
      { code: 'repeated', path: 'id', message: 'id must be unique; line 1 has "good" already' },
    ]);
  });

  it.each([
    ['seed', 1e21, 'seed must be a whole number from 0 to 4294967295; got 1e+21'],
    ['seed', 0.5, 'seed must be a whole number from 0 to 4294967295; got 0.5'],
    ['seed', '7', 'seed must be a whole number from 0 to 4294967295; got "7"'],
    ['compute', 'tpu', 'compute must be one of auto, gpu, cpu; got "tpu"'],
    [
      'query',
      '?include=warnings',
      'query must be the query of a URL as a string, without the question mark; got "?include=warnings"',
    ],
  ])('names the member %s of a line with %j', async (path, value, message) => {
    server = await serve();
    const [line] = await answersOf(await postLines(text([loan('a', { [path]: value })])));
    expect(line).toMatchObject({ status: 422, body: { errors: [{ path, message }] } });
    expect(line.body?.errors).toHaveLength(1);
  });

  it('accepts the largest seed, and an empty query', async () => {
    server = await serve();
    const [line] = await answersOf(await postLines(text([loan('a', { seed: 4_294_967_295, query: '' })])));
    expect([line.status, line.headers?.['x-seed']]).toEqual([200, '4294967295']);
  });

  it('names a faulty line by a request_id of a length that openapi.json allows', async () => {
    server = await serve();
    const requestId = 'r'.repeat(64);
    const lines = `${'\n'.repeat(10_000_000)}{}`;
    const [line] = await answersOf(await postLines(lines, { 'x-request-id': requestId }));
    expect(line.body?.request_id).toBe(`${requestId}:10000001`);
    const { exchangeFaults } = checksOf(testRoutes());
    const alone = { method: 'POST', path: '/loan_risk', status: 422, requestText: undefined };
    const headers = { 'content-type': 'application/problem+json' };
    expect(exchangeFaults({ ...alone, headers, body: JSON.stringify(line.body) })).toEqual([]);
  });

  it('reports an internal failure of a line without its cause', async () => {
    const routes = testRoutes(async () => {
      throw new Error('a secret of the server');
    });
    server = await serve({ routes });
    const [line] = await answersOf(await postLines(text([loan('a')])));
    expect(line.status).toBe(500);
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('is refused as a whole where its form is wrong', async () => {
    server = await serve();
    const statusOf = async (sending: Promise<Response>) => (await problem(await sending)).status;
    expect(await statusOf(postLines(text([loan('a')]), { 'content-type': 'application/json' }))).toBe(415);
    expect(await statusOf(postLines(text([loan('a')]), { 'x-api-key': 'wrong' }))).toBe(401);
    expect(await statusOf(postLines('\n \r\n'))).toBe(400);
    expect(await statusOf(postLines('{}\n'.repeat(10_001)))).toBe(413);
    expect(await statusOf(postLines('x'.repeat(64 * 2 ** 20 + 1)))).toBe(413);
    expect((await fetch(`${server.url}/batch`, { headers: { 'x-api-key': KEY } })).headers.get('allow')).toBe(
      'POST',
    );
  });

  it('refuses a line of more than a mebibyte', async () => {
    server = await serve();
    const lines = await answersOf(await postLines(`${' '.repeat(2 ** 20)}{}\n${text([loan('a')])}`));
    expect(lines.map(({ status }) => status).sort()).toEqual([200, 413, undefined]);
  });

  it('refuses a body above 64 KiB like a separate request, without parsing it on the event loop', async () => {
    server = await serve();
    const bodyOf = (bytes: number) => {
      const body = JSON.stringify(LOAN_RISK);
      return body + ' '.repeat(bytes - body.length);
    };
    const lineOf = (id: string, body: string) => `{"id":"${id}","path":"/loan_risk","body":${body},"seed":7}`;
    const large = bodyOf(900_000);
    const alone = await problem(await post(server, '/loan_risk', large));
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const sent = [
      ['just', 65_536],
      ['above', 65_537],
      ['far', 900_000],
    ] as const;
    const answer = await postLines(sent.map(([id, bytes]) => lineOf(id, bodyOf(bytes))).join('\n'));
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThanOrEqual(65_536);
    const answers = lines.map(line => JSON.parse(line) as AnsweredLine);
    const named = (id: string) => answers.find(line => line.id === id);
    expect(named('just')).toMatchObject({ status: 200, headers: { 'x-seed': '7' } });
    for (const id of ['above', 'far'])
      expect(named(id)).toMatchObject({ status: 413, body: { ...alone, request_id: expect.any(String) } });
  });

  it('reads the body of a book in the process that reads those of separate requests', async () => {
    server = await serve();
    const body = `{"type":"GBM","type":${' '.repeat(500_000)}"NOTHING"}`;
    const alone = await problem(await post(server, '/book_risk', body));
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const answer = await postLines(`{"id":"a","path":"/book_risk","body":${body}}`);
    const [line] = await answersOf(answer);
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(10_000);
    expect(line).toMatchObject({ id: 'a', status: 422, body: { errors: alone.errors } });
  });

  it('refuses a line with more than 4 KiB outside its body', async () => {
    server = await serve();
    const [line] = await answersOf(await postLines(text([loan('a', { query: 'x'.repeat(4096) })])));
    expect(line.status).toBe(413);
    expect(line.body?.detail).toBe('The line has more than 4 KiB outside its body.');
  });
});

describe('Lines of a batch', () => {
  it('wait instead of being refused, on half of the places, and leave the rest to other callers', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 0 });
    const small = Array.from({ length: 20 }, (_, i) => loan(`small ${i}`));
    const large = Array.from({ length: 3 }, (_, i) => loan(`large ${i}`, { body: LARGE }));
    const batch = postLines(text([...large, ...small]));
    await until(() => running.length === 5);
    const isLarge = ({ request }: { request: LoanRiskRequest }) =>
      'mc_iter' in request.terms && request.terms.mc_iter === 100_000;
    expect(running.filter(isLarge)).toHaveLength(1);
    // The other places are free: four small ones and a large one run beside the batch, and a fifth is refused.
    const others = Array.from({ length: 4 }, () => post(server, '/loan_risk', LOAN_RISK));
    const otherLarge = post(server, '/loan_risk', LARGE);
    await until(() => running.length === 10);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    for (const { finish } of running) finish();
    for (let done = 10; done < 28; done++) {
      await until(() => running.length > done);
      running[done].finish();
    }
    const answers = await Promise.all([...others, otherLarge]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const lines = await answersOf(await batch);
    expect(lines.filter(({ status }) => status === 200)).toHaveLength(23);
    expect(lines.at(-1)).toEqual({ done: 23 });
  });

  it('have the deadline of a request each, from the moment their turn comes', async () => {
    const { running, routes } = heldOperations();
    const clock = new ManualClock();
    server = await serve({ routes, requestTimeoutSeconds: 20, clock });
    const batch = postLines(text([loan('a', { body: LARGE }), loan('b', { body: LARGE })]));
    // Large background work has one place: the second begins when the first has met its deadline.
    await until(() => running.length === 1);
    clock.advance(20_000);
    await until(() => running.length === 2);
    expect(running.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
    clock.advance(20_000);
    const lines = await answersOf(await batch);
    expect(running).toHaveLength(2);
    expect(lines.map(({ status }) => status)).toEqual([504, 504, undefined]);
  });

  it('are aborted when their client disconnects, and those that wait never start', {
    tags: ['slow'],
  }, async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const leaving = new AbortController();
    const batch = postLines(text(Array.from({ length: 9 }, (_, i) => loan(`${i}`))), {}, leaving.signal);
    await until(() => running.length === 4);
    leaving.abort();
    await (await batch.catch(() => undefined))?.text().catch(() => undefined);
    await until(() => running.every(({ context }) => context.signal.aborted));
    const next = post(server, '/loan_risk', LOAN_RISK);
    await until(() => running.length === 5);
    running[4].finish();
    expect((await next).status).toBe(200);
    expect(running).toHaveLength(5);
  });

  it('of more than two batches of one key at once are refused', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const first = [postLines(text([loan('a')])), postLines(text([loan('a')]))];
    await until(() => running.length === 2);
    const refused = await postLines(text([loan('a')]));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const { finish } of running) finish();
    for (const response of await Promise.all(first))
      expect((await answersOf(response)).at(-1)).toEqual({ done: 1 });
    const again = postLines(text([loan('a')]));
    await until(() => running.length === 3);
    running[2].finish();
    expect((await again).status).toBe(200);
  });

  it('of a third key begin while two keys have two batches each that do not end', async () => {
    const { running, routes } = heldOperations();
    const keys = ['one', 'two', 'three'].map(name => `a-key-of-${name}`);
    server = await serve({ routes, keyHashes: keys.map(key => hashKey(key).toString('hex')), maxQueue: 100 });
    const send = (key: string) => postLines(text([loan('a')]), { 'x-api-key': key });
    const slow = await Promise.all([keys[0], keys[0], keys[1], keys[1]].map(send));
    await until(() => running.length === 4);
    const third = await send(keys[2]);
    expect([...slow, third].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    running[0].finish();
    await until(() => running.length === 5);
    for (const { finish } of running) finish();
    expect((await answersOf(third)).at(-1)).toEqual({ done: 1 });
  });

  it('are refused with the headers of their question where an engine cannot serve them', async () => {
    const routes = testRoutes((): Promise<OperationAnswer> => {
      throw new RiskError('engine-unavailable', 'Away for a moment.', { retryAfterSeconds: 3 });
    });
    const engines = { gpu: undefined, gpuState: 'none' } as EngineSet;
    server = await serve({ routes, engines });
    const [line] = await answersOf(await postLines(text([loan('a')])));
    expect([line.status, line.headers]).toEqual([503, { 'x-seed': '0', 'Retry-After': '3' }]);
  });

  it('have the headers of their question where they fail, like a separate request', async () => {
    const routes = testRoutes(async () => {
      throw new RiskError('missing-market-data', 'There is no price of that year.');
    });
    server = await serve({ routes });
    const alone = await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': '7' });
    const [line] = await answersOf(await postLines(text([loan('a', { seed: 7 })])));
    expect([alone.status, alone.headers.get('x-seed')]).toEqual([422, '7']);
    expect([line.status, line.headers]).toEqual([422, { 'x-seed': '7' }]);
  });
});
