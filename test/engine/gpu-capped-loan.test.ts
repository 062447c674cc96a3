/**
 * Loans with capped sales on the GPU against the CPU reference, and their two limits on the GPU itself.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { CappedLoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openCpuEngine } from '#src/engine/threads/cpu-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { differingFlags, expectWithinContract } from '../support/parity.ts';
import { randomCappedPlan, randomLoanPlan } from '../support/random-plans.ts';

const cpu = openCpuEngine({ threads: 2 });
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => cpu.close());

const PATHS = 3000;
/** A few paths in a million lie within rounding of a threshold. */
const LARGEST_DIFFERING_SHARE = 2e-5;
const SEEDS = [101, 103, 105, 106, 108, 110];

describe.each(['gbm', 'garch'] as const)('a capped loan under %s', model => {
  it('takes the same path on both engines', async () => {
    let differing = 0;
    for (const seed of SEEDS) {
      const plan = randomCappedPlan(seed, model, PATHS);
      const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
      const told = JSON.stringify({ seed, ...plan.product });
      const differ = new Set(differingFlags(onGpu, onCpu));
      differing += differ.size;
      for (let p = 0; p < PATHS; p++) {
        if (differ.has(p)) continue;
        expectWithinContract(onGpu.worstCcr[p], onCpu.worstCcr[p], 1, `worst CCR of path ${p}; ${told}`);
        expectWithinContract(onGpu.soldAmount[p], onCpu.soldAmount[p], 1, `sold on path ${p}; ${told}`);
        expectWithinContract(onGpu.callAmount[p], onCpu.callAmount[p], 1, `calls of path ${p}; ${told}`);
      }
    }
    const bound = Math.ceil(LARGEST_DIFFERING_SHARE * PATHS * SEEDS.length);
    expect(differing, `${differing} of ${PATHS * SEEDS.length} paths differ`).toBeLessThanOrEqual(bound);
  });

  it('has the same figures on both engines', async () => {
    for (const seed of SEEDS.slice(0, 3)) {
      const plan = randomCappedPlan(seed, model, 2 * PATHS);
      const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
      const told = JSON.stringify({ seed, ...plan.product });
      for (const count of [
        'marginCalls',
        'liquidations',
        'closeouts',
        'underwater',
        'calls',
        'sellers',
      ] as const) {
        expect(Math.abs(onGpu[count] - onCpu[count]), `${count}; ${told}`).toBeLessThanOrEqual(1);
      }
      expectWithinContract(onGpu.callAmount / plan.paths, onCpu.callAmount / plan.paths, 1, `calls; ${told}`);
      expectWithinContract(onGpu.soldAmount / plan.paths, onCpu.soldAmount / plan.paths, 1, `sold; ${told}`);
      expectWithinContract(onGpu.worstCcr, onCpu.worstCcr, 0, `worst CCR; ${told}`);
    }
  });

  it('is the loan without a cap where capacity is unlimited, and untouched where there is none, exactly', async () => {
    for (const seed of SEEDS.slice(0, 4)) {
      const plan = randomLoanPlan(seed, model, PATHS);
      const capped = (capacityPerStep: number): SimulationPlan<CappedLoanProduct> => ({
        ...plan,
        product: { ...plan.product, kind: 'capped-loan', capacityPerStep },
      });
      const loan = await gpu.run(plan);
      const unlimited = await gpu.run(capped(Number.POSITIVE_INFINITY));
      const none = await gpu.run(capped(0));
      const { marginCalls, liquidations, closeouts, underwater, worstCcr } = loan;
      const told = JSON.stringify({ seed, ...plan.product });
      expect(unlimited, told).toMatchObject({ marginCalls, liquidations, closeouts });
      expect(none, told).toMatchObject({ underwater, worstCcr, sellers: 0, soldAmount: 0 });
    }
  });
});

describe('a sale of years', () => {
  it('loses none of its many small parts', async () => {
    const plan: SimulationPlan<CappedLoanProduct> = {
      seed: 5,
      paths: 200,
      scenarios: {
        kind: 'gbm',
        assets: 2,
        annualVolatility: Float64Array.of(0.3, 1e-6),
        factor: Float64Array.of(0.3, 0, 0, 1e-6),
      },
      product: {
        kind: 'capped-loan',
        portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
        nominalRatio: 3,
        marginCallRatio: 2.99,
        liquidationRatio: 1.01,
        recoveryRatio: 3,
        topUpSteps: 0,
        steps: 43_800,
        capacityPerStep: 1.7e-5,
      },
    };
    const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
    // Half a unit of 2^-24 per step, always in the same direction, would make 1e-4 of it.
    expect(Math.abs(onGpu.soldAmount / onCpu.soldAmount - 1)).toBeLessThan(2e-6);
    expect(onGpu.worstCcr / onCpu.worstCcr).toBeCloseTo(1, 4);
  });
});

describe('a capped loan cut into pieces', () => {
  it('is the same for any workgroup, block of paths and time slice', async () => {
    const plan = randomCappedPlan(103, 'gbm', 700);
    const whole = await gpu.run(plan);
    const cuts = [
      { workgroupSize: 32, maxPaths: 200 },
      { workgroupSize: 64, parallelPaths: 1, sliceMilliseconds: 0.01 },
    ];
    for (const cut of cuts) {
      const engine = await openTestGpuEngine(cut);
      expect(await engine.run(plan), JSON.stringify(cut)).toEqual(whole);
    }
  });
});
