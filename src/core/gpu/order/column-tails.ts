/**
 * Lower tails of columns on the device, by the rules of src/core/stats/tail.ts. Order statistics and sums come from the device; the
 * host interpolates and divides in double precision.
 */

import type { Tail } from '../../engine.ts';
import { interpolate, type QuantilePosition } from '../../stats/quantile.ts';
import type { WantedTails } from '../../stats/tail.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import type { Columns } from './columns.ts';
import { type RankedColumn, selectRanks } from './select-ranks.ts';
import { sumsAtOrBelow } from './sum-intervals.ts';

/** The tails and quantiles of one column. */
export interface ColumnTails {
  readonly tails: readonly Tail[];
  /** At the further positions. */
  readonly quantiles: Float64Array;
}

/**
 * Tails of every column: the quantile v, the mean of all values at or below it, and the sums for its error.
 *
 * @param further positions of quantiles without a tail
 * @returns per column and position, in the columns' unit; the mean is never above the quantile
 */
export async function tailsOfColumns(
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  tails: WantedTails['tails'],
  further: readonly QuantilePosition[],
  signal: AbortSignal | undefined,
): Promise<ColumnTails[]> {
  const positions = tails.map(({ position }) => position);
  const ranks = risingSet([
    ...[...positions, ...further].flatMap(({ rank, fraction }) => (fraction > 0 ? [rank, rank + 1] : [rank])),
    ...tails.flatMap(({ interval: { low, high } }) => [low, high]).filter(rank => rank !== undefined),
  ]);
  const ranked = await selectRanks(session, scratch, columns, ranks, signal);
  const levels = ranked.map(column => positions.map(position => levelAt(column, ranks, position)));
  const wanted = levels.map((own, c) => ({
    bounds: risingSet(own.map(({ last }) => last.value)),
    lowerBound: ranked[c].lowerBound,
  }));
  const sums = await sumsAtOrBelow(session, scratch, columns, wanted, signal);
  return levels.map((own, c) => ({
    quantiles: Float64Array.from(further, position => levelAt(ranked[c], ranks, position).level),
    tails: own.map(({ level, last }, i) => {
      const bound = wanted[c].bounds.indexOf(last.value);
      const sum = sums[c].sums[bound];
      const count = last.atOrBelow;
      const { low, high } = tails[i].interval;
      const at = (rank: number) => ranked[c].statistics[ranks.indexOf(rank)].value;
      return {
        quantile: level,
        tailMean: Math.min(level, sum / count),
        atOrBelow: count,
        shortfallSquares: Math.max(0, sums[c].squares[bound] - 2 * level * sum + level * level * count),
        ...(low === undefined ? {} : { low: at(low) }),
        ...(high === undefined ? {} : { high: at(high) }),
      };
    }),
  }));
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
