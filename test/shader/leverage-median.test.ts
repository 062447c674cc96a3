/** The median leverage of the GPU against that of the reference, on paths whose middle values lie in every place of the bins. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { MAX_STEPS } from '#src/core/plan/grid.js';
import { PERPETUAL } from '#src/core/plan/product/perpetual.js';
import type { PerpetualProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { scenariosOf } from '../support/shader-plans.ts';

/** Enough that the lower middle value lies in each of the 64 bins of the last run, with the upper one above all of them. */
const PATHS = 4000;
/** Width of the bins of the last run, relative to the value: 2^9 units in the last place of 2^-23. */
const BIN = 2 ** -14;

describe('the median leverage of leverage_median.wgsl', () => {
  let reference: Engine;
  let gpu: Engine;
  beforeAll(async () => {
    reference = openReferenceEngine({ threads: 1 });
    gpu = await openTestGpuEngine();
  });
  afterAll(() => reference.close());

  const positions = PERPETUAL.usual.terms(1);
  for (const position of positions)
    for (const [steps, values] of [
      [1, 'two values'],
      [2, 'three values'],
      [3, 'four values'],
    ] as const)
      it(`is that of the reference on every path: ${position.contract}, ${values}`, async () => {
        const product: PerpetualProduct = {
          ...position,
          steps,
          settlements: position.settlements.subarray(0, steps),
        };
        const plan: SimulationPlan<PerpetualProduct> = {
          seed: 3,
          paths: PATHS,
          scenarios: scenariosOf('gbm', 1),
          product,
        };
        const [{ medianLeverage: exact }, { medianLeverage }] = await Promise.all([
          reference.run(plan),
          gpu.run(plan),
        ]);
        const errors = medianLeverage.map((median, p) => Math.abs(median / exact[p] - 1));
        expect(Math.max(...errors)).toBeLessThan(BIN + 1e-5);
      });

  // A bin of the device has 16 bits. The one leverage of ten years of hours lies at the beginning of a bin, the answer in its middle.
  for (const [sliceMilliseconds, tags] of [
    [25, []],
    // 3,650 slices, of a day each.
    [1e-6, ['slow']],
  ] as const)
    it(`counts more values than a bin holds, in slices of ${sliceMilliseconds} ms`, {
      tags: [...tags],
    }, async () => {
      const none = Float64Array.of(0);
      const scenarios: Scenarios = { kind: 'gbm', assets: 1, annualVolatility: none, factor: none };
      const product = { ...positions[0], steps: MAX_STEPS, settlements: new Uint32Array(MAX_STEPS) };
      const sliced = await openTestGpuEngine({ sliceMilliseconds, parallelPaths: 1 << 20 });
      const { medianLeverage } = await sliced.run({ seed: 5, paths: 1, scenarios, product });
      // The last bins are 2^-12 wide from 4 to 8.
      expect([...medianLeverage]).toEqual([5 + 2 ** -13]);
    });

  it('does not depend on the time slices of a run', async () => {
    const steps = 49;
    const [position] = positions;
    const settlements = new Uint32Array(steps);
    const scenarios = scenariosOf('gbm', 1);
    const plan = { seed: 4, paths: 200, scenarios, product: { ...position, steps, settlements } };
    const sliced = await openTestGpuEngine({ sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 });
    expect((await sliced.run(plan)).medianLeverage).toEqual((await gpu.run(plan)).medianLeverage);
  });
});
