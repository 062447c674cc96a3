/**
 * A pair whose weights are not exactly 1: validation takes sums of weights within 1e-6 of it, and every engine must follow
 * such a pair in the same domain.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { cpuEngineOn } from '#src/engine/threads/cpu-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { openWasmEngine } from '#src/engine/wasm/wasm-engine.js';
import { loanPlan } from '../shader/plans.ts';
import { openTestGpuEngine } from '../support/gpu.ts';
import { differingFlags, largestDifference, logRatioTolerance } from '../support/parity.ts';

const pool = openThreadPool(2);
const reference = cpuEngineOn(pool);
const fast = openWasmEngine(pool);
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => pool.close());

const PATHS = 20_000;

/** A pair of 150 hours with these weights, whose ratio crosses every threshold on many paths. */
function pairPlan(model: 'gbm' | 'garch', collateral: number, loan: number): SimulationPlan<LoanProduct> {
  const plan = loanPlan({ model, assets: 2, paths: PATHS, steps: 150 });
  const portfolio = {
    collateralWeights: Float64Array.of(collateral, 0),
    loanWeights: Float64Array.of(0, loan),
  };
  return { ...plan, product: { ...plan.product, portfolio } };
}

const WEIGHTS = [
  [0.9999995, 1],
  [1, 1.0000005],
  [1.0000009, 0.9999993],
] as const;
const BOUND = logRatioTolerance(0.1, 150);

describe.each(WEIGHTS)('a pair with weights %d and %d', (collateral, loan) => {
  it.each(['gbm', 'garch'] as const)('is the same loan on every engine, under %s', async model => {
    const plan = pairPlan(model, collateral, loan);
    const records = await reference.trace(plan);
    for (const flag of [1, 2, 4, 8]) {
      expect(records.flags.filter(flags => flags & flag).length, `flag ${flag}`).toBeGreaterThan(100);
    }
    for (const engine of [gpu, ...(fast.supports(plan) ? [fast] : [])]) {
      const other = await engine.trace(plan);
      const told = engine.description.device;
      expect(differingFlags(other, records), told).toEqual([]);
      expect(other.endStep, told).toEqual(records.endStep);
      for (const field of ['minimumRatio', 'finalRatio'] as const) {
        expect(largestDifference(other[field], records[field], Math.log), `${field}, ${told}`).toBeLessThan(
          BOUND,
        );
      }
    }
  });

  it.each(['gbm', 'garch'] as const)('sells the same amounts on every engine, under %s', async model => {
    const plan = pairPlan(model, collateral, loan);
    const capped: SimulationPlan<CappedLoanProduct> = {
      ...plan,
      product: { ...plan.product, kind: 'capped-loan', capacityPerStep: 0.02 },
    };
    const records = await reference.trace(capped);
    for (const engine of [gpu, ...(fast.supports(capped) ? [fast] : [])]) {
      const other = await engine.trace(capped);
      const told = engine.description.device;
      expect(differingFlags(other, records), told).toEqual([]);
      for (const field of ['worstCcr', 'soldAmount', 'callAmount'] as const) {
        expect(largestDifference(other[field], records[field]), `${field}, ${told}`).toBeLessThan(1e-4);
      }
    }
  });
});
