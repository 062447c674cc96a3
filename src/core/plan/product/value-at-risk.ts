/** Value at risk at several horizons: terms, outcome and contract (methodology part 5). */
import type { ValueDistribution } from '../../distribution/values.ts';
import type { Portfolio } from '../portfolio.ts';
import { againstLast, type ProductContract, USUAL_BASKETS } from './contract.ts';

/** Value at risk of collateral, loan and net exposure at several horizons (methodology part 5). */
export interface ValueAtRiskProduct {
  readonly kind: 'value-at-risk';
  readonly portfolio: Portfolio;
  /** USD. */
  readonly collateralValue: number;
  /** USD. */
  readonly loanValue: number;
  /** Rising horizons in years: the step from rank k-1 to rank k is one exact GBM step. Ignored by HISTORICAL. */
  readonly horizonYears: Float64Array;
  /** Rising horizons in grid steps; used by HISTORICAL only, empty otherwise. */
  readonly horizonSteps: Uint32Array;
  /** Quantiles q in (0, 1), rising; the figures are those of the lower 1 - q tail. */
  readonly quantiles: Float64Array;
  /** Level in (0, 1) of the intervals of quantiles that the outcome is to hold; absent where none are asked for. */
  readonly intervalLevel?: number;
}

/** One tail: the type-7 quantile of a value and the mean of all values at or below it. USD. */
export interface Tail {
  readonly quantile: number;
  readonly tailMean: number;
  /** Number of values at or below `quantile`. */
  readonly atOrBelow: number;
  /** Sum of the squares of `quantile` less a value, over the values at or below it. USD^2. */
  readonly shortfallSquares: number;
  /** Sum of their cubes, USD^3; absent where an engine does not keep it. */
  readonly shortfallCubes?: number;
  /** Interval of the quantile within the sample; absent without an `intervalLevel` and where the sample has none. */
  readonly low?: number;
  readonly high?: number;
  /** Mean of the lowest share 1 - q, the last value in part, with its error by the scrambles of Sobol points; absent without them. */
  readonly scrambled?: {
    readonly tailMean: number;
    readonly tailMeanError: number;
    /** Of the mean shortfall over the scrambles (stats/skewness.ts). */
    readonly skewness: number;
  };
}

/** Tails per horizon (in the plan's order), per quantile (in the plan's order). */
export interface ValueAtRiskOutcome {
  readonly kind: 'value-at-risk';
  readonly paths: number;
  readonly horizons: readonly {
    readonly collateral: readonly Tail[];
    readonly loan: readonly Tail[];
    readonly netExposure: readonly Tail[];
    /** Where the plan asks for it. */
    readonly distribution?: {
      readonly collateral: ValueDistribution;
      readonly loan: ValueDistribution;
      readonly netExposure: ValueDistribution;
    };
  }[];
}

/** What the bins of each value are in units of, USD. */
export function distributionScales({ collateralValue, loanValue }: ValueAtRiskProduct) {
  return { collateral: collateralValue, loan: loanValue, netExposure: loanValue };
}

/** Distributions that are ordered per horizon: collateral, loan, net exposure. */
const DISTRIBUTIONS = 3;
/** So many quantiles cost as much as ordering a distribution once. */
const QUANTILES_PER_ORDER = 16;

export const VALUE_AT_RISK: ProductContract<ValueAtRiskProduct, ValueAtRiskOutcome> = {
  merge: undefined,
  distribution: {},
  recordFields: product =>
    Array.from({ length: horizonsOf(product) }, (_, k) => [`collateral.${k}`, `loan.${k}`]).flat(),
  steps: horizonsOf,
  years: ({ horizonYears }) => horizonYears.at(-1) ?? 0,
  stepWork: ({ assets, quantiles = 0 }) => assets + DISTRIBUTIONS * (1 + quantiles / QUANTILES_PER_ORDER),
  quantiles: ({ quantiles }) => quantiles.length,
  ratioBaskets: () => [],
  unitTerms: () => [],
  usual: {
    models: ['gbm'],
    assets: USUAL_BASKETS,
    terms: assets => [
      {
        kind: 'value-at-risk',
        portfolio: againstLast(assets),
        collateralValue: 1,
        loanValue: 1,
        horizonYears: Float64Array.of(1 / 365),
        horizonSteps: new Uint32Array(0),
        quantiles: Float64Array.of(0.95),
      },
    ],
  },
};

/** Drawn prices have horizons in years; windows of history have them in steps, and need no others. */
function horizonsOf({ horizonYears, horizonSteps }: ValueAtRiskProduct): number {
  return horizonSteps.length > 0 ? horizonSteps.length : horizonYears.length;
}
