/** Small runs at the same time are one submission, without an effect on their outcomes. */
import { describe, expect, it, vi } from 'vitest';
import type { DeviceWork } from '#src/core/gpu/compute-pass.js';
import { SIMULATION_BINDINGS } from '#src/core/gpu/pipelines.js';
import { SubmissionBatch } from '#src/core/gpu/submission-batch.js';
import { openFreshTestGpuEngine, openTestGpu } from '../../support/gpu.ts';
import { loanPlan } from '../../support/shader-plans.ts';

/** The runs of each submission, whose encoder has their names. */
const runsOf = (encoders: readonly (readonly (GPUCommandEncoderDescriptor | undefined)[])[]) =>
  encoders.map(([descriptor]) => (descriptor?.label ?? '').split(', ').length);

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

    const encode = vi.spyOn(device, 'createCommandEncoder');
    try {
      const together = await Promise.all(plans.map(plan => engine.run(plan)));
      expect(together).toEqual(alone);
      expect(runsOf(encode.mock.calls), 'runs per submission').toEqual([plans.length]);
    } finally {
      encode.mockRestore();
    }
  });

  it('share no buffer that a kernel writes to, so that no barrier separates them', async () => {
    const { device } = await openTestGpu();
    const engine = await openFreshTestGpuEngine({ batchMilliseconds: 10_000 });
    const plan = loanPlan({ model: 'gbm', assets: 2, paths: 10, steps: 24 });
    const bind = vi.spyOn(device, 'createBindGroup');
    try {
      await Promise.all([1, 2, 3].map(seed => engine.run({ ...plan, seed })));
      const groups = bind.mock.calls
        .map(([group]) => group)
        .filter(({ label }) => label?.endsWith('.shared'));
      expect(groups.length).toBe(3);
      const written = groups.flatMap(({ entries }) =>
        [...entries].flatMap(({ binding, resource }) =>
          SIMULATION_BINDINGS[binding] === 'storage' ? [(resource as GPUBufferBinding).buffer] : [],
        ),
      );
      expect(written.length).toBe(9);
      expect(new Set(written).size).toBe(written.length);
    } finally {
      bind.mockRestore();
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
    const encode = vi.spyOn(device, 'createCommandEncoder');
    try {
      expect(await Promise.all([long, small, small].map(plan => engine.run(plan)))).toEqual(alone);
      const sizes = runsOf(encode.mock.calls);
      expect(
        sizes.filter(size => size > 1),
        `runs per submission: ${sizes}`,
      ).toEqual([2]);
    } finally {
      encode.mockRestore();
    }
  });
});

describe('A batch', () => {
  const buffer = (label: string) => ({ label }) as GPUBuffer;
  const work = (name: string): DeviceWork => ({
    name,
    clears: [[buffer(`${name}.sums`), 4]],
    dispatches: [],
    copy: { from: buffer(`${name}.sums`), to: buffer(`${name}.readback`), bytes: 4 },
  });
  /** A device that records what is encoded, and gives it to `submit`. */
  const deviceOf = (submit: (commands: readonly string[]) => void) =>
    ({
      createCommandEncoder() {
        const commands: string[] = [];
        return {
          clearBuffer: ({ label }: GPUBuffer) => commands.push(`clear ${label}`),
          beginComputePass: ({ label }: GPUComputePassDescriptor) => {
            commands.push(`pass ${label}`);
            return { end: () => {} };
          },
          copyBufferToBuffer: ({ label }: GPUBuffer) => commands.push(`copy ${label}`),
          finish: () => commands,
        };
      },
      queue: { submit: (list: readonly (readonly string[])[]) => submit(list.flat()) },
    }) as unknown as GPUDevice;

  it('is all clears, one pass and all copies, and empty in every new turn of the event loop', async () => {
    const seen: (readonly string[])[] = [];
    const batch = new SubmissionBatch(
      deviceOf(commands => void seen.push(commands)),
      setImmediate,
    );
    expect(await Promise.all([batch.submit(work('a')), batch.submit(work('b'))])).toEqual([2, 2]);
    expect(await batch.submit(work('c'))).toBe(1);
    expect(seen).toEqual([
      ['clear a.sums', 'clear b.sums', 'pass a, b', 'copy a.sums', 'copy b.sums'],
      ['clear c.sums', 'pass c', 'copy c.sums'],
    ]);
  });

  it('rejects all of its members, and only them, when the queue refuses', async () => {
    let refuse = true;
    const batch = new SubmissionBatch(
      deviceOf(() => {
        if (refuse) throw new Error('lost');
      }),
      setImmediate,
    );
    const failed = await Promise.allSettled([batch.submit(work('a')), batch.submit(work('b'))]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    refuse = false;
    expect(await batch.submit(work('c'))).toBe(1);
  });
});
