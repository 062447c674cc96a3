/** The figures that can be a target of /loan_origination, and the ratios found. */
import { type DescribedFigures, type Figures, NOT_NEGATIVE, POSITIVE, share } from './figure.ts';
import { type LoanFigureTerms, type LoanSum, STATE_FIGURES } from './loan.ts';

/** Targets that are figures of a book of the loan alone, whose collateral takes time to sell. */
export const LOSS_SCORES = {
  PrLoss: share('saleLosses', {
    words: 'Share of the scenarios with a loss of the loan, with delayed and costly sales.',
    label: 'Chance of a loss',
  }),
  ExpectedLossPct: {
    shape: 'mean',
    unit: 'percent of the loan',
    range: NOT_NEGATIVE,
    words: 'Mean loss of the loan with delayed and costly sales.',
    label: 'Expected loss',
    note: 'mean, of the loan',
    sum: 'saleLoss',
    squares: 'saleLossSquares',
    events: 'saleLosses',
    scale: () => 100,
  },
} as const satisfies Figures<'saleLoss' | 'saleLossSquares' | 'saleLosses', unknown>;

/** Targets of a search by name, in the order of the interface. */
export const ORIGINATION_SCORES = {
  PrCloseout: STATE_FIGURES.PrCloseout,
  PrLiquidation: STATE_FIGURES.PrLiquidation,
  PrForcedSale: share('ends', {
    words: 'PrLiquidation + PrCloseout.',
    label: 'Chance of a forced sale',
    note: 'liquidated or closed out',
  }),
  PrMarginCall: STATE_FIGURES.PrMarginCall,
  PrUnderwater: STATE_FIGURES.PrUnderwater,
  WorstCaseCCR: STATE_FIGURES.WorstCaseCCR,
  ...LOSS_SCORES,
} as const satisfies Figures<LoanSum | 'saleLoss' | 'saleLossSquares' | 'saleLosses', LoanFigureTerms>;

/** Name of a target. */
export type ScoreName = keyof typeof ORIGINATION_SCORES;
export type LossScore = keyof typeof LOSS_SCORES;

export const isLossScore = (name: string): name is LossScore => Object.hasOwn(LOSS_SCORES, name);

/** Whether a target is a share of the scenarios. */
export const isShareScore = (name: ScoreName): boolean => ORIGINATION_SCORES[name].shape === 'share';

/** The ratios of the loan at the N found. */
export const FOUND_RATIOS = {
  N: {
    unit: 'collateral value / loan value',
    range: POSITIVE,
    words: 'Nominal ratio found.',
    label: 'Initial coverage',
    ltvLabel: 'Initial LTV',
    note: 'that meets the target',
  },
  M: {
    unit: 'collateral value / loan value',
    range: POSITIVE,
    words: 'Margin call ratio that goes with it.',
    label: 'Margin call',
    ltvLabel: 'Margin call at',
    note: 'at that start',
  },
  AdvanceRate: {
    unit: 'debt / collateral value',
    range: POSITIVE,
    words: '1 / N, where the score is a loss.',
    label: 'Advance rate',
    note: 'at that start',
    optional: true,
  },
} as const satisfies DescribedFigures;
