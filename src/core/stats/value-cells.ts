/**
 * The values of a sample in the narrow cells of a grid, to find the values near a wanted rank or bound without sorting.
 *
 * A cell of a higher number has larger values. The grid covers the range of a few values; lower values are in the first cell, higher ones
 * in the last.
 */

import { requireFiniteEntry, requireLength } from './preconditions.ts';

/** Most cells: their counts fit in the first cache. */
const MAX_CELLS = 4096;
const MIN_CELLS = 16;
/** Values for each cell of a smaller sample: the cells are read, too. */
const VALUES_OF_CELL = 4;
/** Values that set the range, spread evenly over the sample, and the margin of the range beyond them on either side. */
const LOOKED_AT = 64;
const MARGIN = 0.3;
/** Least width of a cell in a share of the values; below it there is one cell. */
const NARROWEST = 1e-12;
/** Least width whose reciprocal is a double. */
const MIN_WIDTH = 2 ** -1022;

/** Values in chosen cells, in sample order, and their cells. */
export interface ChosenValues {
  readonly values: Float64Array;
  readonly cells: Uint16Array;
}

/** Where an order statistic lies. */
export interface RankPlace {
  readonly cell: number;
  /** Values in the cells below. */
  readonly before: number;
}

/** Most values whose cells use the buffer of the thread; larger samples allocate their own. */
const KEPT_CELLS = 2 ** 20;
let kept = new Uint16Array(0);

function roomFor(count: number): Uint16Array {
  if (count > KEPT_CELLS) return new Uint16Array(count);
  if (count > kept.length) kept = new Uint16Array(count);
  return kept;
}

/** The cells of one sample. They replace the cells of the thread's sample before. */
export class ValueCells {
  /** Values in each cell. */
  readonly counts: Uint32Array;
  /** Cell of each value. */
  private readonly cells: Uint16Array;
  private readonly least: number;
  /** Cells of a unit; NaN where values are too near to each other, or too far apart: then all are in the last cell. */
  private readonly perUnit: number;
  private readonly inner: number;

  /**
   * @param values one or more
   * @throws RangeError if there are none, or one is not finite
   */
  constructor(private readonly values: Float64Array) {
    requireLength('values', values.length);
    const wished = 2 ** Math.floor(Math.log2(values.length / VALUES_OF_CELL));
    this.inner = Math.max(MIN_CELLS, Math.min(MAX_CELLS, wished));
    const stride = Math.max(1, Math.floor(values.length / LOOKED_AT));
    let least = values[0];
    let most = least;
    for (let i = stride; i < values.length; i += stride) {
      if (values[i] < least) least = values[i];
      else if (values[i] > most) most = values[i];
    }
    const margin = MARGIN * (most - least);
    this.least = least - margin;
    const width = (most - least + 2 * margin) / this.inner;
    const isWide = width > Math.max(MIN_WIDTH, NARROWEST * Math.max(-least, most));
    this.perUnit = isWide && width < Number.MAX_VALUE ? 1 / width : Number.NaN;
    this.counts = new Uint32Array(this.inner + 2);
    this.cells = roomFor(values.length);
    this.count();
  }

  /** Four independent values at a time. */
  private count(): void {
    const { values, cells, counts, least, perUnit, inner } = this;
    const whole = values.length - (values.length % 4);
    for (let i = 0; i < whole; i += 4) {
      // The rule of cellOf.
      const a = (values[i] - least) * perUnit;
      const b = (values[i + 1] - least) * perUnit;
      const c = (values[i + 2] - least) * perUnit;
      const d = (values[i + 3] - least) * perUnit;
      if (a >= 0 && a < inner && b >= 0 && b < inner && c >= 0 && c < inner && d >= 0 && d < inner) {
        const cellA = (a | 0) + 1;
        const cellB = (b | 0) + 1;
        const cellC = (c | 0) + 1;
        const cellD = (d | 0) + 1;
        counts[cellA]++;
        counts[cellB]++;
        counts[cellC]++;
        counts[cellD]++;
        cells[i] = cellA;
        cells[i + 1] = cellB;
        cells[i + 2] = cellC;
        cells[i + 3] = cellD;
      } else this.countSingly(i, i + 4);
    }
    this.countSingly(whole, values.length);
  }

  private countSingly(from: number, to: number): void {
    const { values, cells, counts } = this;
    for (let i = from; i < to; i++) {
      requireFiniteEntry('values', values, i);
      cells[i] = this.cellOf(values[i]);
      counts[cells[i]]++;
    }
  }

  /** The cell of a finite value; cells rise with the values, however they are rounded. */
  cellOf(value: number): number {
    const { least, perUnit, inner } = this;
    const place = (value - least) * perUnit;
    if (place >= 0 && place < inner) return (place | 0) + 1;
    return place < 0 ? 0 : inner + 1;
  }

  /** The bounds between which the closed cells lie; `undefined` where there are none. */
  get range(): readonly [number, number] | undefined {
    const { least, perUnit, inner } = this;
    return Number.isNaN(perUnit) ? undefined : [least, least + inner / perUnit];
  }

  /** Places of order statistics. @param ranks rising, from 0 */
  find(ranks: ArrayLike<number>): readonly RankPlace[] {
    const { counts } = this;
    const places: RankPlace[] = [];
    let cell = 0;
    let before = 0;
    for (let i = 0; i < ranks.length; i++) {
      while (ranks[i] >= before + counts[cell]) before += counts[cell++];
      places.push({ cell, before });
    }
    return places;
  }

  /** The values of the cells that have a flag. @param flags one for each cell, 0 where it is not wanted */
  choose(flags: Uint8Array): ChosenValues {
    const { counts, values, cells } = this;
    const count = values.length;
    const wanted = new Uint8Array(counts.length);
    let chosen = 0;
    for (let cell = 0; cell < counts.length; cell++) {
      if (flags[cell] === 0) continue;
      wanted[cell] = 1;
      chosen += counts[cell];
    }
    // Every place is written, and overwritten by the next one if its cell is not wanted: no branch to mispredict.
    const places = new Uint32Array(chosen + 1);
    const whole = count - (count % 4);
    let next = 0;
    for (let i = 0; i < whole; i += 4) {
      places[next] = i;
      next += wanted[cells[i]];
      places[next] = i + 1;
      next += wanted[cells[i + 1]];
      places[next] = i + 2;
      next += wanted[cells[i + 2]];
      places[next] = i + 3;
      next += wanted[cells[i + 3]];
    }
    for (let i = whole; i < count; i++) {
      places[next] = i;
      next += wanted[cells[i]];
    }
    const chosenValues = new Float64Array(chosen);
    const chosenCells = new Uint16Array(chosen);
    for (let k = 0; k < chosen; k++) {
      const place = places[k];
      chosenValues[k] = values[place];
      chosenCells[k] = cells[place];
    }
    return { values: chosenValues, cells: chosenCells };
  }
}
