/** The store of jobs on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import type { JobReply } from '#src/jobs/job.js';
import { createJobStore } from '#src/jobs/job-store.js';

const HOUR = 3_600_000;
const settled = () => new Promise(setImmediate);

function openStore(options: { maxResultBytes?: number } = {}) {
  const time = { now: 0 };
  const store = createJobStore({ maxJobs: 3, retentionHours: 2, clock: () => time.now, ...options });
  const submit = (body: string, fingerprint = body, idempotencyKey?: string) =>
    store.submit({
      owner: 'me',
      operation: '/loan_risk',
      fingerprint,
      idempotencyKey,
      work: async (): Promise<JobReply> => ({ status: 200, headers: {}, body }),
    });
  return { time, store, submit };
}

describe('A job store', () => {
  it('forgets a finished job, its result and its idempotency key after the retention', async () => {
    const { time, store, submit } = openStore();
    const job = submit('a', 'a', 'once');
    await settled();
    time.now = 2 * HOUR;
    expect(store.find('me', job.id)).toBe(job);
    expect(submit('a', 'a', 'once')).toBe(job);
    time.now = 2 * HOUR + 1;
    expect(store.find('me', job.id)).toBeUndefined();
    expect(submit('b', 'b', 'once')).not.toBe(job);
  });

  it('forgets the results that were finished first where there are too many bytes of them', async () => {
    const { store, submit } = openStore({ maxResultBytes: 25 });
    const jobs = [];
    for (const body of ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)]) {
      jobs.push(submit(body));
      await settled();
    }
    expect(jobs.map(job => store.find('me', job.id) !== undefined)).toEqual([false, true, true]);
    store.remove(jobs[1]);
    submit('d'.repeat(15));
    await settled();
    expect(store.list('me').map(job => job.reply?.body[0])).toEqual(['d', 'c']);
  });

  it('expects a job to end at the rate it had so far', async () => {
    const time = { now: 1000 };
    const store = createJobStore({ maxJobs: 1, retentionHours: 1, clock: () => time.now });
    const told: string[] = [];
    const job = store.submit({
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
    job.onChange(() => told.push(job.state));
    expect([job.state, job.share, job.secondsLeft]).toEqual(['running', 0.25, 12]);
    job.cancel();
    await settled();
    expect([job.state, job.secondsLeft, told]).toEqual(['cancelled', undefined, ['cancelled']]);
  });
});
