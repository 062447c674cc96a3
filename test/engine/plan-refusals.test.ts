/** Refusals before a plan runs: each names the field of the plan to change, the figure and the limit. */
import { describe, expect, it } from 'vitest';
import { weighedWork } from '#src/core/plan/work.js';
import { refuseAboveLimit, refuseBeyondDoubles } from '#src/engine/plan-refusals.js';
import { randomLoanPlan, randomPerpetualPlan } from '../support/random-plans.ts';

const refusal = (body: () => void) => {
  try {
    body();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('A work limit', () => {
  it('refuses work above it, not at it, and names the paths as the member at fault', () => {
    const loan = randomLoanPlan(4, 'gbm', 100);
    const work = weighedWork(loan);
    expect(work).toBe(100 * loan.product.steps * loan.scenarios.assets);
    expect(refusal(() => refuseAboveLimit(loan, 1, 'cpu', work))).toBeUndefined();
    expect(refusal(() => refuseAboveLimit(loan, 4, 'cpu', 2 * work))).toMatchObject({
      reason: 'work-limit-exceeded',
      message: expect.stringContaining(`${4 * work} asset-steps in up to 4 passes`),
      faults: [
        {
          code: 'out_of_range',
          path: 'plan.paths',
          message: expect.stringMatching(`^paths makes 100 paths, .* ${2 * work} on`),
        },
      ],
    });
    const perpetual = randomPerpetualPlan(4, 'gbm', 100);
    expect(weighedWork(perpetual)).toBe(2 * 100 * perpetual.product.steps);
    expect(refusal(() => refuseAboveLimit(perpetual, 1, 'gpu', 1))).toMatchObject({
      faults: [{ path: 'plan.paths' }],
    });
    const history = randomLoanPlan(4, 'historical', 100);
    expect(refusal(() => refuseAboveLimit(history, 1, 'cpu', 1))).toMatchObject({
      faults: [{ code: 'out_of_range', path: 'plan.paths', message: expect.stringContaining('windows') }],
    });
  });
});

describe('Volatilities beyond double precision', () => {
  it('are refused, with the steps as the member at fault', () => {
    for (const plan of [randomLoanPlan(4, 'gbm', 100), randomPerpetualPlan(4, 'gbm', 100)]) {
      expect(refusal(() => refuseBeyondDoubles(plan))).toBeUndefined();
      const { scenarios } = plan;
      if (scenarios.kind !== 'gbm') throw new Error('a GBM plan was asked for');
      const wild = {
        ...plan,
        scenarios: {
          ...scenarios,
          annualVolatility: scenarios.annualVolatility.map(sigma => 1e4 * sigma),
          factor: scenarios.factor.map(entry => 1e4 * entry),
        },
      };
      expect(
        refusal(() => refuseBeyondDoubles(wild)),
        plan.product.kind,
      ).toMatchObject({
        reason: 'invalid-request',
        faults: [
          {
            code: 'out_of_range',
            path: 'plan.steps',
            message: expect.stringContaining('too long for these volatilities'),
          },
        ],
      });
    }
  });
});
