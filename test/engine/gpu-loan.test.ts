/**
 * Loans on the GPU against the CPU reference, path by path.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { openCpuEngine } from '#src/engine/threads/cpu-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import {
  differingFlags,
  expectWithinContract,
  largestDifference,
  logRatioTolerance,
  nearestThreshold,
} from '../support/parity.ts';
import { randomLoanPlan } from '../support/random-plans.ts';

const cpu = openCpuEngine({ threads: 2 });
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => cpu.close());

const PATHS = 4000;
/** Pipelines are compiled per number of assets and the software driver is slow: few numbers of assets. */
const SEEDS = [101, 102, 103, 105, 106, 107, 109, 116, 122];
/** Paths that may differ in a flag: a few in a million lie within rounding of a threshold. */
const LARGEST_DIFFERING_SHARE = 2e-5;

describe.each(['gbm', 'garch'] as const)('a loan under %s', model => {
  it('takes the same path on both engines', async () => {
    let differing = 0;
    for (const seed of SEEDS) {
      const plan = randomLoanPlan(seed, model, PATHS);
      const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
      const finals = onCpu.finalRatio.map(Math.log);
      const spread = Math.sqrt(finals.reduce((sum, x) => sum + x * x, 0) / PATHS);
      const bound = logRatioTolerance(spread, plan.product.steps);
      const told = JSON.stringify({ seed, model, spread, ...plan.product });
      expect(largestDifference(onGpu.minimumRatio, onCpu.minimumRatio, Math.log), told).toBeLessThan(bound);
      expect(largestDifference(onGpu.finalRatio, onCpu.finalRatio, Math.log), told).toBeLessThan(bound);
      const flags = differingFlags(onGpu, onCpu);
      const ends = [...onCpu.endStep.keys()].filter(p => onGpu.endStep[p] !== onCpu.endStep[p]);
      for (const path of new Set([...flags, ...ends])) {
        expect(nearestThreshold(plan, path), `path ${path}; ${told}`).toBeLessThan(bound);
      }
      differing += flags.length;
    }
    const most = Math.ceil(LARGEST_DIFFERING_SHARE * PATHS * SEEDS.length);
    expect(differing, `${differing} of ${PATHS * SEEDS.length} paths differ`).toBeLessThanOrEqual(most);
  });

  it('has the same figures on both engines', async () => {
    for (const seed of SEEDS.slice(0, 3)) {
      const plan = randomLoanPlan(seed, model, 3 * PATHS);
      const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
      const told = JSON.stringify({ seed, model, ...plan.product });
      for (const count of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const) {
        expect(Math.abs(onGpu[count] - onCpu[count]), `${count}; ${told}`).toBeLessThanOrEqual(1);
      }
      expectWithinContract(onGpu.loss / plan.paths, onCpu.loss / plan.paths, 1, `loss; ${told}`);
      expectWithinContract(
        onGpu.openSteps / plan.paths / plan.product.steps,
        onCpu.openSteps / plan.paths / plan.product.steps,
        1,
        `survival; ${told}`,
      );
      expectWithinContract(onGpu.worstCcr, onCpu.worstCcr, 0, `worst CCR; ${told}`);
    }
  });
});

describe('the reference loan of 30 days', () => {
  it('differs on no more than a few paths in a million', async () => {
    const rho = 0.3;
    const plan = {
      ...randomLoanPlan(1, 'gbm', 30_000),
      scenarios: {
        kind: 'gbm' as const,
        assets: 2,
        annualVolatility: Float64Array.of(0.8, 0.1),
        factor: Float64Array.of(0.8, 0, 0.1 * rho, 0.1 * Math.sqrt(1 - rho * rho)),
      },
      product: {
        kind: 'loan' as const,
        portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
        steps: 720,
        topUpSteps: 24,
        nominalRatio: 1.5,
        marginCallRatio: 1.3,
        liquidationRatio: 1.1,
        recoveryRatio: 1.5,
      },
    };
    const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
    expect(largestDifference(onGpu.minimumRatio, onCpu.minimumRatio, Math.log)).toBeLessThan(2e-6);
    expect(differingFlags(onGpu, onCpu).length).toBeLessThanOrEqual(1);
  });
});
