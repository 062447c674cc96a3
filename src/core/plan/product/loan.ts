/** A loan under unlimited liquidity: terms, outcome and contract (methodology part 4). */
import type { Sections } from '../distribution.ts';
import { type Declared, doubles, optional, perAsset, whole } from '../fields.ts';
import { MAX_STEPS } from '../grid.ts';
import { LOAN_FIELDS, type LoanTerms } from '../loan-terms.ts';
import { portfolioField } from '../portfolio.ts';
import {
  againstLast,
  HOURLY,
  type MergeRules,
  type ProductContract,
  USUAL_BASKETS,
  USUAL_STEPS,
} from './contract.ts';

export const LOAN_PRODUCT_FIELDS = {
  ...LOAN_FIELDS,
  portfolio: portfolioField,
  /**
   * w_i x the liquidation LTV of asset i: the loan is liquidated where N sum_i of these S_i(t) is below its debt.
   * Default: one threshold, `liquidationRatio`.
   */
  liquidationWeights: optional(doubles(perAsset, { least: 0 })),
  /** Steps of the full term T. */
  steps: whole(1, MAX_STEPS),
};

/** A loan under unlimited liquidity (methodology part 4). */
export interface LoanProduct extends Declared<typeof LOAN_PRODUCT_FIELDS> {
  readonly kind: 'loan';
}

/** Sums over the paths of any single loan. Counts are exact integers. */
export interface SingleLoanOutcome {
  readonly paths: number;
  readonly marginCalls: number;
  readonly liquidations: number;
  readonly closeouts: number;
  /** Paths with CCR < 1 at some step of the full term, no sale assumed. */
  readonly underwater: number;
  /** Paths with an answered call; present with answers only, as the two below. */
  readonly topUps?: number;
  /** Sum over paths of the added collateral, each at its value at the time; in units of the loan's initial value. */
  readonly topUpAmount?: number;
  /** Sum over paths of its square. */
  readonly topUpAmountSquares?: number;
  /** Counts of the sections that the contract names, where the plan requests a distribution. */
  readonly distribution?: Float64Array;
}

export const SINGLE_LOAN_MERGE = {
  paths: 'sum',
  marginCalls: 'sum',
  liquidations: 'sum',
  closeouts: 'sum',
  underwater: 'sum',
  topUps: 'sum',
  topUpAmount: 'sum',
  topUpAmountSquares: 'sum',
  distribution: 'sum',
} as const satisfies MergeRules<SingleLoanOutcome>;

export interface LoanOutcome extends SingleLoanOutcome {
  readonly kind: 'loan';
  /** Sum over paths of the loan's last step, T where it did not end before. */
  readonly openSteps: number;
  /** Sum over paths of max(0, 1 - CCR_T), a fraction of the debt at step T per path. */
  readonly loss: number;
  /** Sum over paths of the square of the steps from the loan's end to T. */
  readonly closedStepSquares: number;
  /** Paths on which the loan ended before step T. */
  readonly earlyEnds: number;
  /** Paths on which it ended at the deadline of a call that is open at the start; 0 without one. */
  readonly deadlineEnds: number;
  /** Paths with CCR_T < 1. */
  readonly losses: number;
  /** Sum over paths of the square of max(0, 1 - CCR_T). */
  readonly lossSquares: number;
  /** Lowest CCR over all paths and steps 1..T, no sale assumed. */
  readonly worstCcr: number;
  /** Sums of paths that have weights, by `LOAN_QUANTITIES`; absent where all weigh the same. */
  readonly weighted?: Float64Array;
}

/** Quantities of a path that has a weight, in the order of their sums in the outcome. */
export const LOAN_QUANTITIES = [
  'paths',
  'marginCalls',
  'liquidations',
  'closeouts',
  'underwater',
  'closedSteps',
  'closedStepSquares',
  'loss',
  'lossSquares',
  'topUps',
  'topUpAmount',
  'topUpAmountSquares',
] as const;
export type LoanQuantity = (typeof LOAN_QUANTITIES)[number];

/** Ratios of a usual loan, open for most of its term. */
export const USUAL_LOAN_TERMS: LoanTerms = {
  topUpSteps: 6,
  nominalRatio: 1.5,
  marginCallRatio: 1.3,
  liquidationRatio: 1.1,
  recoveryRatio: 1.5,
};

/** The counts of a loan: lowest and final ratio to its debt, days of events, and the ratio at the fan's times. */
export const LOAN_SECTIONS = {
  lowest: 'ratio',
  final: 'ratio',
  marginCall: 'days',
  liquidation: 'days',
  closeout: 'days',
  fan: 'fan',
} as const satisfies Sections;

/** Asset-steps of a step of an asset with answers: whole paths are stored, and followed one by one. */
const ANSWERED_WORK = 3;

export const LOAN: ProductContract<LoanProduct, LoanOutcome> = {
  ...HOURLY,
  fields: LOAN_PRODUCT_FIELDS,
  merge: {
    ...SINGLE_LOAN_MERGE,
    openSteps: 'sum',
    loss: 'sum',
    closedStepSquares: 'sum',
    earlyEnds: 'sum',
    deadlineEnds: 'sum',
    losses: 'sum',
    lossSquares: 'sum',
    worstCcr: 'lowest',
    weighted: 'sum',
  },
  distribution: LOAN_SECTIONS,
  recordFields: ({ answers }) => [
    'minimumRatio',
    'finalRatio',
    'endStep',
    'flags',
    ...(answers === undefined ? [] : ['topUpAmount']),
  ],
  stepWork: ({ assets, answered = false }) => (answered ? ANSWERED_WORK : 1) * assets,
  size: ({ answers }) => ({ answered: answers !== undefined }),
  ratioBaskets: ({ portfolio, steps }) => [{ portfolio, steps }],
  usual: {
    models: ['gbm'],
    assets: USUAL_BASKETS,
    terms: assets => [
      { kind: 'loan', portfolio: againstLast(assets), steps: USUAL_STEPS, ...USUAL_LOAN_TERMS },
    ],
  },
};
