/** The chunks and bundles of plans. */
import { describe, expect, it } from 'vitest';
import { ASSET_STEPS_PER_CHUNK, type Bundle, bundlesOf, chunksOf, within } from '#src/core/plan/chunks.js';
import { MODELS } from '#src/core/plan/models.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import { mergeOf, PRODUCTS, type Product } from '#src/core/plan/products.js';
import { planSteps, type SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { weighedWork } from '#src/core/plan/work.js';
import { randomLoanPlan } from '../../support/random-plans.ts';

function plansOf(paths: number): SimulationPlan[] {
  return Array.from({ length: 20 }, (_, seed) => randomLoanPlan(seed, 'gbm', paths));
}

const perPath = (plan: SimulationPlan) => planSteps(plan) * plan.scenarios.assets;

describe('The chunks of a plan', () => {
  it('cover every path once, in order, in whole packets but for the last', () => {
    for (const plan of [1, 3, 4, 5, 999, 20_001, 300_000].flatMap(plansOf)) {
      const chunks = chunksOf(plan);
      const inputs = JSON.stringify({
        paths: plan.paths,
        perPath: perPath(plan),
        chunks: chunks.slice(0, 3),
      });
      let next = 0;
      for (const { first, count } of chunks) {
        expect(first, inputs).toBe(next);
        expect(count, inputs).toBeGreaterThan(0);
        next += count;
      }
      expect(next, inputs).toBe(plan.paths);
      if (chunks[0].count > 4) {
        for (const { count } of chunks.slice(0, -1)) expect(count % 4, inputs).toBe(0);
      }
    }
  });

  it('are enough for eight threads when a plan takes a millisecond or more', () => {
    for (const plan of plansOf(2000)) {
      const work = perPath(plan) * plan.paths;
      const inputs = JSON.stringify({ work, perPath: perPath(plan) });
      // Rounding to packets may remove one chunk.
      if (work >= 2 ** 20 && perPath(plan) < 2 ** 13) {
        expect(chunksOf(plan).length, inputs).toBeGreaterThanOrEqual(7);
      }
    }
  });

  it('are no longer than a cancelled run may take, and long enough to outweigh their messages', () => {
    for (const plan of [2000, 300_000].flatMap(plansOf)) {
      const chunks = chunksOf(plan);
      const longest = chunks[0].count * perPath(plan);
      const inputs = JSON.stringify({ paths: plan.paths, perPath: perPath(plan), longest });
      expect(longest, inputs).toBeLessThanOrEqual(ASSET_STEPS_PER_CHUNK + 4 * perPath(plan));
      if (chunks.length > 1) expect(longest, inputs).toBeGreaterThanOrEqual(2 ** 16 - 2 * perPath(plan));
    }
  });
});

const RANGED = (Object.keys(PRODUCTS) as ProductKind[]).filter(kind => mergeOf(kind) === 'ranges');

describe('A bundle that a thread takes at once', () => {
  it.each(RANGED)('has the work of a slice, whatever a step costs: %s', kind => {
    const assets = 2;
    const product = { ...(PRODUCTS[kind].usual.terms(assets)[0] as Product), steps: 72 } as Product;
    const plan: SimulationPlan = { seed: 1, paths: 300_000, scenarios: MODELS.gbm.usual(assets), product };
    const paths = (bundle: Bundle) => bundle.reduce((sum, { count }) => sum + count, 0);
    const longest = Math.max(...bundlesOf(chunksOf(plan), plan, 2).map(paths));
    const work = (longest / plan.paths) * weighedWork(plan);
    expect(work).toBeLessThan(4 * ASSET_STEPS_PER_CHUNK);
    expect(work).toBeGreaterThan(0.5 * ASSET_STEPS_PER_CHUNK);
  });
});

/** A plan of so many steps of one asset. */
function planOf(steps: number, paths: number): SimulationPlan {
  const plan = randomLoanPlan(1, 'gbm', paths);
  return {
    ...plan,
    scenarios: { ...plan.scenarios, assets: 1 } as typeof plan.scenarios,
    product: { ...plan.product, steps },
  };
}

describe('The paths of a chunk', () => {
  it.each([
    // A million asset-steps, and 8,192 paths at most.
    [1024, 1_000_000, 1024],
    [64, 1_000_000, 8192],
    [1000, 1_000_000, 1052],
    // An eighth of the paths, and 65,536 asset-steps at least.
    [1024, 4000, 500],
    [1024, 4001, 504],
    [1024, 100, 64],
    // Of long paths whole packets of four, or single paths.
    [2 ** 17, 100_000, 8],
    [200_000, 100_000, 8],
    [2 ** 18, 100_000, 4],
    [300_000, 100_000, 3],
    [2 ** 20, 100_000, 1],
    [2 ** 22, 100_000, 1],
  ])('of %d steps, of which there are %d, are %d', (steps, paths, size) => {
    const chunks = chunksOf(planOf(steps, paths));
    expect(chunks[0].count).toBe(Math.min(size, paths));
    expect(chunks).toHaveLength(Math.ceil(paths / size));
    expect(chunks[chunks.length - 1].count).toBe(paths - size * (chunks.length - 1));
  });

  it('are as many as a caller wishes', () => {
    expect(chunksOf(planOf(1024, 100_000), 2 ** 17)[0].count).toBe(128);
  });
});

describe('The chunks within a range', () => {
  const chunks = chunksOf(planOf(1024, 5000));
  const [{ count }] = chunks;

  it('are those that it begins and ends with, and all between', () => {
    expect(within({ first: 0, count: 5000 }, chunks)).toEqual(chunks);
    expect(within({ first: count, count: 2 * count }, chunks)).toEqual(chunks.slice(1, 3));
    expect(within(chunks[7], chunks)).toEqual([chunks[7]]);
  });

  it.each([
    [1, count],
    [0, count - 1],
    [0, count + 1],
    [count, 0],
    [count - 1, count + 1],
    [5000, count],
  ])('are refused from %d on where they are %d', (first, paths) => {
    expect(() => within({ first, count: paths }, chunks)).toThrow(RangeError);
  });
});

describe('The bundles of a plan', () => {
  it('have as many chunks as the work of a full one, four times as many with counts', () => {
    const plan = planOf(1024, 4000);
    const sizes = (more: object, threads = 1) =>
      bundlesOf(chunksOf(plan), { ...plan, ...more }, threads).map(bundle => bundle.length);
    // Eight chunks of 500: two of them are a full one.
    expect(sizes({})).toEqual([2, 2, 2, 2]);
    expect(sizes({ distribution: { daySteps: 24 } })).toEqual([8]);
    expect(sizes({ distribution: { daySteps: 24 } }, 2)).toEqual([4, 4]);
    expect(sizes({}, 8)).toEqual(new Array(8).fill(1));
    expect(sizes({ distribution: { daySteps: 24 } }, 3)).toEqual([3, 3, 2]);
    const many = { ...planOf(1024, 12_288), distribution: { daySteps: 24 as const } };
    expect(bundlesOf(chunksOf(many), many, 1).map(bundle => bundle.length)).toEqual([4, 4, 4]);
    // A chunk of more than a full one's work is alone.
    const long = planOf(2 ** 22, 3);
    expect(bundlesOf(chunksOf(long), long, 1)).toHaveLength(3);
  });

  it('contain all its chunks in order, and are enough for all threads', () => {
    for (const plan of [1, 5, 999, 20_001, 300_000].flatMap(plansOf)) {
      const chunks = chunksOf(plan);
      for (const threads of [1, 2, 3, 8, 64]) {
        const bundles = bundlesOf(chunks, plan, threads);
        const inputs = JSON.stringify({
          paths: plan.paths,
          threads,
          chunks: chunks.length,
          bundles: bundles.length,
        });
        expect(bundles.flat(), inputs).toEqual(chunks);
        // Bundles of ceil(chunks / threads) chunks: as many as threads, less those that rounding up saves.
        const size = Math.ceil(chunks.length / threads);
        expect(bundles.length, inputs).toBeGreaterThanOrEqual(Math.ceil(chunks.length / size));
      }
    }
  });

  it('are no longer than the largest chunk, unless a single chunk is', () => {
    for (const plan of [999, 20_001, 300_000].flatMap(plansOf)) {
      for (const bundle of bundlesOf(chunksOf(plan), plan, 1)) {
        const work = bundle.reduce((sum, { count }) => sum + count * perPath(plan), 0);
        const inputs = JSON.stringify({ paths: plan.paths, perPath: perPath(plan), bundle });
        if (bundle.length > 1) expect(work, inputs).toBeLessThanOrEqual(ASSET_STEPS_PER_CHUNK);
      }
    }
  });
});
