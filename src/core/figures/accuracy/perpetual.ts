/**
 * How sure the figures of a perpetual position are (docs/methodology.md, "Accuracy").
 */
import type { PerpetualOutcome } from '../../engine.ts';
import { quantileRanks } from '../../stats/intervals.ts';
import { placeRanks } from '../../stats/selection.ts';
import { type AccuracyFigures, quantileFigure, shareFigure } from './figures.ts';

/** Values per path by the name of their figure, and the quantiles of each by name. */
export interface PerpetualColumns {
  readonly columns: Readonly<Record<string, Float64Array>>;
  readonly quantiles: Readonly<Record<string, number>>;
}

/** The figures on independent paths. */
export function perpetualAccuracy(
  outcome: PerpetualOutcome,
  { columns, quantiles }: PerpetualColumns,
  level: number,
): AccuracyFigures {
  const { paths } = outcome;
  const ranks = Object.values(quantiles).map(u => quantileRanks(paths, u, level));
  const wanted = [...new Set(ranks.flatMap(({ low, high }) => [low, high]))].filter(
    rank => rank !== undefined,
  );
  const places = Float64Array.from(wanted).sort();
  const perColumn = Object.entries(columns).map(([name, values]) => {
    const placed = values.slice();
    placeRanks(placed, places);
    const at = (rank: number | undefined) => (rank === undefined ? undefined : placed[rank]);
    const figures = Object.keys(quantiles).map((quantile, i) => [
      quantile,
      quantileFigure(at(ranks[i].low), at(ranks[i].high), level),
    ]);
    return [name, Object.fromEntries(figures)];
  });
  return {
    PrMarginCall: shareFigure(outcome.marginCalls, paths, level),
    PrLiquidation: shareFigure(outcome.liquidations, paths, level),
    ...Object.fromEntries(perColumn),
  };
}
