/** The figures of a loan with capped sales, by their names in the interface (methodology part 6). */
import type { CappedLoanOutcome } from '../engine.ts';
import { isDebtConstant } from '../plan/constant-debt.ts';
import type { CappedLoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { type Figures, NOT_NEGATIVE, type Sums } from './figure.ts';
import { answerSums, STATE_FIGURES, TOP_UP_FIGURES } from './loan.ts';
import { accuracyOf, figuresOf } from './of-sums.ts';

type CappedLoanSum =
  | Exclude<keyof CappedLoanOutcome, 'kind' | 'paths' | 'distribution'>
  | 'uncommonCalls'
  | 'uncommonSales';

interface CappedLoanTerms {
  /** Initial value of the loan, USD. */
  readonly loanValueUsd: number;
}

/** Amounts of an outcome are in units of the initial loan value. */
const inUsd = ({ loanValueUsd }: CappedLoanTerms) => loanValueUsd;

/** The figures in the order of the answer. */
export const CAPPED_LOAN_FIGURES = {
  PrMarginCall: STATE_FIGURES.PrMarginCall,
  PrLiquidation: STATE_FIGURES.PrLiquidation,
  PrUnderwater: {
    ...STATE_FIGURES.PrUnderwater,
    words:
      'Share of the scenarios in which what is left of the collateral is worth less than what is left of the debt at some step, sales included.',
  },
  PrCloseout: STATE_FIGURES.PrCloseout,
  AvgMarginCall: {
    shape: 'ratio',
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Mean amount of a margin call, over all calls; 0 without any.',
    label: 'Mean amount of a call',
    amount: 'callAmount',
    amountSquares: 'callAmountSquares',
    count: 'calls',
    countSquares: 'callSquares',
    products: 'callProducts',
    events: 'uncommonCalls',
    scale: inUsd,
  },
  // A path sells in one sale at most.
  AvgLiquidation: {
    shape: 'ratio',
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Mean amount sold, over the scenarios that sell; 0 without any.',
    label: 'Mean amount sold',
    note: 'where anything is sold',
    amount: 'soldAmount',
    amountSquares: 'soldAmountSquares',
    count: 'sellers',
    countSquares: 'sellers',
    products: 'soldAmount',
    events: 'uncommonSales',
    scale: inUsd,
  },
  WorstCaseCCR: STATE_FIGURES.WorstCaseCCR,
  ...TOP_UP_FIGURES,
} as const satisfies Figures<CappedLoanSum, CappedLoanTerms>;

const sumsOf = (
  outcome: CappedLoanOutcome,
  plan?: SimulationPlan<CappedLoanProduct>,
): Sums<CappedLoanSum> => ({
  ...outcome,
  ...answerSums(outcome),
  // A call that is open at the start has the same amount on all paths, and is the only one on most.
  uncommonCalls: plan?.product.start?.status === 'called' ? outcome.recalled : outcome.marginCalls,
  // A sale that repays a debt in dollars has its amount; of those that begin at one step and end with the term, each sells as much.
  uncommonSales:
    outcome.sellers -
    Math.max(plan !== undefined && isDebtConstant(plan) ? outcome.repaid : 0, outcome.unfinished),
});

/** The figures by name. @param loanValueUsd initial value of the loan */
export const cappedLoanFigures = (outcome: CappedLoanOutcome, loanValueUsd: number) =>
  figuresOf(CAPPED_LOAN_FIGURES, sumsOf(outcome), { loanValueUsd });

/** Their accuracy. @param level of the intervals, in (0, 1) */
export const cappedLoanAccuracy = (
  outcome: CappedLoanOutcome,
  plan: SimulationPlan<CappedLoanProduct>,
  loanValueUsd: number,
  level: number,
) => accuracyOf(CAPPED_LOAN_FIGURES, sumsOf(outcome, plan), { loanValueUsd }, level);
