/** A loan whose sale is capped per step: terms, outcome and contract (methodology part 6). */
import { type Declared, notNegative } from '../fields.ts';
import { againstLast, HOURLY, type ProductContract, USUAL_BASKETS, USUAL_STEPS } from './contract.ts';
import {
  LOAN_PRODUCT_FIELDS,
  LOAN_SECTIONS,
  SINGLE_LOAN_MERGE,
  type SingleLoanOutcome,
  USUAL_LOAN_TERMS,
} from './loan.ts';

const CAPPED_LOAN_FIELDS = {
  ...LOAN_PRODUCT_FIELDS,
  /** Largest sale per step as a fraction of the initial loan value; 0 sells nothing. */
  capacityPerStep: notNegative,
};

/** A loan whose sale is capped per step (methodology part 6). Amounts are in units of the loan's initial value. */
export interface CappedLoanProduct extends Declared<typeof CAPPED_LOAN_FIELDS> {
  readonly kind: 'capped-loan';
}

/** Step at which paths sell together: 0 if the loan is liquidated at the start, else the deadline of a call that is open there. */
export const startSaleStep = ({ start }: CappedLoanProduct): number | undefined => {
  if (start?.status === 'liquidated') return 0;
  return start?.status === 'called' ? start.deadlineStep : undefined;
};

/** Sums over the paths of a loan with capped sales. Amounts in units of the initial loan value. */
export interface CappedLoanOutcome extends SingleLoanOutcome {
  readonly kind: 'capped-loan';
  /** Number of calls over all paths (a path can have several). */
  readonly calls: number;
  /** Sum over all calls of max(0, R x debt - collateral) at the call. */
  readonly callAmount: number;
  readonly sellers: number;
  /** Sum over paths of the amount sold. */
  readonly soldAmount: number;
  /** Sum of squared call counts over paths. */
  readonly callSquares: number;
  /** Sum over paths of the square of the amount called. */
  readonly callAmountSquares: number;
  /** Sum over paths of the number of calls times the amount called. */
  readonly callProducts: number;
  /** Sum over paths of the square of the amount sold. */
  readonly soldAmountSquares: number;
  /** Paths whose sale repaid the debt. */
  readonly repaid: number;
  /** Paths with two calls or more. */
  readonly recalled: number;
  /**
   * Paths whose sale runs from step `startSaleStep` to the term and is not finished: each sells the capacity of so many
   * steps.
   */
  readonly unfinished: number;
  /** Lowest coverage of the whole claim while debt is left. */
  readonly worstCcr: number;
}

/**
 * Least standard deviation of ln(C/L). Sold amounts are computed from C and L themselves, not from their difference: in
 * single precision, at a smaller spread, more than 40 paths in a million end otherwise than in double precision.
 */
const MIN_SPREAD = 1e-3;

export const CAPPED_LOAN: ProductContract<CappedLoanProduct, CappedLoanOutcome> = {
  ...HOURLY,
  fields: CAPPED_LOAN_FIELDS,
  merge: {
    ...SINGLE_LOAN_MERGE,
    calls: 'sum',
    callAmount: 'sum',
    sellers: 'sum',
    soldAmount: 'sum',
    callSquares: 'sum',
    callAmountSquares: 'sum',
    callProducts: 'sum',
    soldAmountSquares: 'sum',
    repaid: 'sum',
    recalled: 'sum',
    unfinished: 'sum',
    worstCcr: 'lowest',
  },
  distribution: LOAN_SECTIONS,
  recordFields: ({ answers }) => [
    'worstCcr',
    'soldAmount',
    'callAmount',
    'flags',
    ...(answers === undefined ? [] : ['topUpAmount']),
  ],
  notOnGpu: ({ answers }) => answers && 'top_up of capped sales',
  stepWork: ({ assets }) => 1.5 * assets,
  ratioBaskets: ({ portfolio, steps }) => [{ portfolio, steps }],
  leastSpread: MIN_SPREAD,
  usual: {
    models: ['gbm', 'garch'],
    assets: USUAL_BASKETS,
    terms: assets => [
      {
        kind: 'capped-loan',
        portfolio: againstLast(assets),
        steps: USUAL_STEPS,
        capacityPerStep: 0.01,
        ...USUAL_LOAN_TERMS,
      },
    ],
  },
};
