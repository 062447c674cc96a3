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
 * Tails of every column: the quantile, the mean of the lowest share 1 - q of the values, and the sums for its error.
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
  const ranks = risingSet([
    ...[...tails.map(({ position }) => position), ...further].flatMap(({ rank, fraction }) =>
      fraction > 0 ? [rank, rank + 1] : [rank],
    ),
    ...tails
      .flatMap(({ levelRank, interval: { low, high } }) => [levelRank, low, high])
      .filter(rank => rank !== undefined),
  ]);
  const ranked = await selectRanks(session, scratch, columns, ranks, signal);
  const statisticOf = ({ statistics }: RankedColumn, rank: number) => statistics[ranks.indexOf(rank)];
  const quantileOf = (column: RankedColumn, { rank, fraction }: QuantilePosition) => {
    const lower = statisticOf(column, rank).value;
    return interpolate(lower, fraction > 0 ? statisticOf(column, rank + 1).value : lower, fraction);
  };
  const wanted = ranked.map(column => ({
    bounds: risingSet(tails.map(({ levelRank }) => statisticOf(column, levelRank).value)),
    lowerBound: column.lowerBound,
  }));
  const sums = await sumsAtOrBelow(session, scratch, columns, wanted, signal);
  return ranked.map((column, c) => ({
    quantiles: Float64Array.from(further, position => quantileOf(column, position)),
    tails: tails.map(({ position, levelRank, size, interval: { low, high } }) => {
      const { value: level, atOrBelow } = statisticOf(column, levelRank);
      const bound = wanted[c].bounds.indexOf(level);
      const sum = sums[c].sums[bound];
      const quantile = quantileOf(column, position);
      const shortfall = Math.max(0, level * atOrBelow - sum);
      return {
        quantile,
        tailMean: Math.min(quantile, level - shortfall / size),
        level,
        shortfallSquares: Math.max(0, sums[c].squares[bound] - 2 * level * sum + level * level * atOrBelow),
        ...(low === undefined ? {} : { low: statisticOf(column, low).value }),
        ...(high === undefined ? {} : { high: statisticOf(column, high).value }),
      };
    }),
  }));
}

function risingSet(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
