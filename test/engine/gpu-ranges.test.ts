/** Runs of the GPU over ranges of paths: their sums are those of one run over all, bit for bit. */
import { describe, expect, it } from 'vitest';
import { gpuMerges, mergeGpuRanges } from '#src/core/gpu/gpu-engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { MODEL_KINDS, MODELS, type ModelKind } from '#src/core/plan/models.js';
import { PRODUCT_KINDS, type ProductKind } from '#src/core/plan/product/kinds.js';
import { PRODUCTS, type Product } from '#src/core/plan/products.js';
import type { PathRange } from '#src/core/plan/records.js';
import type { Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openTestGpuEngine } from '../support/gpu.ts';

const PATHS = 333;
/** Uneven, and none on the border of a workgroup but the first. */
const CUTS = [0, 1, 50, 178, PATHS];
const RANGES: readonly PathRange[] = CUTS.slice(1).map((end, i) => ({
  first: CUTS[i],
  count: end - CUTS[i],
}));

function plansOf(kind: ProductKind, model: ModelKind): SimulationPlan[] {
  const assets = kind === 'perpetual' ? 1 : 3;
  const scenarios = MODELS[model].usual(assets) as Scenarios;
  const products = PRODUCTS[kind].usual.terms(assets) as readonly Product[];
  return products.flatMap(product => {
    const plan: SimulationPlan = { seed: 5, paths: PATHS, scenarios, product };
    // Counts have no weights.
    const counts = PRODUCTS[kind].distribution !== undefined && model !== 'gbm-shifted';
    return counts ? [plan, { ...plan, distribution: { daySteps: 24 } }] : [plan];
  });
}

async function expectEqual(plan: SimulationPlan, dispatch: DispatchOptions = {}): Promise<void> {
  const engine = await openTestGpuEngine(dispatch);
  const whole = await engine.run(plan);
  const ranges = [];
  for (const range of RANGES) ranges.push(await engine.runRange(plan, range));
  expect(mergeGpuRanges(plan, ranges)).toEqual(whole);
  // Ranges have different paths: equal sums would mean that all began at path 0.
  const [, , second, third] = ranges;
  expect(second).not.toEqual(third);
}

/** Every product, and every model with a third of them: what cuts a run depends on neither, and pipelines take most of the time. */
const pairs = PRODUCT_KINDS.flatMap((kind, k) =>
  MODEL_KINDS.filter((model, m) => (k + m) % 3 === 0 && plansOf(kind, model).some(gpuMerges)).map(
    model => [kind, model] as const,
  ),
);

describe('Ranges of paths on the GPU', () => {
  it('are run for every product that is merged', () => {
    expect([...new Set(pairs.map(([kind]) => kind))].sort()).toEqual([
      'capped-loan',
      'loan',
      'origination',
      'perpetual',
    ]);
    expect(new Set(pairs.map(([, model]) => model)).size).toBeGreaterThan(4);
  });

  for (const [kind, model] of pairs) {
    const tags = kind === 'loan' && model === 'gbm' ? [] : ['slow'];
    it(`add up to the whole: ${kind} under ${model}`, { tags }, async () => {
      for (const plan of plansOf(kind, model)) await expectEqual(plan);
    });
  }

  it('are suspended and resumed between dispatches like a whole run', { tags: ['slow'] }, async () => {
    const days: DispatchOptions = { sliceMilliseconds: 1e-6, maxPaths: 96, parallelPaths: 96 };
    for (const kind of ['loan', 'perpetual'] as const)
      for (const plan of plansOf(kind, 'garch')) {
        const product = { ...plan.product, steps: 72 } as Product;
        if (product.kind === 'perpetual')
          await expectEqual(
            { ...plan, product: { ...product, settlements: new Uint32Array(72).fill(1) } },
            days,
          );
        else await expectEqual({ ...plan, product }, days);
      }
  });

  it('are refused for a product that needs all paths together', async () => {
    const engine = await openTestGpuEngine();
    const [plan] = plansOf('value-at-risk', 'gbm');
    await expect(engine.runRange(plan, RANGES[1])).rejects.toMatchObject({ reason: 'engine-failed' });
    expect(() => mergeGpuRanges(plan, [])).toThrow('in parts');
  });
});
