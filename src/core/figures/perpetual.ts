/**
 * The figures of a perpetual position's outcome, as the interface names them (methodology part 7).
 */
import type { PerpetualOutcome } from '../engine.ts';
import { quantilesType7 } from '../stats/quantile.ts';

/** Quantiles of every distribution, by name. */
export const QUANTILES = {
  q01: 0.01,
  q05: 0.05,
  q10: 0.1,
  q25: 0.25,
  q50: 0.5,
  q75: 0.75,
  q90: 0.9,
  q95: 0.95,
  q99: 0.99,
};

/** Values per path of the five distributions; the outcome's own arrays where nothing is computed. */
export function positionColumns(
  outcome: PerpetualOutcome,
  initialMargin: number,
  initialEquity: number,
): Readonly<Record<string, Float64Array>> {
  return {
    Roi: outcome.finalEquity.map(equity => (equity - initialEquity) / initialMargin),
    AccFunding: outcome.accumulatedFunding,
    MaxEquityDrawDown: outcome.maxEquityDrawdown,
    Leverage: outcome.medianLeverage,
    FinalEquity: outcome.finalEquity,
  };
}

/** Two probabilities and the quantiles of the distributions of `positionColumns`, which stay as they are. */
export function positionFigures(
  outcome: PerpetualOutcome,
  columns: Readonly<Record<string, Float64Array>>,
): Record<string, unknown> {
  const quantiles = Object.entries(columns).map(([name, values]) => [name, quantileMembers(values.slice())]);
  return {
    PrMarginCall: outcome.marginCalls / outcome.paths,
    PrLiquidation: outcome.liquidations / outcome.paths,
    ...Object.fromEntries(quantiles),
  };
}

function quantileMembers(values: Float64Array): Record<string, number> {
  const quantiles = quantilesType7(values, Object.values(QUANTILES));
  return Object.fromEntries(Object.keys(QUANTILES).map((name, i) => [name, quantiles[i]]));
}
