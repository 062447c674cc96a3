/** A view of a job that another server may run, on a clock that the test moves. */
import { expect, it } from 'vitest';
import { Job } from '#src/server/jobs/job.js';
import type { JobInfo } from '#src/server/jobs/job-records.js';
import { type JobSource, SharedJob } from '#src/server/jobs/shared-job.js';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { heldWork, REPLY } from '../../support/shared-job-servers.ts';

const INFO: JobInfo = {
  ...{ id: 'a', owner: 'me', operation: '/var', fingerprint: 'f', created: 1, seen: 2 },
  ...{ state: 'queued', share: 0, reading: false, ended: 0 },
};

const replyOf = async () => REPLY;

/** A view of a job, and what its source says. */
function viewed() {
  const clock = new ManualClock();
  const state: {
    here: Job | undefined;
    looks: ((found: JobInfo | undefined) => void)[];
    fails: (() => void)[];
  } = {
    here: undefined,
    looks: [],
    fails: [],
  };
  const source: JobSource = {
    clock,
    runningHere: () => (state.here?.isFinished === false ? state.here : undefined),
    look: () =>
      new Promise((resolve, reject) => {
        state.looks.push(resolve);
        state.fails.push(() => reject(new Error('away')));
      }),
    replyOf,
  };
  const view = new SharedJob(source, INFO);
  const told: string[] = [];
  const stop = view.onChange(() => told.push(`${view.info.state} ${view.info.share}`));
  return { clock, state, view, told, stop };
}

it('A job of another server is looked at every half second, one look at a time', async () => {
  const { clock, state, told, stop } = viewed();
  clock.advance(499);
  expect(state.looks).toHaveLength(0);
  clock.advance(1);
  expect(state.looks).toHaveLength(1);
  clock.advance(5000);
  expect(state.looks).toHaveLength(1);
  state.looks[0]({ ...INFO, state: 'running', share: 0.5 });
  await idle();
  expect(told).toEqual(['running 0.5']);
  clock.advance(500);
  expect(state.looks).toHaveLength(2);
  state.fails[1]();
  await idle();
  expect(told).toHaveLength(1);
  clock.advance(500);
  state.looks[2](undefined);
  await idle();
  expect(told).toEqual(['running 0.5', 'cancelled 0.5']);
  stop();
  clock.advance(5000);
  expect([state.looks.length, clock.pending]).toEqual([3, 0]);
});

it('A job of this server tells its changes itself, and its end is read from the store', async () => {
  const clock = new ManualClock();
  const held = heldWork();
  const job = new Job({ id: 'a', owner: 'me', operation: '/var', clock: () => 7 }, held.work);
  let looks = 0;
  const source: JobSource = {
    clock,
    runningHere: () => (job.isFinished ? undefined : job),
    look: async () => {
      looks += 1;
      return { ...INFO, state: 'done', share: 1 };
    },
    replyOf,
  };
  const view = new SharedJob(source, INFO);
  const told: string[] = [];
  const stop = view.onChange(() => told.push(`${view.info.state} ${view.info.share}`));
  held.begun[0].report.started();
  held.begun[0].report.progress(0.5);
  expect(view.info).toMatchObject({ state: 'running', share: 0.5, started: 7, fingerprint: 'f', ended: 0 });
  clock.advance(5000);
  expect([told, looks]).toEqual([['running 0', 'running 0.5'], 0]);
  held.begun[0].finish();
  await idle();
  // Until its end is in the store, it is seen as it was.
  expect(await view.reply()).toBeUndefined();
  expect([told.length, view.info.state]).toEqual([2, 'running']);
  clock.advance(500);
  await idle();
  expect([told, looks]).toEqual([['running 0', 'running 0.5', 'done 1'], 1]);
  expect(await view.reply()).toBe(REPLY);
  stop();
  expect(clock.pending).toBe(0);
});

it('A listener that has stopped is told nothing of a job of this server', () => {
  const held = heldWork();
  const job = new Job({ id: 'a', owner: 'me', operation: '/var', clock: () => 7 }, held.work);
  const look = async () => undefined;
  const source: JobSource = { clock: new ManualClock(), runningHere: () => job, look, replyOf };
  let told = 0;
  new SharedJob(source, INFO).onChange(() => {
    told += 1;
  })();
  held.begun[0].report.started();
  expect(told).toBe(0);
});

it('A job that this server adopts while it is watched tells its changes from then on', async () => {
  const { clock, state, told, stop } = viewed();
  clock.advance(500);
  state.looks[0]({ ...INFO, state: 'running', share: 0.5 });
  await idle();
  const held = heldWork();
  state.here = new Job({ id: 'a', owner: 'me', operation: '/var', clock: () => 7 }, held.work);
  clock.advance(500);
  expect(told).toEqual(['running 0.5', 'queued 0']);
  held.begun[0].report.started();
  held.begun[0].report.progress(0.25);
  expect(told.slice(2)).toEqual(['running 0', 'running 0.25']);
  clock.advance(5000);
  expect([told.length, state.looks.length]).toEqual([4, 1]);
  stop();
  held.begun[0].report.progress(0.5);
  expect([told.length, clock.pending]).toEqual([4, 0]);
});
