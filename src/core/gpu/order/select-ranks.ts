/**
 * Order statistics of columns on the device, exact, by a radix search over their order keys.
 *
 * Three passes count digits of 11, 11 and 10 bits; the host reads the counts. Each pass searches for all ranks of as many columns as fit a
 * bounded buffer of counts.
 */
import { numberOfKey } from '../results.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import { type Columns, passOver } from './columns.ts';
import { DIGIT_HISTOGRAM, DIGITS } from './kernels.ts';
import { RankSearch } from './rank-search.ts';

/** An order statistic. */
export interface RankedValue {
  readonly value: number;
  /** Values of the column at or below it. */
  readonly atOrBelow: number;
}

/** The order statistics of one column. */
export interface RankedColumn {
  /** In the order of the ranks. */
  readonly statistics: readonly RankedValue[];
  /** At or below every value, with the magnitude of the lowest. */
  readonly lowerBound: number;
}

const KEY_BITS = 32;
/** Room for the counts of one pass, in words. */
const MAX_COUNTS = 2 ** 22;
/** Fills the list of a column with fewer prefixes; above every prefix. */
const NO_PREFIX = 0xffffffff;

/** The values at some ranks of every column. @param ranks strictly rising, each in 0..values - 1 */
export async function selectRanks(
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  ranks: readonly number[],
  signal: AbortSignal | undefined,
): Promise<RankedColumn[]> {
  const searches = Array.from({ length: columns.count }, () => new RankSearch(ranks, columns.values));
  const lowerBounds = new Float64Array(columns.count);
  let shift = KEY_BITS;
  for (const [pass, bits] of DIGITS.entries()) {
    shift -= bits;
    const prefixes = searches.map(search => search.prefixes());
    const entries = Math.max(...prefixes.map(list => list.length));
    const list = new Uint32Array(entries * columns.count).fill(NO_PREFIX);
    for (const [column, known] of prefixes.entries()) list.set(known, column * entries);

    const countsPerColumn = entries * 2 ** bits;
    const columnsAtOnce = Math.max(1, Math.floor(MAX_COUNTS / countsPerColumn));
    for (let first = 0; first < columns.count; first += columnsAtOnce) {
      const columnCount = Math.min(columnsAtOnce, columns.count - first);
      const counts = await passOver(
        session,
        scratch,
        {
          kernel: DIGIT_HISTOGRAM,
          columns,
          firstColumn: first,
          columnCount,
          shift,
          bits,
          list,
          entries,
          resultWords: columnCount * countsPerColumn,
        },
        signal,
      );
      for (let k = 0; k < columnCount; k++) {
        const own = counts.subarray(k * countsPerColumn, (k + 1) * countsPerColumn);
        if (pass === 0) lowerBounds[first + k] = numberOfKey(own.findIndex(count => count > 0) * 2 ** shift);
        searches[first + k].narrow(own, bits);
      }
    }
  }
  return searches.map((search, column) => ({
    statistics: search.keys().map(({ key, atOrBelow }) => ({ value: numberOfKey(key), atOrBelow })),
    lowerBound: lowerBounds[column],
  }));
}
