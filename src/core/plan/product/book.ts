/** A book of loans on common paths: terms, outcome and contract (docs/methodology.md, "Books"). */
import { BOOK_CREDIT_FIELDS } from '../book-credit.ts';
import {
  BOOK_LENDING_FIELDS,
  checkLending,
  countOfSingleLoans,
  hasAnswers,
  memberOfLending,
} from '../book-lending.ts';
import {
  anyLength,
  type Declared,
  doubles,
  type Faults,
  LEVEL,
  number,
  object,
  optional,
  perLoan,
  rowsOfAssets,
  weights,
  whole,
  words,
} from '../fields.ts';
import { MAX_STEPS } from '../grid.ts';
import type { Scenarios } from '../models.ts';
import {
  againstLast,
  HOURLY,
  type ProductContract,
  type RatioBaskets,
  USUAL_BASKETS,
  USUAL_STEPS,
} from './contract.ts';

const BOOK_FIELDS = {
  /** Steps of a path: the longest term and the sale delay. */
  steps: whole(1, MAX_STEPS),
  saleDelaySteps: whole(0, MAX_STEPS),
  /** Cost of a sale, as a fraction of it. */
  saleCost: number({ least: 0, most: 1 }),
  /** Steps of the window of the peak day: 24 hours. */
  daySteps: whole(1, MAX_STEPS),
  /** Quantiles q in (0, 1) of losses, in the caller's order. */
  quantiles: doubles(anyLength, LEVEL),
  /** B x n weights of collateral, row-major; 0 where an asset is not in the basket. */
  collateralWeights: weights(rowsOfAssets),
  /** B x n weights of the loan. */
  loanWeights: weights(rowsOfAssets),
  /** B x n: collateral weights times the liquidation LTVs of the assets, for loans with `lending.byAsset`. */
  liquidationWeights: optional(doubles(rowsOfAssets, { least: 0 })),
  /** Per loan: which pair of baskets, 0..B-1. */
  basket: words(perLoan),
  /** Per loan: steps of the full term. */
  termSteps: words(perLoan),
  /** Per loan: steps between a margin call and its deadline. */
  topUpSteps: words(perLoan),
  /** Per loan: USD at the start. */
  loanValue: doubles(perLoan, { above: 0 }),
  /** Per loan: N, M, L, R. */
  nominalRatio: doubles(perLoan, { above: 0 }),
  marginCallRatio: doubles(perLoan, { above: 0 }),
  liquidationRatio: doubles(perLoan, { above: 0 }),
  recoveryRatio: doubles(perLoan, { above: 0 }),
  /** Earned per year on the loan values of loans without a loss, as a fraction; absent where no column of it is wanted. */
  excessSpread: optional(number({ least: 0, most: 1 })),
  /** Absent where no loan has any of these terms. */
  lending: optional(object(BOOK_LENDING_FIELDS)),
  /** Absent without credit figures. */
  credit: optional(object(BOOK_CREDIT_FIELDS)),
};

/**
 * Many loans on the same joint paths. Collateral of a loan that is liquidated or closed out is sold `saleDelaySteps` later.
 * K loans, B distinct pairs of baskets, n assets.
 */
export interface BookProduct extends Declared<typeof BOOK_FIELDS> {
  readonly kind: 'book';
}

/** Sums over all paths by columns: one entry per loan. */
export interface BookLoanSums {
  readonly marginCalls: Float64Array;
  readonly liquidations: Float64Array;
  readonly closeouts: Float64Array;
  /** Paths with CCR < 1 at some step of the full term, no sale assumed. */
  readonly underwater: Float64Array;
  /** Sum over paths of the steps of the term after the loan's end. */
  readonly missedSteps: Float64Array;
  /** Sum over paths of max(0, 1 - CCR_T), in units of 2^-32. */
  readonly unsoldUnits: Float64Array;
  /** Sum of losses over paths, in units of 2^-32 of the loan value. */
  readonly lossUnits: Float64Array;
  /** Lowest CCR over all paths and steps of the full term. */
  readonly worstCcr: Float64Array;
  /** Absent for books of more than `MAX_SQUARED_LOANS`. */
  readonly squares: BookLoanSquares | undefined;
  readonly lending?: BookLendingSums | undefined;
  readonly credit?: BookCreditSums | undefined;
}

/** Sums of credit figures, by columns: one entry per loan. The event of a path is its first liquidation, closeout or handing over. */
export interface CreditLoanSums {
  /** Paths with an event, and the sum of the debts at it, in loan values. */
  readonly events: Float64Array;
  readonly exposure: Float64Array;
  /** Paths with a loss, the sum of their debts at the event, and of their discounted losses, in loan values. */
  readonly losses: Float64Array;
  readonly lossExposure: Float64Array;
  readonly lost: Float64Array;
  /** Sums of squares, and of debts times losses; absent for books of more than `MAX_SQUARED_LOANS`. */
  readonly squares:
    | Readonly<Record<'exposure' | 'lossExposure' | 'lost' | 'product', Float64Array>>
    | undefined;
}

export interface BookCreditSums {
  readonly all: CreditLoanSums;
  /** Of events within the horizon. */
  readonly within: CreditLoanSums;
}

/** Sums of loans that are followed singly, by columns: one entry per loan, 0 for others. */
export interface BookLendingSums {
  /** Paths with a sale, number of sales, and sum of the squared sale counts of paths. */
  readonly salePaths: Float64Array;
  readonly sales: Float64Array;
  readonly saleSquares: Float64Array;
  /** Sum of the sold amounts, in loan values, and of their squares. */
  readonly sold: Float64Array;
  readonly soldSquares: Float64Array;
  /** Paths with an answered call; sum of the added amounts, in loan values, and of their squares. */
  readonly topUpPaths: Float64Array;
  readonly topUp: Float64Array;
  readonly topUpSquares: Float64Array;
}

/** The spread of a loan's amounts over the paths, by columns: one entry per loan. */
export interface BookLoanSquares {
  /** Sum of the squared steps of the term after the loan's end. */
  readonly missedSteps: Float64Array;
  /** Paths on which the loan ended before its term. */
  readonly earlyEnds: Float64Array;
  /** Paths on which it ended at the deadline of a call that is open at the start; 0 without one. */
  readonly deadlineEnds: Float64Array;
  /** Paths with CCR_T < 1. */
  readonly unsoldPaths: Float64Array;
  /** Paths whose loss is at least 2^-32 of the loan value. */
  readonly lossPaths: Float64Array;
  /** Sum of max(0, 1 - CCR_T)^2. */
  readonly unsold: Float64Array;
  /** Sum of the squared losses in loan values. */
  readonly loss: Float64Array;
}

/** Largest number of loans of a book with squares. */
export const MAX_SQUARED_LOANS = 1000;

/** Figures of each path, USD or counts. */
export interface BookPathColumns {
  /** Loss of the book, a multiple of the book's unit. */
  readonly loss: Float64Array;
  /** Loss where nothing is ever sold. */
  readonly unsold: Float64Array;
  readonly calledLoans: Float64Array;
  /** Loans that were liquidated or closed out. */
  readonly forcedSales: Float64Array;
  /** Collateral sold over the term. */
  readonly sold: Float64Array;
  /** Largest sum of sales over 24 hours in a row. */
  readonly peakDay: Float64Array;
  /** Collateral added by answers to calls; absent where no loan has answers. */
  readonly toppedUp?: Float64Array;
  /** Earned by `excessSpread`, USD; absent without it. */
  readonly spread?: Float64Array;
  /** Weight of the path; absent where all weigh the same. */
  readonly weight?: Float64Array;
}

export type BookSummaries = { readonly [C in keyof BookPathColumns]: ColumnSummary };

/** The summary of a column of the paths; lists have an entry per quantile of the product. */
export interface ColumnSummary {
  readonly mean: number;
  /** Share of the paths on which it is above 0. */
  readonly positiveShare: number;
  /** Type-7 quantiles. */
  readonly quantiles: readonly number[];
  /** Means of the tails above them (core/book/tail-weights.ts). */
  readonly tailMeans: readonly number[];
}

/** Sums of paths that have weights (core/stats/weighted.ts). */
export type WeightedSet = 'once' | 'odd' | 'twice';

/** Sums of the loans of paths that have weights. */
export type WeightedLoanSums = {
  readonly weights: { readonly [S in WeightedSet]: number };
} & {
  /** All paths under the weights, odd paths alone, all paths under the squared weights; `worstCcr` covers all paths. */
  readonly [S in WeightedSet]: BookLoanSums;
};

/** Means over one tail, whose weights add up to 1. */
export interface BookTail {
  readonly quantile: number;
  /** Per loan: its part of the tail mean of the book's loss, USD. */
  readonly contributions: Float64Array;
  /** Per asset: contributions times its weight in the collateral of each loan, USD. */
  readonly lossByAsset: Float64Array;
  /** Per asset: sold in the peak day, over the tail of the peak days, USD. */
  readonly peakDayByAsset: Float64Array;
}

export interface BookOutcome {
  readonly kind: 'book';
  readonly paths: number;
  readonly loans: BookLoanSums;
  /** The same under weights; absent where all paths weigh the same. */
  readonly weighted?: WeightedLoanSums;
  readonly columns: BookPathColumns;
  readonly summaries: BookSummaries;
  /** Per asset: collateral at the start, USD. */
  readonly collateralByAsset: Float64Array;
  readonly tails: readonly BookTail[];
}

/** The outcome of a device, whose columns are not summarised yet. */
export type UnsummarisedBook = Omit<BookOutcome, 'summaries'>;

/** Further asset-steps per asset for the prices of a step: their exponentials and their extremes by day. */
const ASSET_WORK = 1.3;
/** Asset-steps per step of one more loan, with a tenth to a third of the loans called. */
const LOAN_WORK = 0.015;
/**
 * The same of a loan with answers or partial sales, or in call at the start, which is followed by itself from its call
 * on. A whole book takes 1.1 to 2.2 times the time of plain loans, up to 3.2 times where all begin in call; prices are
 * a part of it.
 */
const SINGLE_LOAN_WORK = 3 * LOAN_WORK;

export const BOOK: ProductContract<BookProduct, BookOutcome, 'two passes'> = {
  ...HOURLY,
  fields: BOOK_FIELDS,
  check: checkBook,
  merge: 'two passes',
  distribution: undefined,
  recordFields: product => [...columnsOfBook(product)],
  stepWork: ({ assets, loans = 1, singleLoans = 0 }) =>
    ASSET_WORK * assets + LOAN_WORK * (loans - singleLoans) + SINGLE_LOAN_WORK * singleLoans,
  size: ({ lending, loanValue, quantiles }) => ({
    quantiles: quantiles.length,
    loans: loanValue.length,
    singleLoans: lending === undefined ? 0 : countOfSingleLoans(lending),
  }),
  ratioBaskets: bookRatios,
  notOnGpu(product) {
    const member =
      (product.excessSpread === undefined ? undefined : 'excess_spread') ??
      memberOfLending(product) ??
      (product.credit && 'credit');
    return member && `a book with ${member}`;
  },
  usual: { models: ['gbm'], assets: USUAL_BASKETS, terms: assets => [usualBook(assets)] },
};

function checkBook(product: BookProduct, { assets }: Scenarios, faults: Faults): void {
  const { basket, termSteps, steps, saleDelaySteps, collateralWeights, loanWeights, lending } = product;
  const { liquidationWeights } = product;
  const baskets = collateralWeights.length / assets;
  if (loanWeights.length !== collateralWeights.length)
    faults.add('plan.product.loanWeights', `a list of ${collateralWeights.length}`, loanWeights);
  const byAsset = lending?.byAsset?.some(each => each === 1) ?? false;
  if (byAsset && liquidationWeights?.length !== collateralWeights.length)
    faults.add(
      'plan.product.liquidationWeights',
      `a list of ${collateralWeights.length}`,
      liquidationWeights,
    );
  const outside = basket.find(each => each >= baskets);
  if (outside !== undefined) faults.add('plan.product.basket', `numbers below ${baskets}`, outside);
  if (lending !== undefined) checkLending(lending, faults);
  const term = termSteps.find(each => each < 1 || each + saleDelaySteps > steps);
  if (term !== undefined)
    faults.add('plan.product.termSteps', `from 1 to ${steps - saleDelaySteps}, so that sales fit in`, term);
}

/** n: the number of assets in the baskets, each of which has a loan. */
export const assetsOf = ({ basket, collateralWeights }: BookProduct): number =>
  collateralWeights.length / (1 + basket.reduce((a, b) => Math.max(a, b), 0));

/** The n weights of basket b, from the B x n weights of one side. */
export const basketOf = (weights: Float64Array, b: number, assets: number): Float64Array =>
  weights.subarray(b * assets, (b + 1) * assets);

/** The values at the start of the B baskets of one side, in loan values. */
export function basketValues(weights: Float64Array, assets: number): Float64Array {
  const values = new Float64Array(weights.length / assets);
  for (let b = 0; b < values.length; b++)
    for (let i = b * assets; i < (b + 1) * assets; i++) values[b] += weights[i];
  return values;
}

/** Per pair of baskets, the shortest term of a loan on them. */
export function shortestTerms({ basket, termSteps }: BookProduct): readonly number[] {
  const shortest: number[] = [];
  basket.forEach((b, k) => {
    shortest[b] = Math.min(shortest[b] ?? Number.POSITIVE_INFINITY, termSteps[k]);
  });
  return shortest;
}

/** The baskets of all loans, each over the shortest term that a loan has on them. */
function* bookRatios(product: BookProduct): Generator<RatioBaskets> {
  const { collateralWeights, loanWeights } = product;
  const assets = assetsOf(product);
  for (const [b, steps] of shortestTerms(product).entries())
    yield {
      portfolio: {
        collateralWeights: basketOf(collateralWeights, b, assets),
        loanWeights: basketOf(loanWeights, b, assets),
      },
      steps,
      ofPrices: true,
    };
}

/** Two loans over a day of the same baskets. */
function usualBook(assets: number): BookProduct {
  const both = (value: number) => Float64Array.of(value, value);
  return {
    kind: 'book',
    steps: 2 * USUAL_STEPS,
    saleDelaySteps: USUAL_STEPS,
    saleCost: 0.01,
    daySteps: USUAL_STEPS,
    quantiles: Float64Array.of(0.95),
    ...againstLast(assets),
    basket: Uint32Array.of(0, 0),
    termSteps: Uint32Array.of(USUAL_STEPS, USUAL_STEPS),
    topUpSteps: Uint32Array.of(0, 12),
    loanValue: both(1000),
    nominalRatio: both(1.5),
    marginCallRatio: both(1.3),
    liquidationRatio: both(1.1),
    recoveryRatio: both(1.4),
  };
}

/** Columns of the record of a path, in the order in which engines write them. */
export const BOOK_COLUMNS = [
  'loss',
  'unsold',
  'calledLoans',
  'forcedSales',
  'sold',
  'peakDay',
] as const satisfies readonly (keyof BookPathColumns)[];

/** The columns of a book, in the order in which engines write them. */
export function columnsOfBook(
  product: Pick<BookProduct, 'lending' | 'excessSpread'>,
): readonly Exclude<keyof BookPathColumns, 'weight'>[] {
  return [
    ...BOOK_COLUMNS,
    ...(hasAnswers(product) ? (['toppedUp'] as const) : []),
    ...(product.excessSpread === undefined ? [] : (['spread'] as const)),
  ];
}

/** The smallest step of a book's amounts, USD: 2^-44 of its largest debt, rounded up to a power of two. */
export function bookUnit({ loanValue, lending }: Pick<BookProduct, 'loanValue' | 'lending'>): number {
  const total = loanValue.reduce(
    (sum, value, k) => sum + value * Math.max(1, lending?.debtGrowth[k] ?? 1),
    0,
  );
  return 2 ** (Math.ceil(Math.log2(total)) - 44);
}
