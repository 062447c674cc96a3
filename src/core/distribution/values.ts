/**
 * The distribution of values in memory: exact quantiles, and counts in the bins of amounts.
 *
 * The values are not sorted but counted in the narrow cells of a grid. The count of a cell within one bin is added to
 * that of the bin. The values of other cells are counted one by one, and those of cells with wanted order statistics
 * are placed by rank. Tails come from the same cells.
 */
import { interpolate, type QuantilePosition, quantilePosition } from '../stats/quantile.ts';
import { placeRanks } from '../stats/selection.ts';
import { type LowerTail, tailsAmong, wantedTails } from '../stats/tail.ts';
import { type ChosenValues, ValueCells } from '../stats/value-cells.ts';
import { AMOUNT_BINS, BINS_PER_UNIT, type HeldSlots, heldSlots, slotAt, slotOf, slotsOf } from './bins.ts';
import { DISTRIBUTION_LEVELS } from './levels.ts';

export interface ValueDistribution {
  /** Type 7 quantiles at `DISTRIBUTION_LEVELS`, in the unit of the values. */
  readonly quantiles: readonly number[];
  readonly counts: HeldSlots;
}

export interface AskedOfValues {
  /** Levels of lower tails (stats/tail.ts), and of the intervals of their quantiles. */
  readonly quantiles: ArrayLike<number>;
  readonly intervalLevel?: number | undefined;
  /** Unit of the bins of the distribution, above 0; absent without a distribution. */
  readonly scale?: number | undefined;
}

/** The reasons to read the values of a cell: a bin begins in it, several do, it has an order statistic, or a tail. */
const EDGE = 1;
const EDGES = 2;
const WANTED = 4;
const TAIL = 8;

/**
 * Quantiles and counts of values, which are not changed.
 *
 * @param values one or more finite numbers
 * @param scale unit of the bins, above 0
 * @throws RangeError if there are no values or one is not finite
 */
export function valueDistribution(values: Float64Array, scale: number): ValueDistribution {
  return distributionAmong(values, scale, new ValueCells(values), 0).distribution;
}

/**
 * Lower tails of values, which are not changed, and their distribution if requested. The tails are the same numbers
 * with and without it.
 *
 * @param values one or more finite numbers
 * @throws RangeError if there are no values, one is not finite, or a level is outside (0, 1)
 */
export function tailsAndDistribution(
  values: Float64Array,
  { quantiles, intervalLevel, scale }: AskedOfValues,
): { readonly tails: LowerTail[]; readonly distribution: ValueDistribution | undefined } {
  const wanted = wantedTails(values.length, quantiles, intervalLevel);
  const cells = new ValueCells(values);
  const [{ cell, before }] = cells.find([wanted.highestRank]);
  const lowest = before + cells.counts[cell];
  const tailsOf = (chosen: ChosenValues) => tailsAmong(valuesUpTo(chosen, cell, lowest), wanted);
  if (scale === undefined) {
    const flags = new Uint8Array(cells.counts.length).fill(TAIL, 0, cell + 1);
    return { tails: tailsOf(cells.choose(flags)), distribution: undefined };
  }
  const { distribution, chosen } = distributionAmong(values, scale, cells, cell + 1);
  return { tails: tailsOf(chosen), distribution };
}

/** The chosen values in the cells up to one. @param count their number */
function valuesUpTo({ values, cells }: ChosenValues, last: number, count: number): Float64Array {
  if (count === values.length) return values;
  const lowest = new Float64Array(count);
  let next = 0;
  for (let i = 0; next < count; i++) if (cells[i] <= last) lowest[next++] = values[i];
  return lowest;
}

/** The distribution, and the values that were read one by one, those in the first `tailCells` cells included. */
function distributionAmong(values: Float64Array, scale: number, cells: ValueCells, tailCells: number) {
  const flags = new Uint8Array(cells.counts.length).fill(TAIL, 0, tailCells);
  const bins = new BinsOfCells(cells, scale, flags);
  const positions = Object.values(DISTRIBUTION_LEVELS).map(p => quantilePosition(values.length, p));
  const wanted = new WantedRanks(cells, positions, flags);
  const chosen = cells.choose(flags);
  const distribution = {
    counts: bins.count(chosen, cells.counts, flags),
    quantiles: wanted.quantiles(chosen, flags),
  };
  return { distribution, chosen };
}

/** The bins in which the values of each cell lie. */
class BinsOfCells {
  /** Lowest slot of the closed cells, and counts from it on; counts of other slots. */
  private readonly first: number;
  private readonly slots: Float64Array;
  private readonly others = new Map<number, number>();
  /** Per cell: the place in `slots` of its lowest values, and the start of the next slot in it; infinity without one. */
  private readonly placeOfCell: Uint16Array;
  private readonly edgeOfCell: Float64Array;
  /** The last value that was counted alone, and its slot: a constant is counted many times. */
  private last = Number.NaN;
  private lastSlot = 0;

  /** @param flags receives EDGE and EDGES for the cells that span several slots */
  constructor(
    cells: ValueCells,
    private readonly scale: number,
    flags: Uint8Array,
  ) {
    const end = flags.length - 1;
    const { range } = cells;
    const slot = (value: number) => slotAt(AMOUNT_BINS, AMOUNT_BINS.coordinate(value / scale));
    this.first = range === undefined ? 0 : slot(range[0]);
    const last = range === undefined ? 0 : slot(range[1]);
    this.slots = new Float64Array(last - this.first + 1);
    const placeOfCell = new Uint16Array(end + 1);
    const edgeOfCell = new Float64Array(end + 1).fill(Number.POSITIVE_INFINITY);
    let cell = 0;
    for (let place = 0; place < last - this.first; place++) {
      const edge = this.beginOf(this.first + place + 1);
      // The ends of the range may be rounded to either side of an edge.
      const at = Math.max(1, Math.min(end - 1, cells.cellOf(edge)));
      while (cell < at) placeOfCell[++cell] = place;
      flags[at] |= (flags[at] & EDGE) === 0 ? EDGE : EDGES;
      edgeOfCell[at] = edge;
    }
    while (cell < end - 1) placeOfCell[++cell] = last - this.first;
    // Open cells span any number of slots, and 0 has a slot of its own.
    flags[0] |= EDGES;
    flags[end] |= EDGES;
    flags[cells.cellOf(0)] |= EDGES;
    this.placeOfCell = placeOfCell;
    this.edgeOfCell = edgeOfCell;
  }

  /** The lower edge of the bin of a slot. */
  private beginOf(slot: number): number {
    return this.scale * AMOUNT_BINS.value((AMOUNT_BINS.lowest + slot - 1) / BINS_PER_UNIT);
  }

  /** Counts all values: one by one where they were read, elsewhere by cell. */
  count({ values, cells: at }: ChosenValues, inCell: Uint32Array, flags: Uint8Array): HeldSlots {
    const { slots, placeOfCell, edgeOfCell } = this;
    for (let i = 0; i < values.length; i++) {
      const cell = at[i];
      if ((flags[cell] & EDGES) === 0) slots[placeOfCell[cell] + Number(values[i] >= edgeOfCell[cell])]++;
      else this.countAlone(values[i]);
    }
    for (let cell = 0; cell < inCell.length; cell++)
      if (flags[cell] === 0) slots[placeOfCell[cell]] += inCell[cell];
    return this.nonzeroSlots();
  }

  private countAlone(value: number): void {
    if (value !== this.last) {
      this.last = value;
      this.lastSlot = this.slotOf(value);
    }
    const place = this.lastSlot - this.first;
    if (place >= 0 && place < this.slots.length) this.slots[place]++;
    else this.others.set(this.lastSlot, (this.others.get(this.lastSlot) ?? 0) + 1);
  }

  private slotOf(value: number): number {
    // Only 0 is counted as 0, not a value that the division makes smaller than any double.
    let slot = slotOf(AMOUNT_BINS, value / this.scale || Math.sign(value) * Number.MIN_VALUE);
    if (value === 0) return slot;
    // The same edges for all values, however the coordinate is rounded.
    const above = slotsOf(AMOUNT_BINS) - 2;
    while (slot > 0 && value < this.beginOf(slot)) slot--;
    while (slot < above && value >= this.beginOf(slot + 1)) slot++;
    return slot;
  }

  private nonzeroSlots(): HeldSlots {
    const { first, slots, others } = this;
    const lowest = Math.min(first, ...others.keys());
    const all = new Float64Array(
      Math.max(first + slots.length, ...[...others.keys()].map(slot => slot + 1)) - lowest,
    );
    all.set(slots, first - lowest);
    for (const [slot, count] of others) all[slot - lowest] += count;
    const { first: skipped, counts } = heldSlots(all);
    return { first: lowest + skipped, counts };
  }
}

/** The order statistics of quantiles. */
class WantedRanks {
  /** Rising. */
  private readonly ranks: readonly number[];
  /** Per rank: the number of values of lower cells outside wanted ones. */
  private readonly skipped: readonly number[];
  /** Number of values in wanted cells. */
  private readonly count: number;

  /** @param positions rising; @param flags receives WANTED for the cells */
  constructor(
    cells: ValueCells,
    private readonly positions: readonly QuantilePosition[],
    flags: Uint8Array,
  ) {
    const ranks: number[] = [];
    for (const { rank, fraction } of positions) {
      const last = fraction > 0 ? rank + 1 : rank;
      for (let next = Math.max(rank, (ranks.at(-1) ?? -1) + 1); next <= last; next++) ranks.push(next);
    }
    this.ranks = ranks;
    let count = 0;
    let end = 0;
    let skipped = 0;
    this.skipped = cells.find(ranks).map(({ cell, before }) => {
      if ((flags[cell] & WANTED) === 0) {
        flags[cell] |= WANTED;
        skipped += before - end;
        end = before + cells.counts[cell];
        count += cells.counts[cell];
      }
      return skipped;
    });
    this.count = count;
  }

  quantiles({ values, cells }: ChosenValues, flags: Uint8Array): number[] {
    const { ranks, skipped, count } = this;
    const wanted = new Float64Array(count + 1);
    let next = 0;
    for (let i = 0; i < values.length; i++) {
      wanted[next] = values[i];
      next += Number((flags[cells[i]] & WANTED) !== 0);
    }
    const sample = wanted.subarray(0, count);
    const places = ranks.map((rank, i) => rank - skipped[i]);
    placeRanks(sample, places);
    const valueAt = (rank: number) => sample[places[ranks.indexOf(rank)]];
    return this.positions.map(({ rank, fraction }) => {
      const lower = valueAt(rank);
      return interpolate(lower, fraction > 0 ? valueAt(rank + 1) : lower, fraction);
    });
  }
}
