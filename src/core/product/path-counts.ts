/**
 * Counts of paths for a requested distribution, in the sections of the product's contract; twin of
 * shaders/kernel/counts.wgsl. Whole numbers: the counts of ranges of paths add up to those of all.
 */
import { BINS_PER_UNIT, RATIO_BINS, slotAt, slotOf } from '../distribution/bins.ts';
import { countsLayout, type DistributionOption, fanSteps, RATIO_SLOTS } from '../plan/distribution.ts';
import { LOAN_SECTIONS } from '../plan/product/loan.ts';
import { PERPETUAL_SECTIONS } from '../plan/product/perpetual.ts';
import type {
  AccountProduct,
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  SimulationPlan,
} from '../plan/simulation-plan.ts';
import type { PortfolioPaths, StepValues } from './paths.ts';

/** Steps of the first events of a loan; 0 without one. */
export interface EventSteps {
  callStep: number;
  liquidationStep: number;
  closeoutStep: number;
}

/** The counts of a loan. Ratios are counted by the natural logarithm of collateral over debt. */
export class LoanCounts {
  readonly counts: Uint32Array;
  /** Steps of the fan, rising. */
  readonly fan: Uint32Array;
  readonly places: ReturnType<typeof countsLayout<typeof LOAN_SECTIONS>>['places'];
  private readonly daySteps: number;

  /** @param counts counts of other paths, which are added to; none where absent */
  constructor(steps: number, option: DistributionOption, counts?: Uint32Array) {
    const { places, length } = countsLayout(LOAN_SECTIONS, steps, option);
    this.places = places;
    this.counts = counts ?? new Uint32Array(length);
    this.fan = fanSteps(steps);
    this.daySteps = option.daySteps;
  }

  addEnds(lowest: number, final: number): void {
    const { counts, places } = this;
    counts[places.lowest.first + slotAt(RATIO_BINS, lowest)]++;
    counts[places.final.first + slotAt(RATIO_BINS, final)]++;
  }

  /**
   * Counts one path at the times of the fan from step `from` up to, and not including, step `to`.
   *
   * @param isLog whether values are natural logarithms of C/L, else they are C/L
   * @param nominal logarithm of the nominal ratio
   */
  addPath(
    { values, first, stride }: StepValues,
    isLog: boolean,
    nominal: number,
    from = 1,
    to = Number.POSITIVE_INFINITY,
  ): void {
    const { counts, fan } = this;
    const { lowest, highest } = RATIO_BINS;
    let time = 0;
    while (fan[time] < from) time++;
    let at = this.places.fan.first + time * RATIO_SLOTS;
    for (; time < fan.length; time++, at += RATIO_SLOTS) {
      const step = fan[time];
      if (step >= to) return;
      const value = values[first + stride * step];
      const coordinate = nominal + (isLog ? value : Math.log(value));
      const bin = Math.floor(BINS_PER_UNIT * coordinate);
      // The rule of slotAt, without a call for values within the bins.
      if (bin >= lowest && bin <= highest) counts[at + 1 + ((bin - lowest) | 0)]++;
      else counts[at + slotAt(RATIO_BINS, coordinate)]++;
    }
  }

  addEvents({ callStep, liquidationStep, closeoutStep }: EventSteps): void {
    const { marginCall, liquidation, closeout } = this.places;
    this.addEvent(marginCall.first, callStep);
    this.addEvent(liquidation.first, liquidationStep);
    this.addEvent(closeout.first, closeoutStep);
  }

  private addEvent(first: number, step: number): void {
    if (step > 0) this.counts[first + Math.floor((step - 1) / this.daySteps)]++;
  }
}

/** The counts of an outcome, unless they were added to other ranges' counts. */
export function distributionOf(
  counts: Uint32Array,
  sharedCounts: Uint32Array | undefined,
): { readonly distribution?: Float64Array } {
  return sharedCounts === undefined ? { distribution: Float64Array.from(counts) } : {};
}

export function loanCounts(
  { product, distribution }: SimulationPlan<LoanProduct | CappedLoanProduct>,
  counts: Uint32Array | undefined,
): LoanCounts | undefined {
  return distribution && new LoanCounts(product.steps, distribution, counts);
}

/** The logarithm of collateral over debt of a loan whose nominal ratio has the logarithm `nominal`. */
export function logRatio({ domain }: Pick<PortfolioPaths, 'domain'>, nominal: number, value: number): number {
  return nominal + (domain === 'ln' ? value : Math.log(value));
}

/** Cells of an octave: each is narrower than a bin, so that at most one bin begins in it. */
const CELL_BITS = 7;
/** Bits of a double's upper word below the bits of its cell. */
const REST_BITS = 20 - CELL_BITS;
/** Octaves from 2^-8 on, which cover all bins of ratios. */
const LOWEST_OCTAVE = -8;
const OCTAVES = 16;
const DOUBLE_BIAS = 1023;
const FIRST_CELL = (DOUBLE_BIAS + LOWEST_OCTAVE) << CELL_BITS;

/** The slots of ratios by the leading bits of the double: the lowest slot of each cell, and the start of the next one. */
class RatioSlots {
  readonly slots = new Uint16Array(OCTAVES << CELL_BITS);
  readonly edges = new Float64Array(OCTAVES << CELL_BITS).fill(Number.POSITIVE_INFINITY);

  constructor() {
    const { slots, edges } = this;
    const { lowest, highest, value } = RATIO_BINS;
    const words = new Int32Array(2);
    const double = new Float64Array(words.buffer);
    for (let cell = 0; cell < slots.length; cell++) {
      words[1] = (FIRST_CELL + cell) << REST_BITS;
      slots[cell] = slotAt(RATIO_BINS, Math.log(double[0]));
    }
    for (let bin = lowest; bin <= highest + 1; bin++) {
      double[0] = value(bin / BINS_PER_UNIT);
      const cell = (words[1] >> REST_BITS) - FIRST_CELL;
      edges[cell] = double[0];
      // The first value of the cell may be the edge itself, whose logarithm is rounded to either side.
      slots[cell] = bin - lowest;
    }
  }
}

const RATIO_SLOTS_BY_BITS = new RatioSlots();

/** Counts the mark price of a perpetual, or the equity of an account, at the fan's times, relative to the start. */
export class MarkCounts {
  readonly counts: Uint32Array;
  private readonly fan: Uint32Array;

  /** @param counts counts of other paths, which are added to; none where absent */
  constructor(steps: number, option: DistributionOption, counts?: Uint32Array) {
    this.counts = counts ?? new Uint32Array(countsLayout(PERPETUAL_SECTIONS, steps, option).length);
    this.fan = fanSteps(steps);
  }

  /** @param price relative to the start, not negative, index t - 1 is step t */
  add(price: Float64Array): void {
    const { counts, fan } = this;
    const { slots, edges } = RATIO_SLOTS_BY_BITS;
    const words = new Int32Array(price.buffer, price.byteOffset, 2 * price.length);
    let row = 0;
    for (let time = 0; time < fan.length; time++, row += RATIO_SLOTS) {
      const at = fan[time] - 1;
      const value = price[at];
      const cell = (words[2 * at + 1] >> REST_BITS) - FIRST_CELL;
      if (cell >= 0 && cell < slots.length) counts[row + slots[cell] + Number(value >= edges[cell])]++;
      else counts[row + slotOf(RATIO_BINS, value)]++;
    }
  }
}

export function markCounts(
  { product, distribution }: SimulationPlan<PerpetualProduct | AccountProduct>,
  counts: Uint32Array | undefined,
): MarkCounts | undefined {
  return distribution && new MarkCounts(product.steps, distribution, counts);
}
