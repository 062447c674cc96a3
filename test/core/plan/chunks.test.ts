/** How plans are cut into chunks. */
import { describe, expect, it } from 'vitest';
import { ASSET_STEPS_PER_CHUNK, bundlesOf, chunksOf } from '#src/core/plan/chunks.js';
import { planSteps, type SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { randomLoanPlan } from '../../support/random-plans.ts';

function plansOf(paths: number): SimulationPlan[] {
  return Array.from({ length: 20 }, (_, seed) => randomLoanPlan(seed, 'gbm', paths));
}

const perPath = (plan: SimulationPlan) => planSteps(plan) * plan.scenarios.assets;

describe('the chunks of a plan', () => {
  it('cover every path once, in order, in whole packets but for the last', () => {
    for (const plan of [1, 3, 4, 5, 999, 20_001, 300_000].flatMap(plansOf)) {
      const chunks = chunksOf(plan);
      const told = JSON.stringify({ paths: plan.paths, perPath: perPath(plan), chunks: chunks.slice(0, 3) });
      let next = 0;
      for (const { first, count } of chunks) {
        expect(first, told).toBe(next);
        expect(count, told).toBeGreaterThan(0);
        next += count;
      }
      expect(next, told).toBe(plan.paths);
      if (chunks[0].count > 4) {
        for (const { count } of chunks.slice(0, -1)) expect(count % 4, told).toBe(0);
      }
    }
  });

  it('share a plan of a millisecond and more among eight threads', () => {
    for (const plan of plansOf(2000)) {
      const work = perPath(plan) * plan.paths;
      const told = JSON.stringify({ work, perPath: perPath(plan) });
      // Rounding to packets may take one chunk away.
      if (work >= 2 ** 20 && perPath(plan) < 2 ** 13) {
        expect(chunksOf(plan).length, told).toBeGreaterThanOrEqual(7);
      }
    }
  });

  it('are no longer than a cancelled run may take, and not so short that messages outweigh them', () => {
    for (const plan of [2000, 300_000].flatMap(plansOf)) {
      const chunks = chunksOf(plan);
      const longest = chunks[0].count * perPath(plan);
      const told = JSON.stringify({ paths: plan.paths, perPath: perPath(plan), longest });
      expect(longest, told).toBeLessThanOrEqual(ASSET_STEPS_PER_CHUNK + 4 * perPath(plan));
      if (chunks.length > 1) expect(longest, told).toBeGreaterThanOrEqual(2 ** 16 - 2 * perPath(plan));
    }
  });
});

describe('the bundles of a plan', () => {
  it('hold all its chunks in order, and leave no thread without one that has work to spare', () => {
    for (const plan of [1, 5, 999, 20_001, 300_000].flatMap(plansOf)) {
      const chunks = chunksOf(plan);
      for (const threads of [1, 2, 3, 8, 64]) {
        const bundles = bundlesOf(chunks, plan, threads);
        const told = JSON.stringify({
          paths: plan.paths,
          threads,
          chunks: chunks.length,
          bundles: bundles.length,
        });
        expect(bundles.flat(), told).toEqual(chunks);
        // Bundles of ceil(chunks / threads) chunks: as many as threads, but for what rounding up saves.
        const size = Math.ceil(chunks.length / threads);
        expect(bundles.length, told).toBeGreaterThanOrEqual(Math.ceil(chunks.length / size));
      }
    }
  });

  it('are no longer than a chunk may be, unless one chunk is', () => {
    for (const plan of [999, 20_001, 300_000].flatMap(plansOf)) {
      for (const bundle of bundlesOf(chunksOf(plan), plan, 1)) {
        const work = bundle.reduce((sum, { count }) => sum + count * perPath(plan), 0);
        const told = JSON.stringify({ paths: plan.paths, perPath: perPath(plan), bundle });
        if (bundle.length > 1) expect(work, told).toBeLessThanOrEqual(ASSET_STEPS_PER_CHUNK);
      }
    }
  });
});
