/** One job: its states, its progress and its end. */
import { describe, expect, it } from 'vitest';
import {
  isAnswered,
  isFinal,
  Job,
  type JobSnapshot,
  type JobState,
  secondsLeft,
} from '#src/server/jobs/job.js';
import { idempotencyKeyUsed, newJobId, serverStopping, tooManyJobs } from '#src/server/jobs/jobs.js';
import { idle } from '../../support/idle.ts';
import { heldWork, REPLY } from '../../support/shared-job-servers.ts';

function begunJob() {
  const time = { now: 1000 };
  const held = heldWork();
  const order = { id: 'a', owner: 'me', operation: '/var', clock: () => time.now };
  const job = new Job(order, held.work);
  const told: JobSnapshot[] = [];
  const stop = job.onChange(() => told.push(job.info));
  const { report, signal, finish } = held.begun[0];
  return { time, job, report, signal, finish, told, stop };
}

describe('A job', () => {
  it('waits, runs and is done, and tells every change', async () => {
    const { time, job, report, finish, told } = begunJob();
    const waiting = {
      id: 'a',
      owner: 'me',
      operation: '/var',
      created: 1000,
      state: 'queued',
      share: 0,
      seen: 1000,
    };
    expect([job.info, await job.reply(), report.id]).toEqual([waiting, undefined, 'a']);
    time.now = 2000;
    report.started();
    report.started();
    report.progress(0.25);
    finish(REPLY);
    await idle();
    expect(await job.reply()).toBe(REPLY);
    const begun = { ...waiting, started: 2000, seen: 2000, state: 'running' };
    expect(told).toEqual([
      begun,
      { ...begun, share: 0.25 },
      { ...begun, share: 1, state: 'done', finished: 2000 },
    ]);
  });

  it.each([
    [200, 'done', 1],
    [399, 'done', 1],
    [400, 'failed', 0.5],
    [422, 'failed', 0.5],
  ])('with a reply of %d is %s', async (status, state, share) => {
    const { job, report, finish } = begunJob();
    report.started();
    report.progress(0.5);
    finish({ ...REPLY, status });
    await idle();
    expect([job.info.state, job.info.share, job.isFinished]).toEqual([state, share, true]);
  });

  it('has a share that grows up to 1, once it runs', () => {
    const { job, report, told } = begunJob();
    report.progress(0.5);
    expect([job.info.share, told.length]).toEqual([0, 0]);
    report.started();
    for (const share of [0.5, 0.5, 0.25, 7]) report.progress(share);
    expect(told.map(({ share }) => share)).toEqual([0, 0.5, 1]);
  });

  it('is cancelled at once, and its work is aborted', async () => {
    const { job, report, signal, finish, told } = begunJob();
    report.started();
    job.cancel();
    expect([job.info.state, job.info.finished, await job.reply(), signal.aborted]).toEqual([
      'cancelled',
      1000,
      undefined,
      true,
    ]);
    expect(signal.reason).toEqual(new Error('The job was cancelled.'));
    finish(REPLY);
    report.progress(0.5);
    job.cancel();
    await idle();
    expect([job.info.state, job.info.share, await job.reply()]).toEqual(['cancelled', 0, undefined]);
    expect(told.map(({ state }) => state)).toEqual(['running', 'cancelled']);
  });

  it('that has ended is not cancelled, and aborts nothing', async () => {
    const { job, signal, finish } = begunJob();
    finish(REPLY);
    await idle();
    job.cancel();
    expect([job.info.state, signal.aborted]).toEqual(['done', false]);
  });

  it('whose work rejects is cancelled', async () => {
    const job = new Job({ id: 'a', owner: 'me', operation: '/var', clock: () => 0 }, () =>
      Promise.reject(new Error('no')),
    );
    await idle();
    expect(job.info.state).toBe('cancelled');
  });

  it('tells nobody who has stopped listening', () => {
    const { report, told, stop } = begunJob();
    stop();
    report.started();
    expect(told).toEqual([]);
  });

  it('may have been created by another server', () => {
    const order = { id: 'a', owner: 'me', operation: '/var', clock: () => 5, created: 3 };
    expect(new Job(order, heldWork().work).info.created).toBe(3);
  });
});

describe('The seconds that are left', () => {
  const running: JobSnapshot = {
    ...{ id: 'a', owner: 'me', operation: '/var', created: 0, state: 'running', share: 0.25 },
    ...{ started: 1000, seen: 3000 },
  };

  it.each<[Partial<JobSnapshot>, number | undefined]>([
    [{}, 6],
    [{ share: 0.5 }, 2],
    [{ share: 1 }, 0],
    [{ seen: 1000 }, 0],
    [{ share: 0 }, undefined],
    [{ started: undefined }, undefined],
    [{ state: 'queued' }, undefined],
    [{ state: 'done' }, undefined],
  ])('of a running job with %j are %s', (change, seconds) => {
    expect(secondsLeft({ ...running, ...change })).toBe(seconds);
  });
});

it('Jobs that are done or failed have a reply, and these and cancelled ones are final', () => {
  const states: readonly JobState[] = ['queued', 'running', 'done', 'failed', 'cancelled'];
  expect(states.filter(isAnswered)).toEqual(['done', 'failed']);
  expect(states.filter(isFinal)).toEqual(['done', 'failed', 'cancelled']);
});

it('Ids of jobs are random and have 128 bits', () => {
  const ids = Array.from({ length: 100 }, newJobId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

it('Refusals of jobs say when to try again', () => {
  expect(tooManyJobs(7)).toMatchObject({
    ...{ reason: 'queue-full', retryAfterSeconds: 5 },
    message: 'This key has 7 unfinished jobs, and at most 7 are accepted; try again later.',
  });
  expect(serverStopping()).toMatchObject({ reason: 'queue-full', retryAfterSeconds: 5 });
  expect(idempotencyKeyUsed()).toMatchObject({
    reason: 'invalid-request',
    faults: [{ path: 'header.idempotency-key' }],
  });
});
