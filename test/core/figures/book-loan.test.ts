/** The figures of a loan of a book, of plain paths and under weights. */
import { expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { bookLoanFigures, type LoanOutcomes } from '#src/core/figures/book-loan.js';
import type { BookProduct } from '#src/core/plan/product/book.js';

const PRODUCT = {
  termSteps: Uint32Array.of(24, 24),
  loanValue: Float64Array.of(1, 1000),
  quantiles: new Float64Array(),
} as Partial<BookProduct> as BookProduct;
const of = (value: number) => Float64Array.of(0, value);
/** More calls than paths, as weights allow by rounding. */
const LOANS = {
  marginCalls: of(10.5),
  liquidations: of(2),
  closeouts: of(1),
  underwater: of(4),
  worstCcr: of(0.8),
  missedSteps: of(12),
  unsoldUnits: of(0.5 * UNITS_PER_LOAN_VALUE),
  lossUnits: of(0.25 * UNITS_PER_LOAN_VALUE),
};
const FIGURES = {
  PrLiquidation: 0.2,
  PrCloseout: 0.1,
  PrUnderwater: 0.4,
  AvgSurvivalRate: 0.95,
  AvgLossPct: 5,
  ExpectedLoss: 25,
  CVarContribution: {},
};
const outcomeOf = (more: object) =>
  ({ paths: 10, loans: LOANS, tails: [], ...more }) as unknown as LoanOutcomes;

it('A loan of a book has its shares of paths and steps, its losses, and its lowest ratio', () => {
  const figures = bookLoanFigures(PRODUCT, outcomeOf({}), 1);
  expect(figures).toEqual({ ...FIGURES, PrMarginCall: 1.05, WorstCaseCCR: 0.8 });
});

it('Under weights its figures are kept in their ranges, and there is no lowest ratio', () => {
  const outcome = outcomeOf({ paths: 99, loans: {}, weighted: { weights: { once: 10 }, once: LOANS } });
  const figures = bookLoanFigures(PRODUCT, outcome, 1);
  expect(figures).toEqual({ ...FIGURES, PrMarginCall: 1, WorstCaseCCR: null });
});
