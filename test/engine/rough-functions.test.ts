/**
 * The GPU engine on a device whose functions have the errors that WGSL allows: figures agree with the reference, paths nearly so.
 * `node scripts/test.mjs --rough FILE` runs other tests on such a device.
 *
 * @module-tag slow
 */
import { expect, it } from 'vitest';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { openRoughTestGpuEngine } from '../support/gpu.ts';
import { heavyTailed } from '../support/heavy-tails.ts';
import { expectWithinContract, largestDifference, logRatioTolerance } from '../support/parity.ts';
import { randomLoanPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

it('Loans have the figures of the reference, and paths within twice the tolerance of an exact device', async () => {
  const rough = await openRoughTestGpuEngine();
  let rougher = 0;
  // A pair and baskets.
  for (const [seed, model] of [
    [101, 'gbm'],
    [106, 'gbm'],
    [106, 'garch'],
  ] as const) {
    const plan = randomLoanPlan(seed, model, 4000);
    const [got, wanted] = await Promise.all([rough.trace(plan), reference.trace(plan)]);
    const difference = largestDifference(got.finalRatio, wanted.finalRatio, Math.log);
    expect(difference, `${model} ${seed}`).toBeLessThan(2 * logRatioTolerance(1, plan.product.steps));
    rougher = Math.max(rougher, difference);
    const [outcome, figures] = await Promise.all([rough.run(plan), reference.run(plan)]);
    for (const count of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const)
      expect(Math.abs(outcome[count] - figures[count]), `${count} of ${model} ${seed}`).toBeLessThanOrEqual(
        1,
      );
    expectWithinContract(outcome.loss / plan.paths, figures.loss / plan.paths, 1, `loss of ${model} ${seed}`);
  }
  // The errors are those of the functions: the software driver alone stays below half of it.
  expect(rougher).toBeGreaterThan(1e-6);
});

it('Values just before the end of a day are those of the reference where a quotient is rounded up', async () => {
  const rough = await openRoughTestGpuEngine();
  const plan: SimulationPlan<ValueAtRiskProduct> = {
    seed: 5,
    paths: 256,
    scenarios: heavyTailed('filtered-historical', 1, 11),
    product: {
      kind: 'value-at-risk',
      portfolio: { collateralWeights: Float64Array.of(1), loanWeights: Float64Array.of(1) },
      collateralValue: 1,
      loanValue: 1,
      horizonYears: Float64Array.of(0.3 / 365, (1 - 2 ** -24) / 365),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.95),
    },
  };
  const [got, wanted] = await Promise.all([rough.trace(plan), reference.trace(plan)]);
  for (const [field, values] of Object.entries(wanted))
    expect(largestDifference(got[field], values, Math.log), field).toBeLessThan(1e-4);
});
