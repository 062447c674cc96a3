/** The figures of a loan of a book, of plain paths and under weights. */
import { expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { shareFigure, weightedAmount, weightedShare } from '#src/core/figures/accuracy.js';
import { bookLoanAccuracy, bookLoanFigures, type LoanOutcomes } from '#src/core/figures/book-loan.js';
import { type BookLending, LOAN_START } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import { skewedReach } from '#src/core/stats/skewness.js';
import { twoSidedNormal } from '#src/core/stats/special-functions.js';
import { weightedMean, weightedSkewness } from '#src/core/stats/weighted.js';

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

it('Its accuracy is that of plain paths, and under weights that of the weights, of odd paths and of squared weights', () => {
  const paths = 1000;
  /** A share of the sums of plain paths of which 400 have a loss of a quarter. */
  const loansOf = (share: number) => ({
    ...LOANS,
    underwater: of(400 * share),
    lossUnits: of(100 * share * UNITS_PER_LOAN_VALUE),
    squares: {
      missedSteps: of(0),
      earlyEnds: of(0),
      deadlineEnds: of(0),
      unsoldPaths: of(0),
      lossPaths: of(400 * share),
      unsold: of(0),
      loss: of(25 * share),
    },
  });
  const plain = bookLoanAccuracy(PRODUCT, outcomeOf({ paths, loans: loansOf(1) }), 1, 0.95);
  expect(plain.PrUnderwater).toEqual(shareFigure(400, paths, 0.95));
  const shares = { once: 0.8, odd: 0.3, twice: 0.9 };
  const ofShares = (of: (share: number) => object | number) =>
    Object.fromEntries(Object.entries(shares).map(([set, share]) => [set, of(share)])) as typeof shares;
  const weights = ofShares(share => 1.25 * share * paths);
  const accuracy = bookLoanAccuracy(
    PRODUCT,
    outcomeOf({ paths, loans: loansOf(1), weighted: { weights, ...ofShares(loansOf) } }),
    1,
    0.95,
  );
  const [events, losses, squares] = [400, 100, 25].map(sum => ofShares(share => sum * share));
  const share = weightedMean({ paths, weights, sum: events, squares: events });
  const sums = { paths, weights, sum: events, squares: events };
  const skewness = weightedSkewness(sums, share, 400, true);
  expect(accuracy.PrUnderwater).toEqual(weightedShare({ ...share, skewness }, 400, paths, 0.95));
  // In USD: the loan is of 1,000.
  const mean = weightedMean({ paths, weights, sum: losses, squares });
  const ofLoan = {
    ...mean,
    mean: 1000 * mean.mean,
    standardError: 1000 * (mean.standardError ?? Number.NaN),
  };
  const skew = weightedSkewness({ paths, weights, sum: losses, squares }, mean, 400, false);
  const reach = skewedReach(skew, twoSidedNormal(0.95));
  expect(accuracy.ExpectedLoss).toEqual(
    weightedAmount(ofLoan, 400, 0.95, [0, Number.POSITIVE_INFINITY], reach),
  );
  expect(accuracy.ExpectedLoss.low).toBeGreaterThan(0);
});

/** Methods of AvgSales and AvgSoldPct where of 1,000 paths so many have no sale, so many two, and some `more`; the others have one. */
function saleMethods(
  none: number,
  two: number,
  start: number = LOAN_START.none,
  saleDelaySteps = 24,
  more: readonly number[] = [],
) {
  const lending = {
    debtGrowth: of(1),
    start: Uint32Array.of(0, start),
    saleRatio: of(1.5),
    answerRatio: of(0),
  } as Partial<BookLending> as BookLending;
  const salePaths = 1000 - none;
  const sold = { sold: of(1), soldSquares: of(1), topUpPaths: of(0), topUp: of(0), topUpSquares: of(0) };
  const sales = {
    salePaths: of(salePaths),
    sales: of(more.reduce((sum, each) => sum + each - 1, salePaths + two)),
    saleSquares: of(more.reduce((sum, each) => sum + each * each - 1, salePaths + 3 * two)),
  };
  const squares = Object.fromEntries(
    ['missedSteps', 'earlyEnds', 'deadlineEnds', 'unsoldPaths', 'lossPaths', 'unsold', 'loss'].map(name => [
      name,
      of(0),
    ]),
  );
  const loans = { ...LOANS, squares, lending: { ...sales, ...sold } };
  const product = { ...PRODUCT, lending, saleDelaySteps };
  const { AvgSales, AvgSoldPct } = bookLoanAccuracy(product, outcomeOf({ paths: 1000, loans }), 1, 0.95);
  return { AvgSales: AvgSales?.method, AvgSoldPct: AvgSoldPct?.method };
}

it('AvgSales has no interval where fewer than 30 paths have another number of sales than the others', () => {
  const methodOf = (none: number, two: number) => saleMethods(none, two).AvgSales;
  expect(methodOf(971, 0)).toBe('too-few-events');
  expect(methodOf(970, 0)).toBe('normal');
  // Most have one sale.
  expect(methodOf(0, 29)).toBe('too-few-events');
  expect(methodOf(29, 0)).toBe('too-few-events');
  expect(methodOf(14, 15)).toBe('too-few-events');
  expect(methodOf(0, 30)).toBe('normal');
  expect(methodOf(15, 15)).toBe('normal');
});

it('AvgSales counts the paths that differ from the commonest number where that is two or more', () => {
  const { liquidated } = LOAN_START;
  const of = (two: number, more: readonly number[]) => saleMethods(0, two, liquidated, 1, more);
  // All but so many have two sales, the others three.
  const withThree = (others: number) => of(1000 - others, new Array<number>(others).fill(3));
  expect(withThree(0).AvgSales).toBe('too-few-events');
  expect(withThree(29).AvgSales).toBe('too-few-events');
  expect(withThree(30).AvgSales).toBe('normal');
  // Amounts differ with the prices, whatever their number.
  expect(withThree(29).AvgSoldPct).toBe('normal');
  // Twenty with five differ by as much as 180 with three.
  expect(of(980, new Array<number>(20).fill(5)).AvgSales).toBe('too-few-events');
  // As many with one as with three: the mean is two, which is not sure to be the commonest number.
  expect(of(200, new Array<number>(400).fill(3)).AvgSales).toBe('normal');
});

it('AvgSoldPct has no interval below 30 paths with a sale, or with a further one where the first is at the prices of step 0', () => {
  expect(saleMethods(971, 0).AvgSoldPct).toBe('too-few-events');
  expect(saleMethods(970, 0).AvgSoldPct).toBe('normal');
  expect(saleMethods(0, 0).AvgSoldPct).toBe('normal');
  const { called, liquidated } = LOAN_START;
  expect(saleMethods(0, 29, liquidated, 0).AvgSoldPct).toBe('too-few-events');
  expect(saleMethods(0, 30, liquidated, 0).AvgSoldPct).toBe('normal');
  // The prices of a later step differ from path to path.
  expect(saleMethods(0, 29, liquidated, 1).AvgSoldPct).toBe('normal');
  expect(saleMethods(0, 29, called, 0).AvgSoldPct).toBe('normal');
});
