/**
 * How sure the figures of a perpetual position are (docs/methodology.md, "Accuracy").
 */
import {
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  type PathRecords,
  type PerpetualOutcome,
} from '../../core/engine.ts';
import { quantileRanks } from '../../core/stats/intervals.ts';
import { quantilesType7 } from '../../core/stats/quantile.ts';
import { placeRanks } from '../../core/stats/selection.ts';
import { type AccuracyFigures, quantileFigure, shareFigure } from './figures.ts';
import { type WindowFigure, windowFigures } from './windows.ts';

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

/** The figures on overlapping windows of history of `steps` hours. */
export async function historicalPerpetualAccuracy(
  { paths }: PerpetualOutcome,
  { columns, quantiles }: PerpetualColumns,
  { flags }: PathRecords,
  steps: number,
  level: number,
  signal: AbortSignal,
): Promise<AccuracyFigures> {
  const share = (flag: number): WindowFigure => ({
    kind: 'share',
    contributions: flags.map(value => (value & flag ? 1 : 0)),
  });
  const names = Object.keys(quantiles);
  const perColumn = Object.values(columns).flatMap(values => {
    const found = quantilesType7(values.slice(), Object.values(quantiles));
    return Object.values(quantiles).map(
      (probability, i): WindowFigure => ({ kind: 'quantile', values, probability, quantile: found[i] }),
    );
  });
  const figures = [share(FLAG_MARGIN_CALL), share(FLAG_LIQUIDATION), ...perColumn];
  const [marginCall, liquidation, ...rest] = await windowFigures(figures, paths, steps, level, signal);
  const byColumn = Object.keys(columns).map((column, c) => [
    column,
    Object.fromEntries(names.map((name, i) => [name, rest[c * names.length + i]])),
  ]);
  return { PrMarginCall: marginCall, PrLiquidation: liquidation, ...Object.fromEntries(byColumn) };
}
