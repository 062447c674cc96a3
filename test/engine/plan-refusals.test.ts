/** Refusals before a plan runs: each names the member to change, the figure and the limit. */
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
  it('is refused above and not at it, at the member that holds the paths', () => {
    const loan = randomLoanPlan(4, 'gbm', 100);
    const work = weighedWork(loan);
    expect(work).toBe(100 * loan.product.steps * loan.scenarios.assets);
    expect(refusal(() => refuseAboveLimit(loan, 1, 'cpu', work))).toBeUndefined();
    expect(refusal(() => refuseAboveLimit(loan, 4, 'cpu', 2 * work))).toMatchObject({
      reason: 'work-limit-exceeded',
      message: expect.stringContaining(`${4 * work} asset-steps in up to 4 passes`),
      faults: [
        {
          path: 'params.mc_iter',
          message: expect.stringMatching(`^mc_iter makes 100 paths, .* ${2 * work} on`),
        },
      ],
    });
    const perpetual = randomPerpetualPlan(4, 'gbm', 100);
    expect(weighedWork(perpetual)).toBe(2 * 100 * perpetual.product.steps);
    expect(refusal(() => refuseAboveLimit(perpetual, 1, 'gpu', 1))).toMatchObject({
      faults: [{ path: 'mc_iter' }],
    });
    const history = randomLoanPlan(4, 'historical', 100);
    expect(refusal(() => refuseAboveLimit(history, 1, 'cpu', 1))).toMatchObject({
      faults: [{ path: 'params.model_lookback', message: expect.stringContaining('windows') }],
    });
  });
});

describe('Volatilities beyond double precision', () => {
  it('are refused at the member that holds the term', () => {
    for (const [plan, path] of [
      [randomLoanPlan(4, 'gbm', 100), 'params.loan_duration'],
      [randomPerpetualPlan(4, 'gbm', 100), 'trade_duration_hours'],
    ] as const) {
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
        path,
      ).toMatchObject({
        reason: 'invalid-request',
        faults: [{ path, message: expect.stringContaining('too long for these volatilities') }],
      });
    }
  });
});
