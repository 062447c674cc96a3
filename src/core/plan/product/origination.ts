/** Scores of many nominal ratios on the same paths: terms, outcome and contract (docs/decisions/origination.md). */
import { anyLength, type Declared, doubles, oneOf, whole } from '../fields.ts';
import { MAX_STEPS } from '../grid.ts';
import { LOAN_FIELDS } from '../loan-terms.ts';
import { portfolioField } from '../portfolio.ts';
import { againstLast, HOURLY, type ProductContract, USUAL_BASKETS, USUAL_STEPS } from './contract.ts';

const SCORES = ['path-minimum', 'liquidation', 'closeout'] as const;
/** The score of an origination scan: the first comes from the path minimum, the other two from the states. */
export type OriginationScore = (typeof SCORES)[number];

const ORIGINATION_FIELDS = {
  portfolio: portfolioField,
  steps: whole(1, MAX_STEPS),
  topUpSteps: LOAN_FIELDS.topUpSteps,
  debtGrowth: LOAN_FIELDS.debtGrowth,
  score: oneOf(...SCORES),
  /** Per candidate: L / N_k, the liquidation threshold of C_t / L_t. For `path-minimum`: the threshold that counts. */
  liquidationThreshold: doubles(anyLength, { above: 0 }),
  /** Per candidate: M_k / N_k, the margin-call threshold of C_t / L_t. Empty for `path-minimum`. */
  marginCallThreshold: doubles(anyLength, { above: 0 }),
};

/**
 * One pass over many candidate nominal ratios on the same paths. R = N for every candidate, so a call is cured when C_t
 * / L_t >= 1. Both threshold lists fall strictly as the candidate rises.
 */
export interface OriginationProduct extends Declared<typeof ORIGINATION_FIELDS> {
  readonly kind: 'origination';
}

export interface OriginationOutcome {
  readonly kind: 'origination';
  readonly paths: number;
  /** Per candidate: paths that reach the state (for `path-minimum`: whose minimum of C_t/L_t is below the threshold). */
  readonly counts: Float64Array;
  /** Lowest C_t / L_t over all paths and steps 1..T. */
  readonly worstRatio: number;
}

export const ORIGINATION: ProductContract<OriginationProduct, OriginationOutcome> = {
  ...HOURLY,
  fields: ORIGINATION_FIELDS,
  check({ score, liquidationThreshold, marginCallThreshold }, _, faults) {
    const wanted = score === 'path-minimum' ? 0 : liquidationThreshold.length;
    if (marginCallThreshold.length !== wanted)
      faults.add('plan.product.marginCallThreshold', `a list of ${wanted}`, marginCallThreshold);
  },
  merge: { paths: 'sum', counts: 'sum', worstRatio: 'lowest' },
  distribution: undefined,
  recordFields: () => ['minimumRatio'],
  stepWork: ({ assets }) => assets,
  ratioBaskets: ({ portfolio, steps }) => [{ portfolio, steps }],
  usual: {
    models: ['gbm'],
    assets: USUAL_BASKETS,
    terms: assets =>
      SCORES.map(score => ({
        kind: 'origination',
        portfolio: againstLast(assets),
        steps: USUAL_STEPS,
        topUpSteps: 6,
        score,
        liquidationThreshold: Float64Array.of(0.9, 0.8),
        marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : Float64Array.of(0.95, 0.9),
      })),
  },
};
