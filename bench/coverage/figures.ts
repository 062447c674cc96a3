/**
 * Figures of an answer as a flat list: their places joined by " / ", so that answers, truths and accuracies can be laid side by side.
 *
 * Takes: nested results and the member `Accuracy`. Gives: maps by name. Must not know: operations.
 */
import type { AccuracyFigures, FigureAccuracy } from '#src/core/figures/accuracy.js';

/** Every number of a result by its name. */
export function numbersOf(result: Readonly<Record<string, unknown>>, prefix = ''): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, value] of Object.entries(result)) {
    const name = prefix === '' ? key : `${prefix} / ${key}`;
    if (typeof value === 'number') found.set(name, value);
    else if (typeof value === 'object' && value !== null)
      for (const [inner, number] of numbersOf(value as Record<string, unknown>, name))
        found.set(inner, number);
  }
  return found;
}

const isFigure = (value: FigureAccuracy | AccuracyFigures): value is FigureAccuracy =>
  typeof value.method === 'string';

/** Every row of `Accuracy` by its name. */
export function rowsOf(figures: AccuracyFigures, prefix = ''): Map<string, FigureAccuracy> {
  const found = new Map<string, FigureAccuracy>();
  for (const [key, value] of Object.entries(figures)) {
    const name = prefix === '' ? key : `${prefix} / ${key}`;
    if (isFigure(value)) found.set(name, value);
    else for (const [inner, row] of rowsOf(value, name)) found.set(inner, row);
  }
  return found;
}

/** How often the intervals of one figure held its true value. */
export interface CoverageRow {
  readonly figure: string;
  /** Methods of the intervals, the most frequent first. */
  readonly methods: readonly string[];
  readonly truth: number;
  /** Whether the truth is a known law, or the figure of a run of very many paths. */
  readonly exact: boolean;
  /** Seeds that gave an interval, with at least one end. */
  readonly told: number;
  /** Those whose interval held the truth. */
  readonly held: number;
}

/** Counts the intervals of many seeds against a truth. */
export class CoverageCount {
  private readonly truth: ReadonlyMap<string, number>;
  private readonly exact = new Map<string, number>();
  private readonly counts = new Map<string, { methods: Map<string, number>; told: number; held: number }>();
  /** Intervals whose ends are equal, by figure. */
  private readonly widthless = new Map<string, number>();

  constructor(truth: ReadonlyMap<string, number>) {
    this.truth = truth;
  }

  /** Adds the accuracy of one seed. */
  add(rows: ReadonlyMap<string, FigureAccuracy>): void {
    for (const [name, row] of rows) {
      if (typeof row.exact === 'number') this.exact.set(name, row.exact);
      const truth = row.exact ?? this.truth.get(name);
      if (truth === undefined || row.method === 'none' || row.method === 'tail-mass') continue;
      this.count(name, row.method, row.low !== null || row.high !== null, holds(row, truth));
      if (row.low !== null && row.low === row.high)
        this.widthless.set(name, (this.widthless.get(name) ?? 0) + 1);
    }
  }

  /** Adds one decision: whether there is an interval and whether it holds. */
  count(name: string, method: string, told: boolean, held: boolean): void {
    const count = this.counts.get(name) ?? { methods: new Map<string, number>(), told: 0, held: 0 };
    this.counts.set(name, count);
    if (!told) return;
    count.methods.set(method, (count.methods.get(method) ?? 0) + 1);
    count.told += 1;
    if (held) count.held += 1;
  }

  rows(): CoverageRow[] {
    return (
      [...this.counts]
        // A constant, such as the value of dollars, has no width in any seed.
        .filter(([name, { told }]) => told > (this.widthless.get(name) ?? 0))
        .map(([figure, { methods, told, held }]) => ({
          figure,
          methods: [...methods].sort(([, a], [, b]) => b - a).map(([method]) => method),
          truth: this.exact.get(figure) ?? this.truth.get(figure) ?? Number.NaN,
          exact: this.exact.has(figure),
          told,
          held,
        }))
    );
  }
}

/** An end that the sample cannot give lies beyond everything. */
const holds = ({ low, high }: FigureAccuracy, truth: number): boolean =>
  (low === null || low <= truth) && (high === null || truth <= high);
