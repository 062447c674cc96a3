/** Which paths of a capped sale count for the interval of a mean over events: those whose amount is not the commonest one. */
import { expect, it } from 'vitest';
import type { CappedLoanOutcome } from '#src/core/engine.js';
import { cappedLoanAccuracy } from '#src/core/figures/capped-loan.js';
import { LOAN } from '#src/core/plan/product/loan.js';
import type { CappedLoanProduct } from '#src/core/plan/simulation-plan.js';
import { noiselessGbm } from '../../support/exact-paths.ts';

const OUTCOME: CappedLoanOutcome = {
  kind: 'capped-loan',
  paths: 1000,
  marginCalls: 1000,
  liquidations: 0,
  closeouts: 500,
  underwater: 0,
  calls: 1040,
  callAmount: 210,
  sellers: 500,
  soldAmount: 499,
  callSquares: 1120,
  callAmountSquares: 45,
  callProducts: 220,
  soldAmountSquares: 498,
  repaid: 471,
  recalled: 29,
  unfinished: 0,
  worstCcr: 0.9,
};
const FEW = { standard_error: null, method: 'too-few-events' };

/** @param debtVolatility of the asset of the debt */
function accuracyOf(
  outcome: Partial<CappedLoanOutcome>,
  terms: Partial<CappedLoanProduct>,
  debtVolatility: number,
) {
  const [loan] = LOAN.usual.terms(2);
  const product: CappedLoanProduct = { ...loan, kind: 'capped-loan', capacityPerStep: 0.1, ...terms };
  const plan = { seed: 1, paths: 1000, scenarios: noiselessGbm([0.5, debtVolatility]), product };
  return cappedLoanAccuracy({ ...OUTCOME, ...outcome }, plan, 1, 0.95);
}

it('AvgLiquidation has none where fewer than 30 sales of a constant debt do not repay it', () => {
  expect(accuracyOf({}, {}, 0).AvgLiquidation).toMatchObject(FEW);
  expect(accuracyOf({ repaid: 470 }, {}, 0).AvgLiquidation.standard_error).not.toBeNull();
  // A debt that moves, or grows, is repaid by amounts that differ.
  expect(accuracyOf({}, {}, 0.2).AvgLiquidation.standard_error).not.toBeNull();
  expect(accuracyOf({}, { debtGrowth: 1.1 }, 0).AvgLiquidation.standard_error).not.toBeNull();
  expect(accuracyOf({ sellers: 29 }, {}, 0.2).AvgLiquidation).toMatchObject(FEW);
});

it('AvgLiquidation has none where fewer than 30 sales end otherwise than those that run from the start to the term', () => {
  for (const debtVolatility of [0, 0.2]) {
    const sales = (unfinished: number) => accuracyOf({ repaid: 0, unfinished }, {}, debtVolatility);
    expect(sales(471).AvgLiquidation).toMatchObject(FEW);
    expect(sales(470).AvgLiquidation.standard_error).not.toBeNull();
  }
  // Neither amount is that of more than half of the sales.
  expect(accuracyOf({ repaid: 250, unfinished: 250 }, {}, 0).AvgLiquidation.standard_error).not.toBeNull();
});

it('AvgMarginCall has none where fewer than 30 loans in call at the start are called again', () => {
  const start = { status: 'called', deadlineStep: 5 } as const;
  expect(accuracyOf({}, { start }, 0).AvgMarginCall).toMatchObject(FEW);
  expect(accuracyOf({ recalled: 30 }, { start }, 0).AvgMarginCall.standard_error).not.toBeNull();
  expect(accuracyOf({}, {}, 0).AvgMarginCall.standard_error).not.toBeNull();
  expect(
    accuracyOf({}, { start: { ...start, status: 'open' } }, 0).AvgMarginCall.standard_error,
  ).not.toBeNull();
});
