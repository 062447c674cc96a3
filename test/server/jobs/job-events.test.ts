/** The resources of jobs, with jobs that the test makes, on a clock that it moves. */
import { expect, it } from 'vitest';
import { CONNECTIONS, createQuota } from '#src/server/admission/quota.js';
import { Job, type JobView } from '#src/server/jobs/job.js';
import { addJobRoutes } from '#src/server/jobs/job-routes.js';
import type { Context } from '#src/server/transport/context.js';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { heldWork, REPLY } from '../../support/shared-job-servers.ts';

type Handler = (ctx: Context) => Promise<void>;

function opened() {
  const clock = new ManualClock();
  const held = heldWork();
  const job = new Job({ id: 'j', owner: 'me', operation: '/var', clock: () => clock.now() }, held.work);
  const shown = { job: job as JobView | undefined };
  const removed: JobView[] = [];
  const routes = new Map<string, Handler>();
  const answers = createQuota('answers', CONNECTIONS, { all: 2, perCaller: 1 });
  const eventStreams = createQuota('streams', CONNECTIONS, { all: 2, perCaller: 1 });
  const jobs = {
    find: async () => shown.job,
    list: async () => [job],
    remove: async (view: JobView) => void removed.push(view),
  };
  const add = (method: string) => (path: string, _: unknown, handler: Handler) =>
    routes.set(`${method} ${path}`, handler);
  addJobRoutes({ get: add('GET'), delete: add('DELETE') } as never, async () => {}, {
    jobs,
    clock,
    answers,
    eventStreams,
  } as never);
  const ending = new AbortController();
  const ask = (route: string, accept = 'application/json') => {
    const written: string[] = [];
    const set: Record<string, string> = {};
    const state = { ended: 0, done: false, error: undefined as unknown };
    const ctx = {
      ...{ path: '/jobs/j', method: 'GET', params: { id: 'j' } },
      state: { caller: 'me', facts: {}, signal: ending.signal },
      accepts: () => (accept === 'text/event-stream' ? accept : 'json'),
      set: (given: object) => Object.assign(set, given),
      res: {
        write: (text: string) => written.push(text) > 0,
        end: () => {
          state.ended += 1;
        },
        flushHeaders: () => {},
      },
    } as unknown as Context;
    (routes.get(route) as Handler)(ctx).then(
      () => {
        state.done = true;
      },
      error => {
        state.error = error;
      },
    );
    return { ctx, written, set, state };
  };
  return { clock, job, shown, removed, answers, eventStreams, ending, ask, begun: held.begun[0] };
}

const QUEUED = {
  ...{ id: 'j', operation: '/var', state: 'queued', share_done: 0, seconds_left: null, result: null },
  ...{ created: '1970-01-01T00:00:00.000Z', started: null, finished: null },
};

it('A job is shown with its times, its rate and its result', async () => {
  const { clock, ask, begun, removed, job } = opened();
  const shown = async () => {
    const { ctx, written } = ask('GET /jobs/:id');
    await idle();
    expect([ctx.state.facts, written]).toEqual([{ job: 'j' }, []]);
    return ctx.body;
  };
  expect(await shown()).toEqual(QUEUED);
  clock.advance(1000);
  begun.report.started();
  begun.report.progress(0.3);
  clock.advance(1000);
  const running = { ...QUEUED, state: 'running', started: '1970-01-01T00:00:01.000Z', share_done: 0.3 };
  expect(await shown()).toEqual({ ...running, seconds_left: 2.3 });
  begun.finish();
  await idle();
  const done = {
    ...running,
    state: 'done',
    share_done: 1,
    finished: '1970-01-01T00:00:02.000Z',
    result: '/jobs/j/result',
  };
  expect(await shown()).toEqual(done);
  const { ctx } = ask('GET /jobs');
  await idle();
  expect(ctx.body).toEqual({ jobs: [done], next: null });
  const deleted = ask('DELETE /jobs/:id');
  await idle();
  expect([deleted.ctx.status, removed]).toEqual([204, [job]]);
});

it('A job that is followed tells each percent, is alive every quarter of a minute, and ends with its end', async () => {
  const { clock, ask, begun } = opened();
  const { written, set, state } = ask('GET /jobs/:id', 'text/event-stream');
  await idle();
  const events = () =>
    written.map(text => (text.startsWith(':') ? text : JSON.parse(text.split('data: ')[1]).share_done));
  expect(set).toEqual({ 'Content-Type': 'text/event-stream' });
  expect(written[0]).toMatch(/^event: state\ndata: \{.*\}\n\n$/);
  begun.report.started();
  await idle();
  for (const share of [0.005, 0.011, 0.019, 0.02]) {
    begun.report.progress(share);
    await idle();
  }
  expect(events()).toEqual([0, 0, 0.011, 0.02]);
  clock.advance(14_999);
  expect(written).toHaveLength(4);
  clock.advance(1);
  expect(written.at(-1)).toBe(': still here\n\n');
  begun.finish();
  await idle();
  expect([events().at(-1), state]).toEqual([1, { ended: 1, done: true, error: undefined }]);
  expect(clock.pending).toBe(0);
});

it('A connection that follows a job counts until it ends, and leaves nothing behind', async () => {
  const { clock, ask, ending, begun, eventStreams } = opened();
  const { written, state } = ask('GET /jobs/:id', 'text/event-stream');
  await idle();
  const beside = ask('GET /jobs/:id', 'text/event-stream');
  await idle();
  expect(beside.state.error).toMatchObject({ reason: 'rate-limited' });
  ending.abort(new Error('gone'));
  await idle();
  expect([state.error, clock.pending]).toEqual([new Error('gone'), 0]);
  const before = written.length;
  begun.report.started();
  await idle();
  expect(written).toHaveLength(before);
  eventStreams.reserve('me', 1);
});

it('The result of a job is its reply, or the reason why there is none', async () => {
  const { ask, begun, shown, job, answers } = opened();
  const asked = async () => {
    const { ctx, set, state } = ask('GET /jobs/:id/result');
    await idle();
    return { status: ctx.status, body: ctx.body, set, error: state.error };
  };
  expect((await asked()).error).toMatchObject({
    status: 409,
    message: 'The job is queued; it has no result yet.',
  });
  begun.finish({ ...REPLY, status: 201, headers: { 'x-seed': '0', 'Content-Type': 'application/json' } });
  await idle();
  expect(await asked()).toEqual({
    ...{ status: 201, body: Buffer.from('{}'), set: { 'x-seed': '0' }, error: undefined },
  });
  const release = answers.add('me', 1);
  expect((await asked()).error).toMatchObject({ reason: 'rate-limited' });
  release();
  const as = (change: object) =>
    ({ info: { ...job.info, ...change }, reply: async () => undefined, onChange: () => () => {} }) as JobView;
  shown.job = as({ state: 'cancelled' });
  expect((await asked()).error).toMatchObject({
    status: 410,
    message: 'The job was cancelled; it has no result.',
  });
  shown.job = as({ state: 'failed' });
  expect((await asked()).error).toMatchObject({
    status: 410,
    message: expect.stringContaining('no longer in the store'),
  });
  shown.job = undefined;
  expect((await asked()).error).toMatchObject({ status: 404, message: 'There is no such job.' });
});
