/** The growth g_t of a debt by steps and by days, in tables; index t - 1 is step t, as in a path of a book. */
import { DAY_STEPS } from './price-extremes.ts';

/** The index of the start. */
export const START = -1;

export class DebtGrowth {
  /** The largest g_t of each day: at one of its ends. */
  readonly mostOfDay: Float64Array;
  /** g of an index is the entry of its day times the entry of its step within the day. */
  readonly beforeDay: Float64Array;
  readonly ofStep: Float64Array;

  /** @param perStep increment of ln(g_t) per step; @param days of a path */
  constructor(perStep: number, days: number) {
    this.beforeDay = new Float64Array(days).map((_, d) => Math.exp(perStep * d * DAY_STEPS));
    this.ofStep = new Float64Array(DAY_STEPS).map((_, i) => Math.exp(perStep * (i + 1)));
    const most = Math.max(this.ofStep[0], this.ofStep[DAY_STEPS - 1]);
    this.mostOfDay = this.beforeDay.map(before => before * most);
  }

  /** The largest of the days `first` to `end` - 1. */
  mostBetween(first: number, end: number): number {
    return Math.max(this.mostOfDay[first], this.mostOfDay[end - 1]);
  }

  /** g_t at an index; 1 at the start. */
  at(index: number): number {
    if (index === START) return 1;
    const day = (index / DAY_STEPS) | 0;
    return this.beforeDay[day] * this.ofStep[index - day * DAY_STEPS];
  }

  /** The largest and the least of indices `from` to `to`: at one of them. */
  mostOf(from: number, to: number): number {
    return Math.max(this.at(from), this.at(to));
  }

  leastOf(from: number, to: number): number {
    return Math.min(this.at(from), this.at(to));
  }

  /** The largest of the start and the first `steps` steps. */
  mostOver(steps: number): number {
    return this.mostOf(START, steps - 1);
  }

  /** Multiplies the values of a day by g_t. @param first index of its first step */
  growDay(values: Float64Array, day: number, first: number, end: number): void {
    const before = this.beforeDay[day];
    const { ofStep } = this;
    for (let t = first; t < end; t++) values[t] *= before * ofStep[t - first];
  }
}

/**
 * The growth of the debt of some groups, undefined where it does not grow; groups of equal growth share it.
 *
 * @param perStep per group of the book: increment of ln(g_t) per step
 * @param steps of a path
 */
export function debtGrowths(
  groups: Uint32Array,
  perStep: Float64Array,
  steps: number,
): readonly (DebtGrowth | undefined)[] {
  const days = Math.ceil(steps / DAY_STEPS);
  const known = new Map<number, DebtGrowth>();
  const growths = new Array<DebtGrowth | undefined>(groups.length).fill(undefined);
  for (let i = 0; i < groups.length; i++) {
    const each = perStep[groups[i]];
    if (each === 0) continue;
    const growth = known.get(each) ?? new DebtGrowth(each, days);
    known.set(each, growth);
    growths[i] = growth;
  }
  return growths;
}
