/** Scores of many nominal ratios on the same paths: terms, outcome and contract (docs/decisions/engines.md). */
import { HOURS_PER_YEAR } from '../grid.ts';
import type { Portfolio } from '../portfolio.ts';
import { againstLast, type ProductContract, USUAL_BASKETS, USUAL_STEPS } from './contract.ts';

/** Which score an origination scan needs: the path minimum answers the first, the state machine the other two. */
export type OriginationScore = 'path-minimum' | 'liquidation' | 'closeout';

/**
 * One pass that scores many candidate nominal ratios on the same paths. R = N for every candidate, so a call is
 * cured when C_t / L_t >= 1. Both threshold lists fall strictly as the candidate rises.
 */
export interface OriginationProduct {
  readonly kind: 'origination';
  readonly portfolio: Portfolio;
  readonly steps: number;
  readonly topUpSteps: number;
  /** As of the terms of a loan: what the debt has grown to at step T; 1 where it is absent. */
  readonly debtGrowth?: number;
  readonly score: OriginationScore;
  /** Per candidate: L / N_k, the liquidation threshold of C_t / L_t. For `path-minimum`: the threshold that counts. */
  readonly liquidationThreshold: Float64Array;
  /** Per candidate: M_k / N_k, the margin-call threshold of C_t / L_t. Empty for `path-minimum`. */
  readonly marginCallThreshold: Float64Array;
}

/** Scores of all candidates of an origination scan. */
export interface OriginationOutcome {
  readonly kind: 'origination';
  readonly paths: number;
  /** Per candidate: paths that reach the state (for `path-minimum`: whose minimum of C_t/L_t is below the threshold). */
  readonly counts: Float64Array;
  /** Lowest C_t / L_t over all paths and steps 1..T. */
  readonly worstRatio: number;
}

const SCORES: readonly OriginationScore[] = ['path-minimum', 'liquidation', 'closeout'];

export const ORIGINATION: ProductContract<OriginationProduct, OriginationOutcome> = {
  merge: { paths: 'sum', counts: 'sum', worstRatio: 'lowest' },
  distribution: undefined,
  recordFields: () => ['minimumRatio'],
  steps: ({ steps }) => steps,
  years: ({ steps }) => steps / HOURS_PER_YEAR,
  stepWork: ({ assets }) => assets,
  quantiles: () => 0,
  ratioBaskets: ({ portfolio, steps }) => [{ portfolio, steps }],
  unitTerms: () => [],
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
