/**
 * The distribution of values that are all at hand: exact quantiles, and counts in the bins of amounts.
 *
 * No sorting of all values: they are counted in the narrow cells of a grid. A cell that no bin begins in lies in one bin, and its
 * count is added to that of the bin; values of the other cells are counted one by one, and values of the cells in which wanted order
 * statistics lie are sorted.
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

/** Most cells of the grid: those that are looked into hold some hundredth of the values. */
const MOST_CELLS = 4096;
const LEAST_CELLS = 16;
/** Values for each cell of a smaller sample: cells are walked once, too. */
const VALUES_OF_CELL = 4;
/** Cells narrower than this share of the values could not tell them apart: then there is one cell. */
const NARROWEST = 1e-12;
/** Of narrower cells there would be more in a unit than a double can say. */
const LEAST_WIDTH = 2 ** -1022;

/** What is in a cell. */
const EDGE = 1;
const WANTED = 2;

/** Cells between the least value and the most; the last one holds the most. */
interface Grid {
  readonly least: number;
  readonly most: number;
  readonly perUnit: number;
  readonly cells: number;
}

/** Cells rise with the values, however they are rounded: a value in a higher cell than another is the larger one. */
const cellOf = ({ least, perUnit }: Grid, value: number): number => ((value - least) * perUnit) | 0;

function gridOf(values: Float64Array): Grid {
  let least = values[0];
  let most = values[0];
  for (let i = 1; i < values.length; i++) {
    const value = values[i];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  const wished = 2 ** Math.floor(Math.log2(values.length / VALUES_OF_CELL));
  const parts = Math.max(LEAST_CELLS, Math.min(MOST_CELLS, wished));
  const width = (most - least) / parts;
  const isWide = width > Math.max(LEAST_WIDTH, NARROWEST * Math.max(-least, most));
  const perUnit = isWide && width < Number.MAX_VALUE ? 1 / width : 0;
  return { least, most, perUnit, cells: parts + 1 };
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
  const ranks = positions.flatMap(({ rank, fraction }) => (fraction > 0 ? [rank, rank + 1] : [rank]));
  const grid = gridOf(values);
  const { least, perUnit } = grid;
  const inCell = new Uint32Array(grid.cells);
  // cellOf, in line: this is most of the work.
  for (let i = 0; i < values.length; i++) inCell[((values[i] - least) * perUnit) | 0]++;

  const flags = new Uint8Array(grid.cells);
  const bins = new BinsOfCells(grid, scale, flags);
  const wanted = new WantedCells(inCell, ranks, flags);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const cell = ((value - least) * perUnit) | 0;
    const flag = flags[cell];
    if (flag === 0) continue;
    if ((flag & EDGE) !== 0) bins.add(cell, value);
    if ((flag & WANTED) !== 0) wanted.add(value);
  }
  const valueAt = wanted.sorted();
  const quantiles = Float64Array.from(positions, ({ rank, fraction }) => {
    const lower = valueAt(rank);
    return interpolate(lower, fraction > 0 ? valueAt(rank + 1) : lower, fraction);
  });
  return { quantiles, counts: bins.withCells(inCell, flags) };
}

/** The bins in which the values of each cell lie. */
class BinsOfCells {
  private readonly counts = new Float64Array(slotsOf(AMOUNT_BINS));
  /** Slot of the least value, and where each slot after it begins. */
  private readonly first: number;
  private readonly edges: Float64Array;
  /** Of each cell, the edges in the cells before it: their number tells the lowest slot of its values. */
  private readonly before: Uint16Array;

  /** @param flags receives EDGE for the cells that no single slot holds */
  constructor(grid: Grid, scale: number, flags: Uint8Array) {
    const slot = (value: number) => slotAt(AMOUNT_BINS, AMOUNT_BINS.coordinate(value / scale));
    this.first = slot(grid.least);
    const last = slot(grid.most);
    this.edges = new Float64Array(last - this.first + 1).fill(Number.POSITIVE_INFINITY);
    this.before = new Uint16Array(grid.cells);
    // 0 has a slot of its own.
    if (grid.least <= 0 && grid.most >= 0) flags[cellOf(grid, 0)] |= EDGE;
    let cell = 0;
    for (let s = this.first + 1; s <= last; s++) {
      const edge = scale * AMOUNT_BINS.value((AMOUNT_BINS.lowest + s - 1) / BINS_PER_UNIT);
      this.edges[s - this.first - 1] = edge;
      // The ends of the range may be rounded to either side of an edge.
      const at = Math.max(0, Math.min(grid.cells - 1, cellOf(grid, Math.min(edge, grid.most))));
      flags[at] |= EDGE;
      while (cell < at) this.before[++cell] = s - this.first - 1;
    }
    while (cell < grid.cells - 1) this.before[++cell] = last - this.first;
  }

  /** Counts a value of a cell with an edge. */
  add(cell: number, value: number): void {
    const { counts, edges, first, before } = this;
    let s = before[cell];
    while (value >= edges[s]) s++;
    counts[value === 0 ? counts.length - 1 : first + s]++;
  }

  /** All counts, those of the cells without an edge included. */
  withCells(inCell: Uint32Array, flags: Uint8Array): Float64Array {
    const { counts, first, before } = this;
    for (let cell = 0; cell < inCell.length; cell++)
      if ((flags[cell] & EDGE) === 0) counts[first + before[cell]] += inCell[cell];
    return counts;
  }
}

/** The values of the cells in which wanted order statistics lie. */
class WantedCells {
  private readonly values: Float64Array;
  private taken = 0;
  /** Of each of the cells, where its values begin among all values and among those taken. */
  private readonly begins: { readonly rank: number; readonly taken: number }[] = [];

  /** @param flags receives WANTED for the cells */
  constructor(inCell: Uint32Array, ranks: readonly number[], flags: Uint8Array) {
    const rising = [...ranks].sort((a, b) => a - b);
    let at = 0;
    let taken = 0;
    let before = 0;
    for (let cell = 0; cell < inCell.length && at < rising.length; cell++) {
      const end = before + inCell[cell];
      if (rising[at] < end) {
        flags[cell] |= WANTED;
        this.begins.push({ rank: before, taken });
        taken += inCell[cell];
        while (at < rising.length && rising[at] < end) at++;
      }
      before = end;
    }
    this.values = new Float64Array(taken);
  }

  add(value: number): void {
    this.values[this.taken++] = value;
  }

  /** The value of each wanted rank, once all are added. */
  sorted(): (rank: number) => number {
    const { values, begins } = this;
    values.sort();
    return rank => {
      const begin = begins.findLast(each => each.rank <= rank);
      return values[rank - (begin?.rank ?? 0) + (begin?.taken ?? 0)];
    };
  }
}
