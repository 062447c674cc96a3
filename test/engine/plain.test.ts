/** Every path of the CPU engine against the plain implementation in test/support/plain. */
import { describe, expect, it } from 'vitest';
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '#src/core/engine.js';
import type { LoanTerms } from '#src/core/plan/loan-terms.js';
import { flagCounts, flagsOf, sum } from '../support/flags.ts';
import { type PlainTerms, plainCappedLoan, plainLoan } from '../support/plain/loans.ts';
import { plainBaskets, plainPrices } from '../support/plain/paths.ts';
import { plainPosition } from '../support/plain/perpetual.ts';
import {
  type ModelKind,
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
} from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(2);

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const PATHS = 40;
const CASES = Array.from({ length: 12 }, (_, i) => i + 1);
/** Both sides are doubles and differ in the order of operations only: a few hundred roundings of 1e-16. */
const ROUNDING = 1e-11;

describe.each(MODELS)('The CPU engine under %s', model => {
  it.each(CASES)('has the figures of the plain program for loan %i', async seed => {
    const plan = randomLoanPlan(seed, model, PATHS);
    const records = await engine.trace(plan);
    const terms = plainTerms(plan.product);
    for (let p = 0; p < PATHS; p++) {
      const { collateral, loan } = plainBaskets(plan, p, plan.product.steps);
      const plain = plainLoan(terms, collateral, loan);
      const inputs = describeCase(plan.product, seed, p);
      expect(records.flags[p], inputs).toBe(flagsOf(plain));
      expect(records.endStep[p], inputs).toBe(plain.endStep);
      expectClose(terms.N * records.minimumRatio[p], plain.worstCcr, inputs);
      expectClose(Math.max(0, 1 - terms.N * records.finalRatio[p]), plain.loss, inputs);
    }
  });

  it('sums the records of a loan', async () => {
    const plan = randomLoanPlan(77, model, 500);
    const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
    const n = plan.product.nominalRatio;
    expect(outcome).toMatchObject({ paths: 500, ...flagCounts(records), openSteps: sum(records.endStep) });
    expectClose(outcome.worstCcr, n * Math.min(...records.minimumRatio), 'worst CCR');
    expectClose(outcome.loss, sum(records.finalRatio.map(r => Math.max(0, 1 - n * r))), 'loss');
  });

  it.each(CASES)('has the figures of the plain program for capped loan %i', async seed => {
    const plan = randomCappedPlan(seed, model, PATHS);
    const records = await engine.trace(plan);
    const terms = plainTerms(plan.product);
    for (let p = 0; p < PATHS; p++) {
      const { collateral, loan } = plainBaskets(plan, p, plan.product.steps);
      const plain = plainCappedLoan(terms, plan.product.capacityPerStep, collateral, loan);
      const inputs = describeCase(plan.product, seed, p);
      expect(records.flags[p], inputs).toBe(flagsOf(plain));
      expectClose(records.worstCcr[p], plain.worstCcr, inputs);
      expectClose(records.soldAmount[p], plain.sold, inputs);
      expectClose(records.callAmount[p], sum(plain.callAmounts), inputs);
    }
  });

  it.each(CASES)('has the figures of the plain program for position %i', async seed => {
    const plan = randomPerpetualPlan(seed, model, PATHS);
    const records = await engine.trace(plan);
    for (let p = 0; p < PATHS; p++) {
      const relative = plainPrices(plan, p, plan.product.steps).map(prices => prices[0]);
      const plain = plainPosition(plan.product, relative);
      const inputs = describeCase(plan.product, seed, p);
      const { marginCall, liquidation } = plain;
      const events = { marginCall, liquidation, closeout: false, underwater: false };
      expect(records.flags[p] & (FLAG_MARGIN_CALL | FLAG_LIQUIDATION), inputs).toBe(flagsOf(events));
      const scale = plan.product.initialMargin;
      expectClose(records.finalEquity[p] / scale, plain.finalEquity / scale, inputs);
      expectClose(records.accumulatedFunding[p] / scale, plain.accumulatedFunding / scale, inputs);
      expectClose(records.maxEquityDrawdown[p] / scale, plain.maxEquityDrawdown / scale, inputs);
      // Near liquidation leverage is 1 / (a small equity): its rounding grows with it.
      expect(records.medianLeverage[p] / plain.medianLeverage, inputs).toBeCloseTo(1, 7);
    }
  });
});

function plainTerms(product: LoanTerms): PlainTerms {
  return {
    N: product.nominalRatio,
    M: product.marginCallRatio,
    L: product.liquidationRatio,
    R: product.recoveryRatio,
    topUpSteps: product.topUpSteps,
  };
}

function expectClose(actual: number, expected: number, inputs: string): void {
  const difference = Math.abs(actual - expected);
  expect(difference, `${actual} against ${expected}; ${inputs}`).toBeLessThanOrEqual(
    ROUNDING * Math.max(1, Math.abs(expected)),
  );
}

function describeCase(product: object, seed: number, path: number): string {
  return `case ${seed}, path ${path}, ${JSON.stringify(product)}`;
}
