/** Small runs at the same time are one submission, without an effect on their outcomes. */
import { describe, expect, it, vi } from 'vitest';
import { SubmissionBatch } from '#src/core/gpu/submission-batch.js';
import { openFreshTestGpuEngine, openTestGpu } from '../../support/gpu.ts';
import { loanPlan } from '../../support/shader-plans.ts';

describe('Small runs that start at the same time', () => {
  it('are one submission, with the same outcomes as alone', async () => {
    const { device } = await openTestGpu();
    const engine = await openFreshTestGpuEngine({ batchMilliseconds: 10_000 });
    const plans = [1, 2, 3, 4, 5, 6].map(i => ({
      ...loanPlan({ model: i % 2 === 0 ? 'gbm' : 'garch', assets: 2, paths: 10 * i, steps: 24 }),
      seed: i,
    }));
    const alone = [];
    for (const plan of plans) alone.push(await engine.run(plan));

    const submit = vi.spyOn(device.queue, 'submit');
    try {
      const together = await Promise.all(plans.map(plan => engine.run(plan)));
      expect(together).toEqual(alone);
      const sizes = submit.mock.calls.map(([commands]) => [...commands].length);
      expect(sizes, 'command buffers per submission').toEqual([plans.length]);
    } finally {
      submit.mockRestore();
    }
  });

  it('do not fail when one of them is aborted', async () => {
    const engine = await openFreshTestGpuEngine();
    const plan = loanPlan({ model: 'gbm', assets: 2, paths: 50, steps: 24 });
    const outcome = await engine.run(plan);
    const abort = new AbortController();
    const given = engine.run({ ...plan, seed: 9 }, { signal: abort.signal });
    const kept = engine.run(plan);
    abort.abort(new Error('not wanted any more'));
    await expect(given).rejects.toThrow('not wanted any more');
    expect(await kept).toEqual(outcome);
    expect(await engine.run(plan)).toEqual(outcome);
  });
});

describe('A run of some milliseconds', () => {
  it('is not in the submission of small runs, which would wait for its end', async () => {
    const { device } = await openTestGpu();
    // An engine that has measured nothing yet judges by the size of a run alone: tenths of a millisecond divide the two on any device.
    const engine = await openFreshTestGpuEngine({ batchMilliseconds: 0.2, sliceMilliseconds: 10_000 });
    const other = await openFreshTestGpuEngine();
    const long = loanPlan({ model: 'gbm', assets: 2, paths: 10_000, steps: 240 });
    const small = loanPlan({ model: 'gbm', assets: 2, paths: 10, steps: 24 });
    const alone = [await other.run(long), await other.run(small), await other.run(small)];
    const submit = vi.spyOn(device.queue, 'submit');
    try {
      expect(await Promise.all([long, small, small].map(plan => engine.run(plan)))).toEqual(alone);
      const sizes = submit.mock.calls.map(([commands]) => [...commands].length);
      expect(
        sizes.filter(size => size > 1),
        `command buffers per submission: ${sizes}`,
      ).toEqual([2]);
    } finally {
      submit.mockRestore();
    }
  });
});

describe('A batch', () => {
  const commands = (name: string) => ({ label: name }) as GPUCommandBuffer;
  const queueOf = (submit: (list: readonly GPUCommandBuffer[]) => void) =>
    ({ submit }) as unknown as GPUQueue;

  it('is empty in every new turn of the event loop', async () => {
    const seen: string[][] = [];
    const batch = new SubmissionBatch(
      queueOf(list => void seen.push(list.map(({ label }) => label))),
      setImmediate,
    );
    expect(await Promise.all([batch.submit(commands('a')), batch.submit(commands('b'))])).toEqual([2, 2]);
    expect(await batch.submit(commands('c'))).toBe(1);
    expect(seen).toEqual([['a', 'b'], ['c']]);
  });

  it('rejects all of its members, and only them, when the queue refuses', async () => {
    let refuse = true;
    const batch = new SubmissionBatch(
      queueOf(() => {
        if (refuse) throw new Error('lost');
      }),
      setImmediate,
    );
    const failed = await Promise.allSettled([batch.submit(commands('a')), batch.submit(commands('b'))]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    refuse = false;
    expect(await batch.submit(commands('c'))).toBe(1);
  });
});
