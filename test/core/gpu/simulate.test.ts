/** The buffers of a simulation on the GPU. */
import { expect, it, vi } from 'vitest';
import { createGpuEngine } from '#src/core/gpu/gpu-engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { MODELS } from '#src/core/plan/models.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { nodeHost } from '#src/engine/gpu-process/read-shader.js';
import { openFreshTestGpuEngine, openTestGpu, openTestGpuEngine } from '../../support/gpu.ts';
import { loanPlan } from '../../support/shader-plans.ts';

/** Bytes of the state of paths between slices that a run of 64 paths over 72 hours takes. */
async function stateBytes(dispatch: DispatchOptions): Promise<number[]> {
  const { device } = await openTestGpu();
  const engine = await openFreshTestGpuEngine(dispatch);
  const create = vi.spyOn(device, 'createBuffer');
  try {
    await engine.run(loanPlan({ model: 'gbm', assets: 2, paths: 64, steps: 72 }));
    return create.mock.calls.flatMap(([{ label = '', size }]) =>
      label.includes('path-state') ? [size] : [],
    );
  } finally {
    create.mockRestore();
  }
}

it('A run whose steps are not split stores no state of its paths', async () => {
  expect(await stateBytes({ sliceMilliseconds: 10_000 })).toEqual([]);
});

it('A run whose steps are split stores the state of its paths once, some words for each, and no more than fits', async () => {
  const [bytes, ...others] = await stateBytes({ sliceMilliseconds: 1e-6 });
  expect(others).toEqual([]);
  expect(bytes % (4 * 64)).toBe(0);
  expect(bytes).toBeGreaterThan(0);
  // A device whose largest buffer has a quarter of these states: its slices have fewer paths.
  const plan = loanPlan({ model: 'gbm', assets: 2, paths: 64, steps: 72 });
  const context = await openTestGpu();
  const limits = { maxStorageBufferBindingSize: bytes / 4, maxBufferSize: bytes };
  const device = new Proxy(context.device, {
    get(target, name: keyof GPUDevice) {
      const value: unknown = name === 'limits' ? limits : target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const small = createGpuEngine({ ...context, device }, nodeHost, { sliceMilliseconds: 1e-6 });
  expect(await small.run(plan)).toEqual(await (await openTestGpuEngine()).run(plan));
});

/** An engine on a device that has no memory for buffers above a size. */
async function shortOfMemory(mostBytes: number) {
  const context = await openTestGpu();
  const { createBuffer, popErrorScope } = context.device;
  let refused = false;
  const overrides: Partial<GPUDevice> = {
    createBuffer(descriptor) {
      refused = descriptor.size > mostBytes;
      return createBuffer.call(context.device, refused ? { ...descriptor, size: 4 } : descriptor);
    },
    async popErrorScope() {
      const isOurs = refused;
      refused = false;
      const error = await popErrorScope.call(context.device);
      return isOurs ? ({ message: 'no memory' } as GPUError) : error;
    },
  };
  const device = new Proxy(context.device, {
    get(target, name: keyof GPUDevice) {
      const value: unknown = overrides[name] ?? target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return createGpuEngine({ ...context, device }, nodeHost);
}

it('A device without memory for all values at a time takes fewer; a run that has no smaller one fails alone', async () => {
  const days = [1, 2, 3, 4];
  const paths = 2 ** 17;
  const plan: SimulationPlan<ValueAtRiskProduct> = {
    seed: 3,
    paths,
    scenarios: MODELS.gbm.usual(1),
    product: {
      kind: 'value-at-risk',
      portfolio: { collateralWeights: Float64Array.of(1), loanWeights: Float64Array.of(1) },
      collateralValue: 1,
      loanValue: 1,
      horizonYears: Float64Array.from(days, day => day / 365),
      horizonSteps: new Uint32Array(),
      quantiles: Float64Array.of(0.95),
    },
  };
  const outcome = await (await openTestGpuEngine()).run(plan);
  // Three columns of four bytes for each horizon: 1.5 MiB a horizon, 6 MiB for all of them.
  const engine = await shortOfMemory(2 ** 22);
  expect(await engine.run(plan)).toEqual(outcome);
  const small = { ...plan, paths: 1024 };
  const tooSmall = await shortOfMemory(2 ** 18);
  await expect(tooSmall.run(plan)).rejects.toMatchObject({
    reason: 'engine-failed',
    message: expect.stringMatching(/no memory left/),
  });
  expect(await tooSmall.run(small)).toEqual(await (await openTestGpuEngine()).run(small));
});

/** Value at risk of 1,024 paths at one horizon, under a model that walks to it by its rows. */
const horizonPlan = (rows: number): SimulationPlan<ValueAtRiskProduct> => ({
  seed: 3,
  paths: 1024,
  scenarios: MODELS.bootstrap.usual(1),
  product: {
    kind: 'value-at-risk',
    portfolio: { collateralWeights: Float64Array.of(1), loanWeights: Float64Array.of(1) },
    collateralValue: 1,
    loanValue: 1,
    horizonYears: Float64Array.of(rows / 365),
    horizonSteps: Uint32Array.of(rows),
    quantiles: Float64Array.of(0.95),
  },
});

it('Paths to a far horizon are split by the rows on their way, also after a run to a near one', async () => {
  const { device } = await openTestGpu();
  const engine = await openFreshTestGpuEngine({ sliceMilliseconds: 2.5 });
  const dispatches = async (rows: number) => {
    const encode = vi.spyOn(device, 'createCommandEncoder');
    await engine.run(horizonPlan(rows));
    const labels = encode.mock.calls.map(([descriptor]) => descriptor?.label ?? '');
    encode.mockRestore();
    return labels.filter(label => label.startsWith('horizon values')).length;
  };
  expect(await dispatches(1)).toBe(1);
  // 900,000 rows: 50 milliseconds on the software device that the first estimate is for.
  expect(await dispatches(876)).toBeGreaterThan(3);
});
