/** Value at risk at several horizons: terms, outcome and contract (methodology part 5). */
import type { ValueDistribution } from '../../distribution/values.ts';
import { anyLength, type Declared, doubles, LEVEL, number, optional, positive, words } from '../fields.ts';
import { DAYS_PER_YEAR } from '../grid.ts';
import { drawnPrices } from '../models.ts';
import { portfolioField } from '../portfolio.ts';
import { againstLast, type ProductContract, USUAL_BASKETS } from './contract.ts';

const VALUE_AT_RISK_FIELDS = {
  portfolio: portfolioField,
  /** USD. */
  collateralValue: positive,
  /** USD. */
  loanValue: positive,
  /** Rising horizons in years: the step from rank k-1 to rank k is one exact GBM step. Ignored by HISTORICAL. */
  horizonYears: doubles(anyLength, { above: 0 }),
  /** Rising horizons in grid steps, for windows and rows of history; empty for other models. */
  horizonSteps: words(anyLength),
  /** Quantiles q in (0, 1), rising; the figures describe the lower 1 - q tail. */
  quantiles: doubles(anyLength, LEVEL),
  /** Level in (0, 1) of the intervals of quantiles; absent where the outcome has none. */
  intervalLevel: optional(number(LEVEL)),
};

/** Value at risk of collateral, loan and net exposure at several horizons (methodology part 5). */
export interface ValueAtRiskProduct extends Declared<typeof VALUE_AT_RISK_FIELDS> {
  readonly kind: 'value-at-risk';
}

/** One tail: the type-7 quantile of a value and the mean of the lowest share 1 - q of the values (stats/tail.ts). USD. */
export interface Tail {
  readonly quantile: number;
  readonly tailMean: number;
  /** The value at which the tail begins. */
  readonly level: number;
  /** Sum of the squares of `level` less a value, over the values below it. USD^2. */
  readonly shortfallSquares: number;
  /** Sum of their cubes, USD^3; absent where an engine does not compute it. */
  readonly shortfallCubes?: number;
  /** Interval of the quantile within the sample; absent without an `intervalLevel` and where the sample has none. */
  readonly low?: number;
  readonly high?: number;
  /** Error of `tailMean` by the scrambles of Sobol points; absent without them. */
  readonly scrambled?: {
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
    readonly distribution?: {
      readonly collateral: ValueDistribution;
      readonly loan: ValueDistribution;
      readonly netExposure: ValueDistribution;
    };
  }[];
}

/** The units of the bins of each value, USD. */
export function distributionScales({ collateralValue, loanValue }: ValueAtRiskProduct) {
  return { collateral: collateralValue, loan: loanValue, netExposure: loanValue };
}

/** Sorted distributions per horizon: collateral, loan, net exposure. */
const DISTRIBUTIONS = 3;
/** So many quantiles cost as much as sorting a distribution once. */
const QUANTILES_PER_ORDER = 16;

const MAX_HORIZONS = 64;

export const VALUE_AT_RISK: ProductContract<ValueAtRiskProduct, ValueAtRiskOutcome, 'columns'> = {
  fields: VALUE_AT_RISK_FIELDS,
  check(product, scenarios, faults) {
    const horizons = drawnPrices(scenarios) === undefined ? 'horizonSteps' : 'horizonYears';
    for (const [member, noun] of [
      [horizons, 'horizons'],
      ['quantiles', 'quantiles'],
    ] as const) {
      const values = Array.from(product[member]);
      const rises = values.every((value, i) => i === 0 || value > values[i - 1]);
      if (values.length < 1 || values.length > MAX_HORIZONS || !rises)
        faults.add(`plan.product.${member}`, `1 to ${MAX_HORIZONS} rising ${noun}`, values);
    }
  },
  merge: 'columns',
  distribution: {},
  recordFields: product =>
    Array.from({ length: horizonsOf(product) }, (_, k) => [`collateral.${k}`, `loan.${k}`]).flat(),
  steps: horizonsOf,
  years: ({ horizonYears }) => horizonYears.at(-1) ?? 0,
  stepWork: ({ assets, quantiles = 0 }) => assets + DISTRIBUTIONS * (1 + quantiles / QUANTILES_PER_ORDER),
  size: ({ quantiles, horizonYears }) => ({
    quantiles: quantiles.length,
    days: DAYS_PER_YEAR * (horizonYears.at(-1) ?? 0),
  }),
  windowSteps: product =>
    product.horizonSteps.length > 0 ? Math.max(...product.horizonSteps) : horizonsOf(product),
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

/** Drawn prices have horizons in years, windows of history in steps. */
function horizonsOf({ horizonYears, horizonSteps }: ValueAtRiskProduct): number {
  return horizonSteps.length > 0 ? horizonSteps.length : horizonYears.length;
}
