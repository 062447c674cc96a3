/** The figures of a loan, by their names in the interface (methodology part 4). */
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type LoanOutcome,
  type PathRecords,
} from '../engine.ts';
import { LOAN_QUANTITIES, type LoanQuantity } from '../plan/product/loan.ts';
import type { LoanProduct } from '../plan/simulation-plan.ts';
import type { WeightedSum } from '../stats/weighted.ts';
import { type Figures, NOT_NEGATIVE, SHARE, type Sums, share, withFlag } from './figure.ts';
import {
  accuracyOf,
  figuresOf,
  type WeightedRun,
  weightedAccuracyOf,
  weightedFiguresOf,
  windowFiguresOf,
} from './of-sums.ts';

/** Terms of the figures beside the sums: the full term T in steps, and a debt of 1 at its end. */
export type LoanFigureTerms = Pick<LoanProduct, 'steps' | 'debtGrowth'>;

/** Sums of the figures: sums over weighted paths, the lowest ratio, and counts of paths with a loss, with another end than the commonest, and with an early end. */
export type LoanSum = Exclude<LoanQuantity, 'paths'> | 'losses' | 'ends' | 'earlyEnds' | 'worstCcr';

const PERCENT = 100;

/** Shares of the paths by the state of the loan. Other products with these states have the same rows, some with other words. */
export const STATE_FIGURES = {
  PrCloseout: share(
    'closeouts',
    {
      words: 'Share of the scenarios in which a margin call is not cured by its deadline.',
      label: 'Chance of a closeout',
      note: 'called, and not cured in time',
    },
    withFlag(FLAG_CLOSEOUT),
  ),
  PrLiquidation: share(
    'liquidations',
    {
      words: 'Share of the scenarios in which the ratio falls below L before a closeout.',
      label: 'Chance of a liquidation',
    },
    withFlag(FLAG_LIQUIDATION),
  ),
  PrMarginCall: share(
    'marginCalls',
    {
      words: 'Share of the scenarios with at least one margin call.',
      label: 'Chance of a margin call',
    },
    withFlag(FLAG_MARGIN_CALL),
  ),
  PrUnderwater: share(
    'underwater',
    {
      words:
        'Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold.',
      label: 'Chance of being under water',
      note: 'debt above the collateral at some time',
    },
    withFlag(FLAG_UNDERWATER),
  ),
  WorstCaseCCR: {
    shape: 'minimum',
    unit: 'collateral value / loan value',
    range: NOT_NEGATIVE,
    words: 'Lowest collateral coverage ratio over all scenarios and steps.',
    label: 'Lowest coverage',
    ltvLabel: 'Highest LTV',
    note: 'of any scenario',
    lowest: 'worstCcr',
  },
} as const satisfies Figures<LoanSum, unknown>;

/** The figures of answered calls, where calls are answered. */
export const TOP_UP_FIGURES = {
  PrTopUp: {
    ...share(
      'topUps',
      {
        words: 'Share of the scenarios in which the borrower answers a margin call; with top_up only.',
        label: 'Chance that a call is answered',
      },
      ({ topUpAmount }) => topUpAmount.map(amount => (amount > 0 ? 1 : 0)),
    ),
    optional: true,
  },
  AvgTopUpPct: {
    shape: 'mean',
    unit: 'percent of the loan',
    range: NOT_NEGATIVE,
    words:
      'Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only.',
    label: 'Collateral added by answers',
    note: 'mean, of the loan',
    optional: true,
    sum: 'topUpAmount',
    squares: 'topUpAmountSquares',
    events: 'topUps',
    scale: () => PERCENT,
    ofWindows: ({ topUpAmount }) => topUpAmount.map(amount => PERCENT * amount),
  },
} as const satisfies Figures<LoanSum, unknown>;

const percentOfLoan = ({ debtGrowth = 1 }: LoanFigureTerms) => PERCENT * debtGrowth;

/** The figures of a loan in the order of the answer. */
export const LOAN_FIGURES = {
  AvgLossPct: {
    shape: 'mean',
    unit: 'percent of the loan',
    range: NOT_NEGATIVE,
    words: 'Mean loss of the lender at the end of the term, with nothing sold.',
    label: 'Mean shortfall',
    note: 'of the loan, at the end, if nothing is sold',
    sum: 'loss',
    squares: 'lossSquares',
    events: 'losses',
    scale: percentOfLoan,
    // At most the debt at the end of the term is lost.
    most: percentOfLoan,
    ofWindows: ({ finalCcr }, terms) => finalCcr.map(ccr => percentOfLoan(terms) * Math.max(0, 1 - ccr)),
  },
  AvgSurvivalRate: {
    shape: 'mean',
    unit: 'fraction',
    range: SHARE,
    words: 'Mean share of the term before a liquidation or a closeout.',
    label: 'Part of the term that the loan runs',
    note: 'mean',
    // Steps after the end have the same variance as those before it, and are 0 on most paths.
    sum: 'closedSteps',
    squares: 'closedStepSquares',
    events: 'ends',
    positive: 'earlyEnds',
    scale: ({ steps }) => -1 / steps,
    offset: 1,
    value: ({ paths, closedSteps = 0 }, { steps }) => (paths * steps - closedSteps) / (paths * steps),
    error: (error, { steps }) => error / steps,
    ofWindows: ({ endStep }, { steps }) => endStep.map(step => step / steps),
  },
  ...STATE_FIGURES,
  ...TOP_UP_FIGURES,
} as const satisfies Figures<LoanSum, LoanFigureTerms>;

/** Names of the figures of a loan. */
export type LoanFigureName = keyof typeof LOAN_FIGURES;

/** Sums of answered calls; undefined where none are answered. */
export const answerSums = ({
  topUps,
  topUpAmount,
  topUpAmountSquares,
}: Pick<LoanOutcome, 'topUps' | 'topUpAmount' | 'topUpAmountSquares'>) => ({
  topUps,
  topUpAmount,
  topUpAmountSquares,
});

/**
 * Paths whose end is not the commonest one. That is the term, or the deadline of a call that is open at the start.
 *
 * @param early paths that end before the term @param atDeadline paths that end at that deadline; 0 without one
 */
export const uncommonEnds = (paths: number, early: number, atDeadline: number): number =>
  Math.min(early, paths - atDeadline);

/** The sums of an outcome by name. */
export const loanSums = (outcome: LoanOutcome, { steps }: LoanFigureTerms): Sums<LoanSum> => ({
  ...outcome,
  ...answerSums(outcome),
  closedSteps: outcome.paths * steps - outcome.openSteps,
  ends: uncommonEnds(outcome.paths, outcome.earlyEnds, outcome.deadlineEnds),
});

/** Sums of weighted paths; undefined where all weigh the same. */
function weightedRun(
  outcome: LoanOutcome,
  product: LoanFigureTerms,
): WeightedRun<LoanSum, LoanQuantity> | undefined {
  const { weighted } = outcome;
  return weighted && { counts: loanSums(outcome, product), sums: weightedSums(weighted) };
}

/** The figures of paths of equal weight, by name. @param product the terms of the loan */
export const loanFigures = (outcome: LoanOutcome, product: LoanFigureTerms) =>
  figuresOf(LOAN_FIGURES, loanSums(outcome, product), product);

/** Means of weighted paths with their errors, by name; undefined where all weigh the same. */
export function weightedLoanFigures(outcome: LoanOutcome, product: LoanFigureTerms) {
  const run = weightedRun(outcome, product);
  return run && weightedFiguresOf(LOAN_FIGURES, run, product);
}

/** The figures in the form of the interface: WorstCaseCCR is null where paths have weights. */
export function shownLoanFigures(
  outcome: LoanOutcome,
  product: LoanFigureTerms,
): Readonly<Record<string, number | null>> {
  const weighted = weightedLoanFigures(outcome, product);
  if (weighted === undefined) return loanFigures(outcome, product);
  const means = Object.entries(weighted).map(([name, { mean }]) => [name, mean]);
  return { ...Object.fromEntries(means), WorstCaseCCR: null };
}

/** Their accuracy. @param level of the intervals, in (0, 1) */
export function loanAccuracy(outcome: LoanOutcome, product: LoanFigureTerms, level: number) {
  const run = weightedRun(outcome, product);
  return run === undefined
    ? accuracyOf(LOAN_FIGURES, loanSums(outcome, product), product, level)
    : weightedAccuracyOf(LOAN_FIGURES, run, product, level);
}

/** Contributions of historical windows to the figures that are their means. @param records one per window */
export const loanWindowFigures = (outcome: LoanOutcome, records: PathRecords, product: LoanProduct) =>
  windowFiguresOf(
    LOAN_FIGURES,
    loanSums(outcome, product),
    { ...records, finalCcr: records.finalRatio.map(ratio => product.nominalRatio * ratio) },
    product,
  );

/** The sums of weighted paths by name. @param sums in the layout of core/product/weighted-loans.ts */
export function weightedSums(sums: Float64Array): Readonly<Record<LoanQuantity, WeightedSum>> {
  const block = LOAN_QUANTITIES.length;
  const entries = LOAN_QUANTITIES.map(
    (name, i) => [name, { once: sums[i], odd: sums[block + i], twice: sums[2 * block + i] }] as const,
  );
  return Object.fromEntries(entries) as Record<LoanQuantity, WeightedSum>;
}
