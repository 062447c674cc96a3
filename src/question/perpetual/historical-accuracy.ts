/**
 * How sure the figures of a perpetual position over windows of history are (docs/methodology.md, "Accuracy").
 */
import {
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  type PathRecords,
  type PerpetualOutcome,
} from '../../core/engine.ts';
import type { AccuracyFigures } from '../../core/figures/accuracy/figures.ts';
import type { PerpetualColumns } from '../../core/figures/accuracy/perpetual.ts';
import { quantilesType7 } from '../../core/stats/quantile.ts';
import type { Asker } from '../../core/turns.ts';
import { type WindowFigure, windowFigures } from '../accuracy/windows.ts';

/** The figures on overlapping windows of history of `steps` hours. */
export async function historicalPerpetualAccuracy(
  { paths }: PerpetualOutcome,
  { columns, quantiles }: PerpetualColumns,
  { flags }: PathRecords,
  steps: number,
  level: number,
  asker: Asker,
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
  const [marginCall, liquidation, ...rest] = await windowFigures(figures, paths, steps, level, asker);
  const byColumn = Object.keys(columns).map((column, c) => [
    column,
    Object.fromEntries(names.map((name, i) => [name, rest[c * names.length + i]])),
  ]);
  return { PrMarginCall: marginCall, PrLiquidation: liquidation, ...Object.fromEntries(byColumn) };
}
