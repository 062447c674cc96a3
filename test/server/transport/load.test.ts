/** Queues, deadlines, callers that leave, and shutting down with work under way. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import type { OperationAnswer, OperationContext } from '#src/question/question.js';
import { type Admission, createAdmission } from '#src/server/admission/admission.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { ANSWER, post, problem, serve, testRoutes } from '../../support/http-app.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { LOAN_RISK as SMALL, withMember } from '../../support/request-bodies.ts';

/** 100,000 paths of 1,440 hours and three assets: large enough for one of the two places. */
const LOAN_RISK = withMember(SMALL, 'params.mc_iter', 100_000);
/** Milliseconds that pass only where something hangs. */
const HOURS = 10_000_000;
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

/** Queues on a clock that stands still, and how many requests are in them or at work. */
function watchedAdmission(maxQueue: number) {
  const queues = createAdmission(maxQueue, new ManualClock());
  const inside = { count: 0 };
  const admission: Admission = {
    ...queues,
    run: (entrant, signal, work) => {
      inside.count += 1;
      return queues.run(entrant, signal, work).finally(() => {
        inside.count -= 1;
      });
    },
  };
  return { admission, inside };
}

/** Opens a connection of its own. */
async function connectTo({ url }: RunningServer): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.destroy();
}

describe('A queue', () => {
  it('runs two at once, lets MAX_QUEUE wait and answers one more 429 with Retry-After', async () => {
    const { running, routes } = heldOperations();
    const { admission, inside } = watchedAdmission(3);
    server = await serve({ routes, admission });
    const answers = Array.from({ length: 5 }, () => post(server, '/loan_risk', LOAN_RISK));
    await eventually(() => inside.count === 5);
    expect(running).toHaveLength(2);
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

  it('of no length refuses requests that cannot run at once, and an invalid request before that', async () => {
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

  it('of large requests does not delay small ones, of which eight run at once', async () => {
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

  it('of large requests includes those with a long fit and a short simulation', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes, maxQueue: 0 });
    const fitted = withMember(withMember(SMALL, 'type', 'FHS'), 'params.model_lookback', 3650);
    const fits = [post(server, '/loan_risk', fitted), post(server, '/loan_risk', fitted)];
    await eventually(() => running.length === 2);
    expect((await post(server, '/loan_risk', fitted)).status).toBe(429);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    const small = post(server, '/loan_risk', SMALL);
    await eventually(() => running.length === 3);
    for (const { finish } of running) finish();
    expect((await Promise.all([...fits, small])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('for the GPU does not delay the CPU', async () => {
    const { running, routes } = heldOperations();
    const gpu = { description: { software: false } };
    const engines = { gpu, gpuState: 'ready' } as EngineSet;
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
  it('aborts the run and is answered 504, and does not delay the queue', async () => {
    const { running, routes } = heldOperations();
    const clock = new ManualClock();
    const { admission, inside } = watchedAdmission(4);
    server = await serve({ routes, admission, requestTimeoutSeconds: 60, clock });
    let answered = 0;
    const answers = Array.from({ length: 5 }, async () => {
      const response = await post(server, '/loan_risk', LOAN_RISK);
      answered += 1;
      return response;
    });
    await eventually(() => inside.count === 5);
    clock.advance(59_999);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect([answered, inside.count]).toEqual([0, 5]);
    // All five arrived together: a wait in the queue must not buy time.
    clock.advance(1);
    for (const response of await Promise.all(answers)) {
      const { status, detail } = await problem(response);
      expect([status, detail]).toEqual([504, 'The request was not finished within 60 seconds.']);
    }
    expect(running).toHaveLength(2);
    expect(running.every(({ context }) => context.signal.aborted)).toBe(true);
  });

  it('is answered at once even if the run ends later, which releases its place', async () => {
    let finish = () => {};
    let started = 0;
    const deaf = () =>
      new Promise<OperationAnswer>(resolve => {
        started++;
        finish = () => resolve(ANSWER);
      });
    const clock = new ManualClock();
    server = await serve({ routes: testRoutes(deaf), requestTimeoutSeconds: 20, maxQueue: 0, clock });
    const answers = [post(server, '/loan_risk', LOAN_RISK), post(server, '/loan_risk', LOAN_RISK)];
    await eventually(() => started === 2);
    clock.advance(20_000);
    const late = await Promise.all(answers);
    expect(late.map(({ status }) => status)).toEqual([504, 504]);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    finish();
    // Its place is free as soon as the work has ended.
    await new Promise(setImmediate);
    const next = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => started === 3);
    finish();
    expect((await next).status).toBe(200);
  });

  it('that is met does not abort the signal', async () => {
    const signals: AbortSignal[] = [];
    const routes = testRoutes(async (_request, { signal }) => {
      signals.push(signal);
      return ANSWER;
    });
    const clock = new ManualClock();
    server = await serve({ routes, requestTimeoutSeconds: 20, clock });
    await (await post(server, '/loan_risk', LOAN_RISK)).text();
    await eventually(() => clock.pending === 0);
    clock.advance(30_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('A client that disconnects', () => {
  it('aborts the run and releases its place', async () => {
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

  it('while it waits leaves the queue', async () => {
    const { running, routes } = heldOperations();
    const { admission, inside } = watchedAdmission(1);
    server = await serve({ routes, admission });
    const first = [post(server, '/loan_risk', LOAN_RISK), post(server, '/loan_risk', LOAN_RISK)];
    await eventually(() => running.length === 2);
    const leaving = new AbortController();
    const waiting = post(server, '/loan_risk', LOAN_RISK, {}, leaving.signal);
    await eventually(() => inside.count === 3);
    expect((await post(server, '/loan_risk', LOAN_RISK)).status).toBe(429);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await eventually(() => inside.count === 2);
    const inItsPlace = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => inside.count === 3);
    for (const { finish } of running) finish();
    await eventually(() => running.length === 3);
    running[2]?.finish();
    const statuses = (await Promise.all([...first, inItsPlace])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('Draining', () => {
  it('finishes running requests, accepts no new ones, and then closes at once', async () => {
    const { running, routes } = heldOperations();
    server = await serve({ routes });
    // A connection that is kept alive and idle must not hold the server open.
    await (await fetch(`${server.url}/healthz`)).text();
    const answer = post(server, '/loan_risk', LOAN_RISK);
    await eventually(() => running.length === 1);
    const drained = server.drain(HOURS);
    // What the kernel has accepted is served; soon it accepts nothing more.
    let refused = '';
    await eventually(() => {
      connectTo(server).catch((error: NodeJS.ErrnoException) => {
        refused = error.message;
      });
      return refused !== '';
    });
    expect(refused).toContain('ECONNREFUSED');
    running[0]?.finish();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await drained;
  });

  it('closes the connection of a run that takes longer than the limit', async () => {
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
