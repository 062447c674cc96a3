/**
 * Origination scans on the GPU: against the loans of the GPU exactly, against the CPU within rounding.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { LoanProduct, OriginationProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openCpuEngine } from '#src/engine/threads/cpu-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { randomLoanPlan } from '../support/random-plans.ts';

const cpu = openCpuEngine({ threads: 2 });
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => cpu.close());

const PATHS = 2000;
const CANDIDATES = 120;
const SEEDS = [101, 103, 105, 106];

const SCORES: readonly OriginationProduct['score'][] = ['path-minimum', 'liquidation', 'closeout'];

function setUp(seed: number, model: 'gbm' | 'garch', topUpSteps: number) {
  const loan = randomLoanPlan(seed, model, PATHS);
  const L = loan.product.liquidationRatio;
  const ratios = Float64Array.from({ length: CANDIDATES }, (_, k) => L * (1.0005 + 0.003 * k));
  const M = (n: number) => (L + n) / 2;
  const scan = (score: OriginationProduct['score']): SimulationPlan<OriginationProduct> => ({
    ...loan,
    product: {
      kind: 'origination',
      portfolio: loan.product.portfolio,
      steps: loan.product.steps,
      topUpSteps,
      score,
      liquidationThreshold: ratios.map(n => (score === 'path-minimum' ? M(n) : L) / n),
      marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : ratios.map(n => M(n) / n),
    },
  });
  const loanAt = (k: number): SimulationPlan<LoanProduct> => ({
    ...loan,
    product: {
      ...loan.product,
      topUpSteps,
      nominalRatio: ratios[k],
      marginCallRatio: M(ratios[k]),
      liquidationRatio: L,
      recoveryRatio: ratios[k],
    },
  });
  return { scan, loanAt, told: JSON.stringify({ seed, model, topUpSteps, steps: loan.product.steps }) };
}

describe.each(['gbm', 'garch'] as const)('an origination scan under %s', model => {
  it('counts what the loan of each candidate counts, exactly', async () => {
    for (const [seed, topUpSteps] of [
      [101, 0],
      [103, 1],
      [105, 6],
      [106, 27],
    ]) {
      const { scan, loanAt, told } = setUp(seed, model, topUpSteps);
      const [minimum, liquidation, closeout] = [
        await gpu.run(scan('path-minimum')),
        await gpu.run(scan('liquidation')),
        await gpu.run(scan('closeout')),
      ];
      for (const k of [0, 3, 17, 60, CANDIDATES - 1]) {
        const loan = await gpu.run(loanAt(k));
        const counts = [minimum.counts[k], liquidation.counts[k], closeout.counts[k]];
        expect(counts, `candidate ${k}; ${told}`).toEqual([
          loan.marginCalls,
          loan.liquidations,
          loan.closeouts,
        ]);
      }
    }
  });

  it('counts what the CPU counts, but for a path or two within rounding', async () => {
    for (const seed of SEEDS) {
      const { scan, told } = setUp(seed, model, 13);
      for (const score of SCORES) {
        const [onGpu, onCpu] = [await gpu.run(scan(score)), await cpu.run(scan(score))];
        const differences = onGpu.counts.map((count, k) => Math.abs(count - onCpu.counts[k]));
        // 240,000 pairs of path and threshold: one in 1e5 lies within the rounding of a path, some 2e-6 of 0.2.
        expect(Math.max(...differences), `${score}; ${told}`).toBeLessThanOrEqual(2);
        expect(differences.filter(d => d > 0).length, `${score}; ${told}`).toBeLessThan(12);
        expect(Math.abs(Math.log(onGpu.worstRatio / onCpu.worstRatio)), told).toBeLessThan(1e-5);
      }
    }
  });
});

describe('an origination scan cut into pieces', () => {
  const cases = (['gbm', 'garch'] as const).flatMap(model => SCORES.map(score => ({ model, score })));
  it.each(cases)(
    'is the same for any workgroup, block of paths and time slice ($model, $score)',
    async ({ model, score }) => {
      const { scan } = setUp(103, model, 26);
      const plan = { ...scan(score), paths: 500 };
      const whole = await gpu.run(plan);
      for (const cut of [
        { workgroupSize: 32, maxPaths: 150 },
        { workgroupSize: 64, parallelPaths: 1, sliceMilliseconds: 0.01 },
      ]) {
        const engine = await openTestGpuEngine(cut);
        expect(await engine.run(plan), JSON.stringify(cut)).toEqual(whole);
      }
    },
  );
});
