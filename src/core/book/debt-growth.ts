/**
 * The growth g_t of a debt by steps and by days, from tables: a loan is asked about on every path.
 *
 * Indices are those of a path of a book: index t - 1 is step t. Must not know: prices.
 */
import { DAY_STEPS } from './price-extremes.ts';

export class DebtGrowth {
  /** The largest g_t of each day: at one of its ends. */
  readonly mostOfDay: Float64Array;
  private readonly beforeDay: Float64Array;
  private readonly ofStep: Float64Array;

  /**
   * @param perStep what a step adds to ln(g_t)
   * @param days of a path
   */
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

  /** Multiplies the values of a day by g_t. @param first index of its first step */
  growDay(values: Float64Array, day: number, first: number, end: number): void {
    const before = this.beforeDay[day];
    const { ofStep } = this;
    for (let t = first; t < end; t++) values[t] *= before * ofStep[t - first];
  }
}

/** The growth of debts by what a step adds to their logarithm; loans with the same terms share it. */
export class DebtGrowths {
  private readonly known = new Map<number, DebtGrowth>();
  private readonly days: number;

  /** @param days of a path */
  constructor(days: number) {
    this.days = days;
  }

  /** @returns undefined where the debt does not grow */
  of(perStep: number): DebtGrowth | undefined {
    if (perStep === 0) return undefined;
    const known = this.known.get(perStep) ?? new DebtGrowth(perStep, this.days);
    this.known.set(perStep, known);
    return known;
  }
}
