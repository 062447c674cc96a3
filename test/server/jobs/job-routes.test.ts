/** Jobs: a question that is answered later, its progress, its result byte for byte. */
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import { type MarketData, marketDataText } from '#src/market/market-data.js';
import { openSampleMarket } from '#src/market/sample-market.js';
import type { OperationContext } from '#src/question/question.js';
import { createMemoryJobs } from '#src/server/jobs/memory-jobs.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { dayOf } from '#src/text/calendar-date.js';
import { heldOperations, until } from '../../support/held-operations.ts';
import { ANSWER, KEY, NOW, post, problem, serve, testRoutes } from '../../support/http-app.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';

let server: RunningServer;
afterEach(() => server.drain(1000));

interface JobView {
  readonly id: string;
  readonly state: string;
  readonly share_done: number;
  readonly seconds_left: number | null;
  readonly operation: string;
  readonly result: string | null;
}

const ASYNC = { prefer: 'respond-async' };
const submit = (headers: Record<string, string> = {}, body: unknown = LOAN_RISK) =>
  post(server, '/loan_risk', body, { ...ASYNC, ...headers });
const ask = (path: string, { method = 'GET', key = KEY, accept = 'application/json' } = {}) =>
  fetch(server.url + path, { method, headers: { 'x-api-key': key, accept } });
const viewOf = async (path: string) => (await (await ask(path)).json()) as JobView;

async function locationOf(response: Response): Promise<string> {
  expect(response.status, await response.clone().text()).toBe(202);
  return response.headers.get('location') ?? '';
}

async function finished(location: string): Promise<JobView> {
  for (;;) {
    const view = await viewOf(location);
    if (view.state !== 'queued' && view.state !== 'running') return view;
  }
}

it.each(['%00', 'a%00b', '..%2f', '%0a', 'a'.repeat(65)])('A job %s is not looked for', async id => {
  const jobs = createMemoryJobs({ maxJobs: 5, retentionHours: 1 });
  const find = () => Promise.reject(new Error('invalid byte sequence'));
  server = await serve({ jobs: { ...jobs, find } });
  for (const path of [`/jobs/${id}`, `/jobs/${id}/result`]) expect((await ask(path)).status).toBe(404);
  expect((await ask(`/jobs/${id}`, { method: 'DELETE' })).status).toBe(404);
});

describe('A job that waits while the market is renewed', () => {
  it.each([
    [49, 'store; version=000000000001'],
    [50, 'store; version=000000000002'],
  ])('is answered after %i minutes on %s', async (minutes, expected) => {
    const { symbols } = openSampleMarket(() => NOW);
    // What is read of a market here: the held operations read nothing.
    const versionOf = (number: number) =>
      ({ symbols, version: String(number).padStart(12, '0') }) as MarketData;
    let [current, time] = [versionOf(1), NOW.getTime()];
    const held = heldOperations();
    server = await serve({
      routes: held.routes,
      market: { current: () => current },
      jobs: createMemoryJobs({ maxJobs: 5, retentionHours: 1 }),
      now: () => new Date(time),
    });
    // Half the places of a queue are theirs; what comes after waits.
    const places = 4;
    for (let i = 0; i < places; i++) await locationOf(await submit());
    await until(() => held.running.length === places);
    const last = await locationOf(await submit());
    time += 60_000 * minutes;
    current = versionOf(2);
    held.running[0].finish();
    await until(() => held.running.length === places + 1);
    held.running[places].finish();
    await finished(last);
    expect(marketDataText(held.running[places].context.market)).toBe(expected);
    expect((await ask(`${last}/result`)).headers.get('x-market-data')).toBe(expected);
  });
});

describe('A question sent with Prefer: respond-async', () => {
  it('is answered 202, and later with the bytes of the synchronous answer', async () => {
    server = await serve();
    const atOnce = await post(server, '/loan_risk', LOAN_RISK, { 'x-seed': '5', 'x-request-id': 'mine' });
    const response = await submit({ 'x-seed': '5', 'x-request-id': 'mine', prefer: 'wait=1, Respond-Async' });
    const location = await locationOf(response);
    expect(location).toMatch(/^\/jobs\/[A-Za-z0-9_-]{22}$/);
    expect(response.headers.get('preference-applied')).toBe('respond-async');
    expect(((await response.json()) as JobView).operation).toBe('/loan_risk');
    const view = await finished(location);
    expect(view).toMatchObject({ state: 'done', share_done: 1, result: `${location}/result` });
    const result = await ask(`${location}/result`);
    expect(result.status).toBe(200);
    expect(await result.text()).toBe(await atOnce.text());
    // An answer at once depends on Accept: it may be asked for as CSV.
    const ownHeaders = ['date', 'keep-alive', 'vary'];
    const headersOf = (each: Response) => [...each.headers].filter(([name]) => !ownHeaders.includes(name));
    expect(headersOf(result)).toEqual(headersOf(atOnce));
  });

  it.each(['text/csv', 'application/x-ndjson', 'text/csv, text/html'])(
    'is refused where Accept admits no JSON, and begins no job: %s',
    async accept => {
      server = await serve();
      const refused = await submit({ accept });
      expect(await problem(refused)).toMatchObject({
        status: 406,
        detail: 'The header Accept admits no JSON; the result of a job is application/json only.',
      });
      expect(((await (await ask('/jobs')).json()) as { jobs: unknown[] }).jobs).toEqual([]);
    },
  );

  it.each(['text/csv, application/json;q=0.1', '*/*', 'application/*'])(
    'is a job where Accept admits JSON: %s',
    async accept => {
      server = await serve();
      const location = await locationOf(await submit({ accept }));
      await finished(location);
      const result = await ask(`${location}/result`);
      expect(result.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it('is refused at once where it is faulty', async () => {
    server = await serve();
    const refused = await submit({}, withMember(LOAN_RISK, 'params.N', -1));
    expect((await problem(refused)).status).toBe(422);
    expect(((await (await ask('/jobs')).json()) as { jobs: unknown[] }).jobs).toEqual([]);
  });

  it('has the analysis date of its arrival after midnight', async () => {
    let now = new Date('2026-06-15T23:59:59Z');
    const days: number[] = [];
    const routes = testRoutes(async (request, context) => {
      days.push(request.terms.analysis_date, dayOf(context.now));
      return ANSWER;
    });
    server = await serve({ routes, now: () => now });
    const undated = withMember(LOAN_RISK, 'params.analysis_date', undefined);
    const location = await locationOf(await submit({}, undated));
    now = new Date('2026-06-16T00:00:01Z');
    await finished(location);
    expect(new Set(days).size).toBe(1);
  });

  it('fails with the problem of the synchronous request', async () => {
    const routes = testRoutes(async () => {
      throw new Error('a secret of the server');
    });
    server = await serve({ routes });
    const location = await locationOf(await submit({ 'x-request-id': 'mine' }));
    expect((await finished(location)).state).toBe('failed');
    const result = await ask(`${location}/result`);
    const body = await problem(result);
    expect([result.status, body.request_id]).toEqual([500, 'mine']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});

describe('A job', () => {
  it('shows its state and progress, also as events until its end', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, engines: progressEngines() });
    const location = await locationOf(await submit());
    await until(() => running.length === 1);
    expect(await viewOf(location)).toMatchObject({ state: 'running', share_done: 0, seconds_left: null });
    const events = await ask(location, { accept: 'text/event-stream' });
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    const reader = (events.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await advance(running[0].context, 0.25);
    const view = await viewOf(location);
    expect(view.share_done).toBe(0.25);
    expect(view.seconds_left).toBeGreaterThanOrEqual(0);
    // What is less than was told before is ignored.
    await advance(running[0].context, 0.1);
    expect((await viewOf(location)).share_done).toBe(0.25);
    running[0].finish();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += Buffer.from(part.value);
    const states = [...rest.matchAll(/event: state\ndata: (.*)\n\n/g)].map(
      ([, json]) => JSON.parse(json) as JobView,
    );
    expect(states.map(({ state, share_done }) => [state, share_done])).toEqual([
      ['running', 0.25],
      ['done', 1],
    ]);
  });

  it('that is not finished has no result yet: 409', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const location = await locationOf(await submit());
    expect((await problem(await ask(`${location}/result`))).status).toBe(409);
    await until(() => running.length === 1);
    running[0].finish();
    await finished(location);
    expect((await ask(`${location}/result`)).status).toBe(200);
  });

  it('is cancelled by DELETE: its run is aborted, its result removed, its place released', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const location = await locationOf(await submit());
    await until(() => running.length === 1);
    const events = ask(location, { accept: 'text/event-stream' });
    expect((await ask(location, { method: 'DELETE' })).status).toBe(204);
    await until(() => running[0].context.signal.aborted);
    expect((await viewOf(location)).state).toBe('cancelled');
    expect(await (await events).text()).toContain('"state":"cancelled"');
    expect((await problem(await ask(`${location}/result`))).status).toBe(410);
    // A second DELETE forgets it.
    expect((await ask(location, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(location)).status).toBe(404);
  });

  it('is not visible to other keys', async () => {
    const other = 'another-key';
    server = await serve({ keyHashes: [KEY, other].map(key => hashKey(key).toString('hex')) });
    const location = await locationOf(await submit());
    for (const path of [location, `${location}/result`, '/jobs/AAAAAAAAAAAAAAAAAAAAAA'])
      expect((await problem(await ask(path, { key: other }))).status, path).toBe(404);
    expect((await ask(location, { key: other, method: 'DELETE' })).status).toBe(404);
    expect((await ask(location, { key: 'wrong' })).status).toBe(401);
    expect(await (await ask('/jobs', { key: other })).json()).toEqual({ jobs: [], next: null });
    const own = (await (await ask('/jobs')).json()) as { jobs: JobView[] };
    expect(own.jobs.map(({ id }) => `/jobs/${id}`)).toEqual([location]);
  });

  it('has the time limit of a job, not of a request', async () => {
    const { running, routes } = heldOperations();
    const clock = new ManualClock();
    server = await serve({ routes, requestTimeoutSeconds: 0.1, jobTimeoutSeconds: 0.4, clock });
    const location = await locationOf(await submit());
    await until(() => running.length === 1);
    clock.advance(399);
    expect(running[0].context.signal.aborted).toBe(false);
    clock.advance(1);
    expect((await finished(location)).state).toBe('failed');
    const result = await problem(await ask(`${location}/result`));
    expect([result.status, result.detail]).toEqual([504, 'The request was not finished within 0.4 seconds.']);
  });

  it('has a work limit in proportion to its time limit', async () => {
    const scales: (number | undefined)[] = [];
    const engines = {
      ...progressEngines(),
      use: async (_plan: unknown, _choice: unknown, _body: unknown, options: { limitScale?: number }) => {
        scales.push(options.limitScale);
        return { value: undefined, engine: ANSWER.engine };
      },
    } as unknown as EngineSet;
    const routes = testRoutes(async (_request, context) => {
      await context.engines.use(undefined as never, 'auto', async () => undefined, {});
      return ANSWER;
    });
    server = await serve({ routes, engines, requestTimeoutSeconds: 2000, jobTimeoutSeconds: 10_000 });
    await finished(await locationOf(await submit()));
    await post(server, '/loan_risk', LOAN_RISK);
    expect(scales).toEqual([5, undefined]);
  });
});

describe('Limits of jobs', () => {
  it('allow a key MAX_JOBS unfinished ones', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, jobs: createMemoryJobs({ maxJobs: 2, retentionHours: 1 }) });
    const locations = [await locationOf(await submit()), await locationOf(await submit())];
    const refused = await submit();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    await until(() => running.length === 2);
    running[0].finish();
    await finished(locations[0]);
    await locationOf(await submit());
  });

  it('let a retry with the same Idempotency-Key find the first job, and refuse another question', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const key = { 'idempotency-key': 'once' };
    const first = await locationOf(await submit(key));
    expect(await locationOf(await submit(key))).toBe(first);
    const other = await submit(key, withMember(LOAN_RISK, 'params.N', 3));
    expect((await problem(other)).errors).toMatchObject([{ path: 'header.idempotency-key' }]);
    expect((await problem(await submit({ 'idempotency-key': 'a b' }))).status).toBe(422);
    await until(() => running.length === 1);
    running[0].finish();
    await finished(first);
    expect(await locationOf(await submit(key))).toBe(first);
    expect(running).toHaveLength(1);
  });

  it('cancel running jobs and refuse new ones when the service stops', async () => {
    const { running, routes } = heldOperations();
    const jobs = createMemoryJobs({ maxJobs: 2, retentionHours: 1 });
    server = await serve({ routes, jobs });
    const location = await locationOf(await submit());
    await until(() => running.length === 1);
    jobs.close(1000);
    expect(running[0].context.signal.aborted).toBe(true);
    expect((await viewOf(location)).state).toBe('cancelled');
    expect((await submit()).status).toBe(429);
  });
});

/** Engines whose runs end when they are told so, by way of their progress. */
function progressEngines(): EngineSet {
  const engine = { run: async (_plan: unknown, options: { onProgress: (share: number) => void }) => options };
  return {
    gpu: undefined,
    gpuState: 'none',
    use: async (_plan: unknown, _choice: unknown, body: (engine: unknown) => unknown) => ({
      value: await body(engine),
    }),
  } as unknown as EngineSet;
}

/** Lets the engine of a run tell that it is so far. */
async function advance({ engines }: OperationContext, share: number): Promise<void> {
  await engines.use(undefined as never, 'auto', async engine => {
    const options = (await engine.run(undefined as never)) as unknown as {
      onProgress: (share: number) => void;
    };
    options.onProgress(share);
  });
}
