/** Jobs in memory on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { type JobReply, secondsLeft } from '#src/jobs/job.js';
import { createMemoryJobs } from '#src/jobs/memory-jobs.js';

const HOUR = 3_600_000;
const settled = () => new Promise(setImmediate);

function openJobs(options: { maxResultBytes?: number } = {}) {
  const time = { now: 0 };
  const jobs = createMemoryJobs({ maxJobs: 3, retentionHours: 2, clock: () => time.now, ...options });
  const submit = (body: string, fingerprint = body, idempotencyKey?: string) =>
    jobs.submit({
      owner: 'me',
      operation: '/loan_risk',
      fingerprint,
      idempotencyKey,
      work: async (): Promise<JobReply> => ({ status: 200, headers: {}, body }),
    });
  return { time, jobs, submit };
}

describe('Jobs in memory', () => {
  it('are removed with their results and idempotency keys after the retention', async () => {
    const { time, jobs, submit } = openJobs();
    const job = await submit('a', 'a', 'once');
    await settled();
    time.now = 2 * HOUR;
    expect(await jobs.find('me', job.info.id)).toBe(job);
    expect(await submit('a', 'a', 'once')).toBe(job);
    time.now = 2 * HOUR + 1;
    expect(await jobs.find('me', job.info.id)).toBeUndefined();
    expect(await submit('b', 'b', 'once')).not.toBe(job);
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
    expect((await jobs.list('me')).map(job => job.reply?.body[0])).toEqual(['d', 'c']);
  });

  it('have an expected end at their present rate', async () => {
    const time = { now: 1000 };
    const jobs = createMemoryJobs({ maxJobs: 1, retentionHours: 1, clock: () => time.now });
    const told: string[] = [];
    const job = await jobs.submit({
      owner: 'me',
      operation: '/var',
      fingerprint: '',
      idempotencyKey: undefined,
      work: (signal, { started, progress }) =>
        new Promise((_, reject) => {
          started();
          time.now = 5000;
          progress(0.25);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    job.onChange(() => told.push(job.info.state));
    expect([job.info.state, job.info.share, secondsLeft(job.info)]).toEqual(['running', 0.25, 12]);
    // Somebody has set the clock back.
    time.now = 500;
    expect(secondsLeft(job.info)).toBeUndefined();
    await jobs.remove(job);
    await settled();
    expect([job.info.state, secondsLeft(job.info), told]).toEqual(['cancelled', undefined, ['cancelled']]);
  });
});
