/** The figures that can be a target of /loan_origination, and the ratios found. */
import { type DescribedFigures, type Figures, POSITIVE, share } from './figure.ts';
import { type LoanFigureTerms, type LoanSum, STATE_FIGURES } from './loan.ts';

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
} as const satisfies Figures<LoanSum, LoanFigureTerms>;

/** Name of a target. */
export type ScoreName = keyof typeof ORIGINATION_SCORES;

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
} as const satisfies DescribedFigures;
