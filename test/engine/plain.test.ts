/** Every path of the CPU engine against the plain implementation in test/support/plain. */
import { describe, expect, it } from 'vitest';
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type PathRecords,
} from '#src/core/engine.js';
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

describe.each(MODELS)('the CPU engine under %s', model => {
  it.each(CASES)('follows loan %i as the methodology reads', async seed => {
    const plan = randomLoanPlan(seed, model, PATHS);
    const records = await engine.trace(plan);
    const terms = plainTerms(plan.product);
    for (let p = 0; p < PATHS; p++) {
      const { collateral, loan } = plainBaskets(plan, p, plan.product.steps);
      const plain = plainLoan(terms, collateral, loan);
      const inputs = describeCase(plan.product, seed, p);
      expect(flagsOf(records, p), inputs).toEqual({
        marginCall: plain.marginCall,
        liquidation: plain.liquidation,
        closeout: plain.closeout,
        underwater: plain.underwater,
      });
      expect(records.endStep[p], inputs).toBe(plain.endStep);
      expectClose(terms.N * records.minimumRatio[p], plain.worstCcr, inputs);
      expectClose(Math.max(0, 1 - terms.N * records.finalRatio[p]), plain.loss, inputs);
    }
  });

  it('sums a loan as its paths say', async () => {
    const plan = randomLoanPlan(77, model, 500);
    const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
    const count = (flag: number) => records.flags.filter(flags => flags & flag).length;
    const n = plan.product.nominalRatio;
    expect(outcome.paths).toBe(500);
    expect(outcome.marginCalls).toBe(count(FLAG_MARGIN_CALL));
    expect(outcome.liquidations).toBe(count(FLAG_LIQUIDATION));
    expect(outcome.closeouts).toBe(count(FLAG_CLOSEOUT));
    expect(outcome.underwater).toBe(count(FLAG_UNDERWATER));
    expect(outcome.openSteps).toBe(records.endStep.reduce((a, b) => a + b, 0));
    expectClose(outcome.worstCcr, n * Math.min(...records.minimumRatio), 'worst CCR');
    const loss = records.finalRatio.reduce((sum, r) => sum + Math.max(0, 1 - n * r), 0);
    expectClose(outcome.loss, loss, 'loss');
  });

  it.each(CASES)('follows capped loan %i as the methodology reads', async seed => {
    const plan = randomCappedPlan(seed, model, PATHS);
    const records = await engine.trace(plan);
    const terms = plainTerms(plan.product);
    for (let p = 0; p < PATHS; p++) {
      const { collateral, loan } = plainBaskets(plan, p, plan.product.steps);
      const plain = plainCappedLoan(terms, plan.product.capacityPerStep, collateral, loan);
      const inputs = describeCase(plan.product, seed, p);
      expect(flagsOf(records, p), inputs).toEqual({
        marginCall: plain.marginCall,
        liquidation: plain.liquidation,
        closeout: plain.closeout,
        underwater: plain.underwater,
      });
      expectClose(records.worstCcr[p], plain.worstCcr, inputs);
      expectClose(records.soldAmount[p], plain.sold, inputs);
      expectClose(
        records.callAmount[p],
        plain.callAmounts.reduce((a, b) => a + b, 0),
        inputs,
      );
    }
  });

  it.each(CASES)('follows position %i as the methodology reads', async seed => {
    const plan = randomPerpetualPlan(seed, model, PATHS);
    const records = await engine.trace(plan);
    for (let p = 0; p < PATHS; p++) {
      const relative = plainPrices(plan, p, plan.product.steps).map(prices => prices[0]);
      const plain = plainPosition(plan.product, relative);
      const inputs = describeCase(plan.product, seed, p);
      expect(flagsOf(records, p), inputs).toMatchObject({
        marginCall: plain.marginCall,
        liquidation: plain.liquidation,
      });
      const scale = plan.product.initialMargin;
      expectClose(records.finalEquity[p] / scale, plain.finalEquity / scale, inputs);
      expectClose(records.accumulatedFunding[p] / scale, plain.accumulatedFunding / scale, inputs);
      expectClose(records.maxEquityDrawdown[p] / scale, plain.maxEquityDrawdown / scale, inputs);
      // Near liquidation leverage is 1 / (a small equity): its rounding grows with it.
      expect(records.medianLeverage[p] / plain.medianLeverage, inputs).toBeCloseTo(1, 7);
    }
  });
});

function plainTerms(product: {
  nominalRatio: number;
  marginCallRatio: number;
  liquidationRatio: number;
  recoveryRatio: number;
  topUpSteps: number;
}): PlainTerms {
  return {
    N: product.nominalRatio,
    M: product.marginCallRatio,
    L: product.liquidationRatio,
    R: product.recoveryRatio,
    topUpSteps: product.topUpSteps,
  };
}

function flagsOf(records: PathRecords, p: number) {
  const flags = records.flags[p];
  return {
    marginCall: (flags & FLAG_MARGIN_CALL) !== 0,
    liquidation: (flags & FLAG_LIQUIDATION) !== 0,
    closeout: (flags & FLAG_CLOSEOUT) !== 0,
    underwater: (flags & FLAG_UNDERWATER) !== 0,
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
