/** The chunks and bundles of plans. */
import { describe, expect, it } from 'vitest';
import { ASSET_STEPS_PER_CHUNK, bundlesOf, chunksOf } from '#src/core/plan/chunks.js';
import { planSteps, type SimulationPlan } from '#src/core/plan/simulation-plan.js';
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

describe('The bundles of a plan', () => {
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
