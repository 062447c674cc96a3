/** The figures of a book's loan by their interface names: the figures of /loan_risk, and the losses of its sales. */
import { UNITS_PER_LOAN_VALUE } from '../book/book-sums.ts';
import { answersCalls, LOAN_START, sellsParts } from '../plan/book-lending.ts';
import type {
  BookLendingSums,
  BookLoanSums,
  BookOutcome,
  BookProduct,
  BookTail,
} from '../plan/product/book.ts';
import type { WeightedSum } from '../stats/weighted.ts';
import type { FigureAccuracy } from './accuracy.ts';
import {
  byQuantile,
  type DescribedFigure,
  type Figures,
  NOT_NEGATIVE,
  type OfFigures,
  type Sums,
  share,
} from './figure.ts';
import {
  LOAN_FIGURES,
  type LoanFigureTerms,
  type LoanSum,
  STATE_FIGURES,
  TOP_UP_FIGURES,
  uncommonEnds,
} from './loan.ts';
import { accuracyOf, figuresOf, figuresUnderWeights, weightedAccuracyOf } from './of-sums.ts';

interface BookLoanTerms extends LoanFigureTerms {
  /** USD. */
  readonly loanValue: number;
}

/** Sums of a loan of a book: amounts in loan values; `saleLoss` is the loss with delayed and costly sales. */
type BookLoanSum =
  | LoanSum
  | 'saleLoss'
  | 'saleLossSquares'
  | 'saleLosses'
  | 'salePaths'
  | 'uncommonSales'
  | 'uncommonSold'
  | 'sales'
  | 'saleSquares'
  | 'sold'
  | 'soldSquares';

const meanLoss = (loss: number, paths: number, loanValue: number) => (loss / paths) * loanValue;

/** The figures of every loan, in the order of the answer. */
export const BOOK_LOAN_FIGURES = {
  AvgLossPct: LOAN_FIGURES.AvgLossPct,
  AvgSurvivalRate: {
    ...LOAN_FIGURES.AvgSurvivalRate,
    value: ({ paths, closedSteps = 0 }, { steps }) => 1 - closedSteps / (paths * steps),
    error: (error, { steps }) => (1 / steps) * error,
  },
  ...STATE_FIGURES,
  ExpectedLoss: {
    shape: 'mean',
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Mean loss with delayed and costly sales.',
    label: 'Expected loss',
    note: 'mean, after forced sales',
    sum: 'saleLoss',
    squares: 'saleLossSquares',
    events: 'saleLosses',
    scale: ({ loanValue }) => loanValue,
    value: ({ paths, saleLoss = 0 }, { loanValue }) => meanLoss(saleLoss, paths, loanValue),
  },
} as const satisfies Figures<BookLoanSum, BookLoanTerms>;

/** The figures that only loans with some terms have, behind the others. */
export const BOOK_LENDING_FIGURES = {
  PrSale: {
    ...share('salePaths', {
      words: 'Share of the scenarios in which some of it is sold; with partial_sale.',
      label: 'Chance of a sale',
    }),
    optional: true,
  },
  AvgSales: {
    shape: 'mean',
    unit: 'none',
    range: NOT_NEGATIVE,
    words: 'Mean number of sales; with partial_sale.',
    label: 'Number of sales',
    note: 'mean',
    optional: true,
    sum: 'sales',
    squares: 'saleSquares',
    events: 'uncommonSales',
    positive: 'salePaths',
    scale: () => 1,
  },
  AvgSoldPct: {
    shape: 'mean',
    unit: 'percent of the loan',
    range: NOT_NEGATIVE,
    words: 'Mean of what is sold, at the prices of each sale; with partial_sale.',
    label: 'Collateral sold',
    note: 'mean, of the loan',
    optional: true,
    sum: 'sold',
    squares: 'soldSquares',
    events: 'uncommonSold',
    positive: 'salePaths',
    scale: () => 100,
  },
  ...TOP_UP_FIGURES,
} as const satisfies Figures<BookLoanSum, BookLoanTerms>;

/** A part in the mean over a tail of the book, for each quantile. */
export interface TailPart extends DescribedFigure {
  /** Per loan or asset. */
  readonly ofTail: (tail: BookTail) => Float64Array;
}

export const LOAN_PARTS = {
  CVarContribution: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Part of the loan in LossCVar of the book.',
    label: 'Part in the mean loss beyond the level',
    ofTail: ({ contributions }) => contributions,
  },
} as const satisfies Readonly<Record<string, TailPart>>;

/** The part of an outcome that determines the figures of loans. */
export type LoanOutcomes = Omit<BookOutcome, 'columns'>;

/** Parts of the tail means, by name and quantile. @param of selects the shown part from the parts of all loans or assets */
export const tailParts = <F extends Readonly<Record<string, TailPart>>>(
  parts: F,
  quantiles: Float64Array,
  tails: readonly BookTail[],
  of: (part: Float64Array) => number,
) =>
  Object.fromEntries(
    Object.entries(parts).map(([name, { ofTail }]) => [
      name,
      byQuantile(quantiles, i => of(ofTail(tails[i]))),
    ]),
  ) as Record<keyof F, Record<string, number>>;

const termsOf = ({ termSteps, loanValue, lending }: BookProduct, k: number): BookLoanTerms => ({
  steps: termSteps[k],
  debtGrowth: lending?.debtGrowth[k] ?? 1,
  loanValue: loanValue[k],
});

/** Of so many paths, the sum of the squared differences of their sales from c, and how many differ at the least (Cauchy and Schwarz). */
function salesApart({ sales, saleSquares }: BookLendingSums, k: number, paths: number, c: number) {
  const sum = sales[k] - c * paths;
  const squares = saleSquares[k] - 2 * c * sales[k] + c * c * paths;
  return { squares, least: squares > 0 ? (sum * sum) / squares : 0 };
}

/** Paths whose number of sales is not the commoner one of 0 and 1. */
const notOneSale = (paths: number, sums: BookLendingSums, k: number): number =>
  Math.min(sums.salePaths[k], paths - sums.salePaths[k] + salesApart(sums, k, sums.salePaths[k], 1).least);

/** Paths whose number of sales is not the commonest one. That is 2 or more for sure where the squares are less than half of the paths. */
function uncommonSales(paths: number, sums: BookLendingSums, k: number): number {
  const nearest = Math.round(sums.sales[k] / paths);
  const { squares, least } = salesApart(sums, k, paths, nearest);
  return nearest > 1 && squares < paths / 2 ? least : notOneSale(paths, sums, k);
}

/** The sums of loan k by name. @param paths number of them, or their weights */
function sumsOf(product: BookProduct, loans: BookLoanSums, paths: number, k: number): Sums<BookLoanSum> {
  const { squares, lending } = loans;
  const sales = sellsParts(product.lending, k) ? lending : undefined;
  const answers = answersCalls(product.lending, k) ? lending : undefined;
  // A sale at the prices of step 0 has the same amount on all paths, and is the only one on most.
  const sellsAtStart = product.saleDelaySteps === 0 && product.lending?.start[k] === LOAN_START.liquidated;
  return {
    paths,
    marginCalls: loans.marginCalls[k],
    liquidations: loans.liquidations[k],
    closeouts: loans.closeouts[k],
    underwater: loans.underwater[k],
    worstCcr: loans.worstCcr[k],
    earlyEnds: squares?.earlyEnds[k],
    ends: squares && uncommonEnds(paths, squares.earlyEnds[k], squares.deadlineEnds[k]),
    closedSteps: loans.missedSteps[k],
    closedStepSquares: squares?.missedSteps[k],
    loss: loans.unsoldUnits[k] / UNITS_PER_LOAN_VALUE,
    lossSquares: squares?.unsold[k],
    losses: squares?.unsoldPaths[k],
    saleLoss: loans.lossUnits[k] / UNITS_PER_LOAN_VALUE,
    saleLossSquares: squares?.loss[k],
    saleLosses: squares?.lossPaths[k],
    salePaths: sales?.salePaths[k],
    uncommonSales: sales && uncommonSales(paths, sales, k),
    uncommonSold: sellsAtStart ? sales && notOneSale(paths, sales, k) : sales?.salePaths[k],
    sales: sales?.sales[k],
    saleSquares: sales?.saleSquares[k],
    sold: sales?.sold[k],
    soldSquares: sales?.soldSquares[k],
    topUps: answers?.topUpPaths[k],
    topUpAmount: answers?.topUp[k],
    topUpAmountSquares: answers?.topUpSquares[k],
  };
}

/** Number of paths and sums of their loans; under the weights, where paths have any. */
export const underWeights = ({
  paths,
  loans,
  weighted,
}: LoanOutcomes): Pick<BookOutcome, 'paths' | 'loans'> =>
  weighted === undefined ? { paths, loans } : { paths: weighted.weights.once, loans: weighted.once };

/** The sums of the losses of loan k, in loan values, of independent paths. */
export const lossSums = ({ paths, loans }: Pick<BookOutcome, 'paths' | 'loans'>, k: number) => ({
  paths,
  saleLoss: loans.lossUnits[k] / UNITS_PER_LOAN_VALUE,
  saleLossSquares: loans.squares?.loss[k],
  saleLosses: loans.squares?.lossPaths[k],
});

/** Mean loss of loan k, USD. */
export const expectedLoss = (
  { loanValue }: BookProduct,
  { paths, loans }: Pick<BookOutcome, 'paths' | 'loans'>,
  k: number,
): number => meanLoss(loans.lossUnits[k] / UNITS_PER_LOAN_VALUE, paths, loanValue[k]);

/** Status of a loan at the start, by its name in the answer; none for an open loan. */
export const LOAN_STATUS: ReadonlyMap<number | undefined, string> = new Map([
  [LOAN_START.called, 'called'],
  [LOAN_START.liquidated, 'liquidated'],
]);

/** The figures of loan k; WorstCaseCCR is null where paths have weights. */
export function bookLoanFigures(product: BookProduct, outcome: LoanOutcomes, k: number) {
  const { paths, loans } = underWeights(outcome);
  const [sums, terms] = [sumsOf(product, loans, paths, k), termsOf(product, k)];
  const status = LOAN_STATUS.get(product.lending?.start[k]);
  const valuesOf = outcome.weighted === undefined ? figuresOf : figuresUnderWeights;
  return {
    ...valuesOf(BOOK_LOAN_FIGURES, sums, terms),
    ...(outcome.weighted && { WorstCaseCCR: null }),
    ...tailParts(LOAN_PARTS, product.quantiles, outcome.tails, part => part[k]),
    ...(status === undefined ? {} : { Status: status }),
    ...valuesOf(BOOK_LENDING_FIGURES, sums, terms),
  };
}

const ALL_FIGURES = { ...BOOK_LOAN_FIGURES, ...BOOK_LENDING_FIGURES };

/**
 * Accuracy of the figures of loan k, without its contributions, whose law depends on the other loans.
 *
 * @param outcome with the squares of its loans
 */
export function bookLoanAccuracy(
  product: BookProduct,
  { paths, loans, weighted }: LoanOutcomes,
  k: number,
  level: number,
): OfFigures<typeof ALL_FIGURES, FigureAccuracy> {
  const terms = termsOf(product, k);
  const counts = sumsOf(product, loans, paths, k);
  if (weighted === undefined) return accuracyOf(ALL_FIGURES, counts, terms, level);
  const [once, odd, twice] = (['once', 'odd', 'twice'] as const).map(set =>
    sumsOf(product, weighted[set], weighted.weights[set], k),
  );
  const names = Object.keys(counts) as readonly (BookLoanSum | 'paths')[];
  const sums = Object.fromEntries(
    names.map(name => [name, { once: once[name], odd: odd[name], twice: twice[name] }]),
  ) as Record<'paths' | BookLoanSum, WeightedSum>;
  return weightedAccuracyOf(ALL_FIGURES, { counts, sums }, terms, level);
}
