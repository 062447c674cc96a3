/** Queues, deadlines, callers that leave, and shutting down with work under way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '#src/http/server.js';
import type { OperationAnswer, OperationContext } from '#src/operation/operation.js';
import { ANSWER, post, problem, serve, testRoutes } from '../support/http-app.ts';
import { LOAN_RISK as SMALL, withMember } from '../support/request-bodies.ts';

/** 100,000 paths of 1,440 hours and three assets: large enough for one of the two places. */
const LOAN_RISK = withMember(SMALL, 'params.mc_iter', 100_000);
/** 720 windows would be small: 8,760 of them. */
const LONG_HISTORY = withMember(LOAN_RISK, 'params.model_lookback', 365);

let server: RunningServer;
afterEach(() => server.drain(1000));

/** Operations that wait until the test lets them finish, or until they are aborted. */
function heldOperations() {
  const running: { context: OperationContext; finish: () => void }[] = [];
  const operation = (_request: unknown, context: OperationContext) =>
    new Promise<OperationAnswer>((resolve, reject) => {
      running.push({ context, finish: () => resolve(ANSWER) });
      context.signal.addEventListener('abort', () => reject(context.signal.reason));
    });
  return { running, routes: testRoutes(operation) };
}

/** Waits until `holds`, at most a second. */
async function eventually(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await sleep(5);
  expect(holds()).toBe(true);
}

describe('A queue', () => {
  it('runs two at once, lets MAX_QUEUE wait and answers one more 429 with Retry-After', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 3 });
    const answers = Array.from({ length: 5 }, () => post(server, '/loan_risk', LOAN_RISK));
    await eventually(() => running.length === 2);
    await sleep(50);
    const refused = await post(server, '/loan_risk', LOAN_RISK);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await problem(refused)).title).toBe('Queue full');
    for (let done = 0; done < 5; done++) {
      await eventually(() => running.length > done);
      running[done]?.finish();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const again = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => running.length === 6);
    running[5]?.finish();
    expect((await again).status).toBe(200);
  });

  it('of no length refuses what cannot run at once, and refuses a bad request before that', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 0 });
    const answers = [post(server, '/loan_risk', LOAN_RISK), post(server, '/loan_risk', LOAN_RISK)];
    await eventually(() => running.length === 2);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    expect((await post(server, '/loan_risk', {})).status).toBe(422);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const { finish } of running) finish();
    await Promise.all(answers);
  });

  it('of large requests does not hold up small ones, of which eight run at once', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 0 });
    const large = [post(server, '/loan_risk', LOAN_RISK), post(server, '/loan_risk', LOAN_RISK)];
    await eventually(() => running.length === 2);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    const first = post(server, '/loan_risk', SMALL);
    await eventually(() => running.length === 3);
    running[2]?.finish();
    expect((await first).status).toBe(200);
    const small = Array.from({ length: 8 }, () => post(server, '/loan_risk', SMALL));
    await eventually(() => running.length === 11);
    expect((await post(server, '/loan_risk', SMALL)).status).toBe(429);
    for (const { finish } of running) finish();
    const statuses = (await Promise.all([...large, ...small])).map(({ status }) => status);
    expect(statuses).toEqual(Array(10).fill(200));
  });

  it('for the GPU does not hold up the CPU', async () => {
    const { running, routes } = heldOperations();
    const gpu = { description: { software: false } };
    const engines = { gpu, gpuState: 'ready' } as OperationContext['engines'];
    server = await serve({ routes, maxQueue: 0, engines });
    const onGpu = [post(server, '/loan_risk', LOAN_RISK), post(server, '/loan_risk', LOAN_RISK)];
    await eventually(() => running.length === 2);
    expect((await post(server, '/loan_risk', LOAN_RISK, { 'x-compute': 'gpu' })).status).toBe(429);
    const onCpu = [
      post(server, '/loan_risk', LOAN_RISK, { 'x-compute': 'cpu' }),
      post(server, '/loan_risk', withMember(LONG_HISTORY, 'type', 'HISTORICAL')),
    ];
    await eventually(() => running.length === 4);
    expect((await post(server, '/loan_risk', LOAN_RISK, { 'x-compute': 'cpu' })).status).toBe(429);
    for (const { finish } of running) finish();
    const statuses = (await Promise.all([...onGpu, ...onCpu])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});

describe('A deadline', () => {
  it('aborts the run and is answered 504, and nobody in the queue is kept longer', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, requestTimeoutSeconds: 0.3 });
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(server, '/loan_risk', LOAN_RISK)));
    const seconds = (performance.now() - start) / 1000;
    const late = answers.filter(({ status }) => status === 504);
    for (const response of late)
      expect((await problem(response)).detail).toBe('The request was not finished within 0.3 seconds.');
    // Those that waited meet their deadline, or find that their turn has come too late.
    expect(late.length).toBeGreaterThanOrEqual(2);
    expect(answers.every(({ status }) => status === 504 || status === 429)).toBe(true);
    expect(running).toHaveLength(2);
    // All five arrived together: a wait in the queue must not buy time.
    expect(seconds).toBeGreaterThan(0.25);
    expect(seconds).toBeLessThan(0.6);
    expect(running.every(({ context }) => context.signal.aborted)).toBe(true);
  });

  it('is answered even if the run does not notice, and its place stays taken until it does', async () => {
    let finish = () => {};
    let started = 0;
    const deaf = () =>
      new Promise<OperationAnswer>(resolve => {
        started++;
        finish = () => resolve(ANSWER);
      });
    server = await serve({ routes: testRoutes(deaf), requestTimeoutSeconds: 0.2, maxQueue: 0 });
    const late = await Promise.all([
      post(server, '/loan_risk', LOAN_RISK),
      post(server, '/loan_risk', LOAN_RISK),
    ]);
    expect(late.map(({ status }) => status)).toEqual([504, 504]);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    finish();
    await sleep(20);
    const next = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => started === 3);
    finish();
    expect((await next).status).toBe(200);
  });

  it('that is met leaves the signal alone', async () => {
    const signals: AbortSignal[] = [];
    const routes = testRoutes(async (_request, { signal }) => {
      signals.push(signal);
      return ANSWER;
    });
    server = await serve({ routes, requestTimeoutSeconds: 0.2 });
    await (await post(server, '/loan_risk', LOAN_RISK)).text();
    await sleep(300);
    expect(signals[0]?.aborted).toBe(false);
  });
});

describe('A caller that goes away', () => {
  it('aborts the run and frees its place', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 0 });
    const leaving = new AbortController();
    const answers = [1, 2].map(() => post(server, '/loan_risk', LOAN_RISK, {}, leaving.signal));
    await eventually(() => running.length === 2);
    leaving.abort();
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await eventually(() => running.every(({ context }) => context.signal.aborted));
    const next = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => running.length === 3);
    running[2]?.finish();
    expect((await next).status).toBe(200);
  });

  it('while it waits gives up its place in the queue', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 1 });
    const first = [post(server, '/loan_risk', LOAN_RISK), post(server, '/loan_risk', LOAN_RISK)];
    await eventually(() => running.length === 2);
    const leaving = new AbortController();
    const waiting = post(server, '/loan_risk', LOAN_RISK, {}, leaving.signal);
    await sleep(50);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await sleep(50);
    const inItsPlace = post(server, '/loan_risk', LOAN_RISK);
    await sleep(50);
    for (const { finish } of running) finish();
    await eventually(() => running.length === 3);
    running[2]?.finish();
    const statuses = (await Promise.all([...first, inItsPlace])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('Draining', () => {
  it('finishes what runs, takes nothing new, and closes at once after that', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    // A connection that is kept alive and idle must not hold the server open.
    await (await fetch(`${server.url}/healthz`)).text();
    const answer = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => running.length === 1);
    const start = performance.now();
    const drained = server.drain(5000);
    await sleep(50);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    running[0]?.finish();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await drained;
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('gives up on a run that outlasts its patience', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    const answer = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => running.length === 1);
    const drained = server.drain(100);
    await expect(answer).rejects.toThrow();
    await drained;
    await eventually(() => running[0]?.context.signal.aborted === true);
  });
});
