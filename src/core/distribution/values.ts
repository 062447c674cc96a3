/**
 * The distribution of values that are all at hand: exact quantiles, and counts in the bins of amounts.
 *
 * Two passes over the values and no sorting of them: a grid of narrow cells tells in which cells the wanted order statistics
 * lie, and only the values of these are sorted.
 */
import { requireFinite } from '../stats/preconditions.ts';
import { interpolate, quantilePosition } from '../stats/quantile.ts';
import { AMOUNT_BINS, BINS_PER_UNIT, slotAt, slotsOf } from './bins.ts';
import { DISTRIBUTION_LEVELS } from './levels.ts';

export interface ValueDistribution {
  /** Quantiles of type 7 in the order of `DISTRIBUTION_LEVELS`, in the unit of the values. */
  readonly quantiles: Float64Array;
  /** Counts in the bins of amounts. */
  readonly counts: Float64Array;
}

/** Cells of the grid: those of all wanted order statistics hold some hundredth of the values. */
const CELLS = 4096;
/** Cells narrower than this share of the values could not tell them apart: then there is one cell. */
const NARROWEST = 1e-12;
/** Of narrower cells there would be more in a unit than a double can say. */
const LEAST_WIDTH = 2 ** -1022;

/** Where values lie between the least and the most. */
interface Grid {
  readonly least: number;
  readonly perUnit: number;
}

/** Cells rise with the values. */
function cellOf({ least, perUnit }: Grid, value: number): number {
  return Math.min(CELLS - 1, Math.floor((value - least) * perUnit));
}

/**
 * Quantiles and counts of values, which stay as they are.
 *
 * @param values one or more finite numbers
 * @param scale what the bins are in units of, above 0
 * @throws RangeError if there are no values or one is not finite
 */
export function valueDistribution(values: Float64Array, scale: number): ValueDistribution {
  requireFinite('values', values);
  const positions = Object.values(DISTRIBUTION_LEVELS).map(p => quantilePosition(values.length, p));
  let least = values[0];
  let most = values[0];
  for (let i = 1; i < values.length; i++) {
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
  }
  const width = (most - least) / CELLS;
  const isWide = width > Math.max(LEAST_WIDTH, NARROWEST * Math.max(-least, most));
  const isNarrow = !(isWide && width < Number.MAX_VALUE);
  const grid = { least, perUnit: isNarrow ? 0 : 1 / width };
  const { counts, inCell } = countValues(values, scale, grid, isNarrow ? 0 : width, most);
  const wanted = positions.flatMap(({ rank, fraction }) => (fraction > 0 ? [rank, rank + 1] : [rank]));
  const valueAt = orderStatistics(values, grid, inCell, wanted);
  const quantiles = Float64Array.from(positions, ({ rank, fraction }) => {
    const lower = valueAt(rank);
    return interpolate(lower, fraction > 0 ? valueAt(rank + 1) : lower, fraction);
  });
  return { quantiles, counts };
}

/** Counts in the bins and in the cells of a grid. @param width of a cell, 0 where there is one only */
function countValues(values: Float64Array, scale: number, grid: Grid, width: number, most: number) {
  const slot = (value: number) => slotAt(AMOUNT_BINS, AMOUNT_BINS.coordinate(value / scale));
  const first = slot(grid.least);
  const last = slot(most);
  // Entry s is where slot s begins.
  const edges = new Float64Array(last + 2).fill(Number.POSITIVE_INFINITY);
  for (let s = first + 1; s <= last; s++)
    edges[s] = scale * AMOUNT_BINS.value((AMOUNT_BINS.lowest + s - 1) / BINS_PER_UNIT);
  // The slot at the lower end of the cell before: no value of a cell is counted further down.
  const firstOfCell = new Uint16Array(CELLS).fill(first);
  for (let cell = 2, s = first; cell < CELLS && width > 0; cell++) {
    while (grid.least + (cell - 1) * width >= edges[s + 1]) s++;
    firstOfCell[cell] = s;
  }
  const counts = new Float64Array(slotsOf(AMOUNT_BINS));
  const inCell = new Float64Array(CELLS);
  const zero = counts.length - 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const cell = cellOf(grid, value);
    inCell[cell]++;
    let s = firstOfCell[cell];
    while (value >= edges[s + 1]) s++;
    counts[value === 0 ? zero : s]++;
  }
  return { counts, inCell };
}

/** The values of some ranks. @param inCell number of values in each cell */
function orderStatistics(
  values: Float64Array,
  grid: Grid,
  inCell: Float64Array,
  ranks: readonly number[],
): (rank: number) => number {
  // Whether a cell is wanted; and of the wanted ones, where its values begin among all values and among those taken.
  const isWanted = new Uint8Array(CELLS);
  const begins: { readonly rank: number; readonly taken: number }[] = [];
  const rising = [...ranks].sort((a, b) => a - b);
  let at = 0;
  let taken = 0;
  let before = 0;
  for (let cell = 0; cell < CELLS && at < rising.length; cell++) {
    const end = before + inCell[cell];
    if (rising[at] < end) {
      isWanted[cell] = 1;
      begins.push({ rank: before, taken });
      taken += inCell[cell];
      while (at < rising.length && rising[at] < end) at++;
    }
    before = end;
  }
  const some = new Float64Array(taken);
  let filled = 0;
  for (let i = 0; i < values.length; i++)
    if (isWanted[cellOf(grid, values[i])] === 1) some[filled++] = values[i];
  some.sort();
  return rank => {
    const begin = begins.findLast(each => each.rank <= rank);
    return some[rank - (begin?.rank ?? 0) + (begin?.taken ?? 0)];
  };
}
