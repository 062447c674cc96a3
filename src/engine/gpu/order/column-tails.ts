/**
 * Lower tails of columns on the device, by the rules of src/stats/tail.ts.
 *
 * Takes: columns and quantile positions. Gives: quantiles of type 7 and tail means. Order statistics and sums come from
 * the device, what is interpolated and divided is done here in double precision.
 */
import { interpolate, type QuantilePosition } from '../../../stats/quantile.ts';
import type { Tail } from '../../engine.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import type { Columns } from './columns.ts';
import { type RankedColumn, selectRanks } from './select-ranks.ts';
import { sumsAtOrBelow } from './sum-intervals.ts';

/**
 * Tails of every column, per quantile position: the quantile v and the mean of all values at or below it.
 *
 * @returns per column and position, in the columns' unit; the mean is never above the quantile
 */
export async function tailsOfColumns(
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  positions: readonly QuantilePosition[],
  signal: AbortSignal | undefined,
): Promise<Tail[][]> {
  const ranks = risingSet(
    positions.flatMap(({ rank, fraction }) => (fraction > 0 ? [rank, rank + 1] : [rank])),
  );
  const ranked = await selectRanks(session, scratch, columns, ranks, signal);
  const levels = ranked.map(column => positions.map(position => levelAt(column, ranks, position)));
  const wanted = levels.map((own, c) => ({
    bounds: risingSet(own.map(({ last }) => last.value)),
    lowerBound: ranked[c].lowerBound,
  }));
  const sums = await sumsAtOrBelow(session, scratch, columns, wanted, signal);
  return levels.map((own, c) =>
    own.map(({ level, last }) => {
      const mean = sums[c][wanted[c].bounds.indexOf(last.value)] / last.atOrBelow;
      return { valueAtRisk: level, conditionalValueAtRisk: Math.min(level, mean) };
    }),
  );
}

/** The quantile at a position, and the largest value at or below it. */
function levelAt(
  { statistics }: RankedColumn,
  ranks: readonly number[],
  { rank, fraction }: QuantilePosition,
) {
  const lower = statistics[ranks.indexOf(rank)];
  const upper = fraction > 0 ? statistics[ranks.indexOf(rank + 1)] : lower;
  const level = interpolate(lower.value, upper.value, fraction);
  return { level, last: level < upper.value ? lower : upper };
}

function risingSet(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
