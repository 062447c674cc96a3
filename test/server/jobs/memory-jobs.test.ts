/** Jobs in memory on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { type JobReply, secondsLeft } from '#src/server/jobs/job.js';
import { createMemoryJobs } from '#src/server/jobs/memory-jobs.js';
import { heldWork } from '../../support/shared-job-servers.ts';

const HOUR = 3_600_000;
const settled = () => new Promise(setImmediate);

function openJobs(options: { maxResultBytes?: number; maxFinished?: number } = {}) {
  const time = { now: 0, elapsed: 0 };
  const jobs = createMemoryJobs({
    ...{ maxJobs: 3, retentionHours: 2, clock: () => time.now, elapsed: () => time.elapsed },
    ...options,
  });
  const submit = (body: string, fingerprint = body, idempotencyKey?: string) =>
    jobs.submit({
      owner: 'me',
      operation: '/loan_risk',
      fingerprint,
      idempotencyKey,
      work: async (): Promise<JobReply> => ({ status: 200, headers: {}, body }),
    });
  /** Work that the test ends. */
  const submitHeld = async (owner: string) => {
    const held = heldWork();
    const view = await jobs.submit({
      ...{ owner, operation: '/loan_risk', fingerprint: '', idempotencyKey: undefined, work: held.work },
    });
    return { view, held };
  };
  return { time, jobs, submit, submitHeld };
}

describe('Jobs in memory', () => {
  it('are removed with their results and idempotency keys after the retention', async () => {
    const { time, jobs, submit } = openJobs();
    const job = await submit('a', 'a', 'once');
    await settled();
    time.elapsed = 2 * HOUR;
    expect(await jobs.find('me', job.info.id)).toBe(job);
    expect(await submit('a', 'a', 'once')).toBe(job);
    time.elapsed = 2 * HOUR + 1;
    expect(await jobs.find('me', job.info.id)).toBeUndefined();
    expect(await submit('b', 'b', 'once')).not.toBe(job);
  });

  it('stay when the system clock is set forward, and go in time when it is set back', async () => {
    const { time, jobs, submit } = openJobs();
    const job = await submit('a');
    await settled();
    time.now = 1000 * HOUR;
    expect(await jobs.find('me', job.info.id)).toBe(job);
    time.now = -1000 * HOUR;
    time.elapsed = 2 * HOUR + 1;
    expect(await jobs.find('me', job.info.id)).toBeUndefined();
  });

  it('are removed in the order of their ends where results have too many bytes', async () => {
    const { jobs, submit } = openJobs({ maxResultBytes: 25 });
    const views = [];
    for (const body of ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)]) {
      views.push(await submit(body));
      await settled();
    }
    const found = await Promise.all(views.map(({ info }) => jobs.find('me', info.id)));
    expect(found.map(job => job !== undefined)).toEqual([false, true, true]);
    await jobs.remove(views[1]);
    await submit('d'.repeat(15));
    await settled();
    const replies = await Promise.all((await jobs.list('me')).map(job => job.reply()));
    expect(replies.map(reply => reply?.body[0])).toEqual(['d', 'c']);
  });

  it('are at most so many unfinished ones of an owner', async () => {
    const { jobs, submitHeld } = openJobs();
    const mine = [await submitHeld('me'), await submitHeld('me'), await submitHeld('me')];
    await expect(submitHeld('me')).rejects.toMatchObject({ reason: 'queue-full', retryAfterSeconds: 5 });
    await submitHeld('other');
    mine[1].held.begun[0].finish();
    await settled();
    const next = await submitHeld('me');
    expect((await jobs.list('me')).map(job => job.info.id)).toEqual(
      [next, mine[2], mine[1], mine[0]].map(({ view }) => view.info.id),
    );
    expect(await jobs.find('other', next.view.info.id)).toBeUndefined();
  });

  it('with the key of another question are refused', async () => {
    const { submit } = openJobs();
    await submit('a', 'a', 'once');
    await expect(submit('b', 'b', 'once')).rejects.toMatchObject({ reason: 'invalid-request' });
  });

  it('are cancelled first and removed then', async () => {
    const { jobs, submitHeld } = openJobs();
    const { view, held } = await submitHeld('me');
    await jobs.remove(view);
    expect([held.begun[0].signal.aborted, view.info.state]).toEqual([true, 'cancelled']);
    expect(await jobs.find('me', view.info.id)).toBe(view);
    await jobs.remove(view);
    expect(await jobs.find('me', view.info.id)).toBeUndefined();
    await jobs.remove(view);
  });

  it('are cancelled when they close, and no more are accepted', async () => {
    const { jobs, submit, submitHeld } = openJobs();
    const done = await submit('a', 'a', 'once');
    const { view } = await submitHeld('me');
    await jobs.close(0);
    expect(view.info.state).toBe('cancelled');
    await expect(submit('b')).rejects.toMatchObject({ reason: 'queue-full' });
    expect(await submit('a', 'a', 'once')).toBe(done);
  });

  it.each(['list', 'submit', 'find'] as const)('that are old are gone at the next %s', async how => {
    const { time, jobs, submit } = openJobs();
    const old = await submit('a', 'a', 'once');
    await settled();
    time.elapsed = 2 * HOUR + 1;
    if (how === 'list') expect(await jobs.list('me')).toEqual([]);
    if (how === 'submit') expect(await submit('a', 'a', 'once')).not.toBe(old);
    if (how === 'find') expect(await jobs.find('me', old.info.id)).toBeUndefined();
  });

  it('that run are never removed', async () => {
    const { time, jobs, submitHeld } = openJobs();
    const { view, held } = await submitHeld('me');
    held.begun[0].report.started();
    held.begun[0].report.progress(0.5);
    time.now = 10 * HOUR;
    expect(await jobs.list('me')).toEqual([view]);
  });

  it('without a result take no room, and results may fill theirs', async () => {
    const { jobs, submit, submitHeld } = openJobs({ maxResultBytes: 5 });
    const { view } = await submitHeld('me');
    await jobs.remove(view);
    await submit('12345');
    await settled();
    expect(await jobs.list('me')).toHaveLength(2);
  });

  it('are removed in the order of their ends where there are too many', async () => {
    const { jobs, submit } = openJobs({ maxFinished: 3 });
    const views = [];
    for (let k = 0; k < 4; k++) {
      views.push(await submit(`${k}`));
      await settled();
      expect(await jobs.list('me'), `${k}`).toEqual(views.slice(-3).reverse());
    }
  });

  it('have results of 256 MiB', async () => {
    const large = openJobs();
    // A text that is never written out takes no memory.
    const view = await large.submit('a'.repeat(2 ** 28), 'large');
    await settled();
    expect(await large.jobs.list('me')).toEqual([view]);
    const next = await large.submit('b');
    await settled();
    expect(await large.jobs.list('me')).toEqual([next]);
  });

  it('have times in order and an expected end at their present rate, also where the system clock is set', async () => {
    const { time, jobs, submitHeld } = openJobs();
    time.now = 1000;
    const { view, held } = await submitHeld('me');
    const { report } = held.begun[0];
    time.now = 500 - HOUR;
    time.elapsed = 10;
    report.started();
    time.now = HOUR;
    time.elapsed = 4010;
    report.progress(0.25);
    const running = { created: 1000, started: 1010, seen: 5010, state: 'running', share: 0.25 };
    expect(view.info).toMatchObject(running);
    expect(secondsLeft(view.info)).toBe(12);
    time.now = -HOUR;
    await jobs.remove(view);
    expect(view.info).toMatchObject({ created: 1000, started: 1010, finished: 5010, state: 'cancelled' });
    expect(secondsLeft(view.info)).toBeUndefined();
  });
});
