/** The curve of an origination: at every candidate the score of the loan with the ratios of that candidate. */
import { describe, expect, it } from 'vitest';
import type { LoanOutcome } from '#src/core/engine.js';
import { runRange } from '#src/core/reference/products.js';
import { ratiosAt } from '#src/question/origination/ratios.js';
import type { RunPlan, ScoreTerms } from '#src/question/origination/score.js';
import { curveOf } from '../../console/src/compute/curve.ts';
import { randomLoanPlan } from '../support/random-plans.ts';

const PATHS = 200;
const plan = randomLoanPlan(5, 'gbm', PATHS);
const run = (async wanted => runRange(wanted, { first: 0, count: wanted.paths })) as RunPlan;

const terms = (
  score_variable: ScoreTerms['opt_param']['score_variable'],
  fixed: object = {},
): ScoreTerms => ({
  L: 1.1,
  opt_param: {
    score_variable,
    score_target: 0.1,
    variable_min: 1.15,
    variable_max: 2,
    error_tolerance: 0.01,
    ...fixed,
  } as ScoreTerms['opt_param'],
});

/** The loan at one nominal ratio, run alone. */
function loanAt(search: ScoreTerms, nominalRatio: number): LoanOutcome {
  const { N, M, L, R } = ratiosAt(nominalRatio, search);
  const product = {
    ...plan.product,
    nominalRatio: N,
    marginCallRatio: M,
    liquidationRatio: L,
    recoveryRatio: R,
  };
  return runRange({ ...plan, product }, { first: 0, count: PATHS });
}

describe.each([
  ['PrLiquidation', (loan: LoanOutcome) => loan.liquidations / PATHS],
  ['PrCloseout', (loan: LoanOutcome) => loan.closeouts / PATHS],
  ['PrForcedSale', (loan: LoanOutcome) => (loan.liquidations + loan.closeouts) / PATHS],
  ['PrMarginCall', (loan: LoanOutcome) => loan.marginCalls / PATHS],
  ['PrUnderwater', (loan: LoanOutcome) => loan.underwater / PATHS],
] as const)('the curve of %s', (score, of) => {
  it.each([
    ['M and R that follow N', {}],
    ['a fixed R', { R: 1.4 }],
  ])('is the score of the loan at every candidate, with %s', async (_, fixed) => {
    const search = terms(score, fixed);
    const curve = await curveOf(search, plan, run);
    expect(curve.nominalRatios.at(-1)).toBe(2);
    const every = Math.floor(curve.nominalRatios.length / 8);
    for (let k = 0; k < curve.nominalRatios.length; k += every)
      expect(curve.scores[k], `N = ${curve.nominalRatios[k]}`).toBe(
        of(loanAt(search, curve.nominalRatios[k])),
      );
    for (const [k, value] of curve.scores.entries()) {
      expect(curve.low[k]).toBeLessThanOrEqual(value);
      expect(curve.high[k]).toBeGreaterThanOrEqual(value);
    }
  });
});

describe('the curve of WorstCaseCCR', () => {
  it('is the lowest coverage of any path, without an interval', async () => {
    const search = terms('WorstCaseCCR');
    const curve = await curveOf(search, plan, run);
    const middle = 200;
    // One rounding of r_min x N where the loan multiplies path by path.
    expect(curve.scores[middle]).toBeCloseTo(loanAt(search, curve.nominalRatios[middle]).worstCcr, 12);
    expect(curve.low.every(low => low === null)).toBe(true);
  });
});
