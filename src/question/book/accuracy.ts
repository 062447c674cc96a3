/**
 * Accuracy of the figures of a book (docs/methodology.md, "Accuracy").
 *
 * Takes: the figures of every path. Gives: figures under the names of the answer. The event loop runs after each column, which may have
 * a million paths.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import { COLUMNS, ofColumn, placed } from '../../core/figures/book.ts';
import {
  columnAccuracy,
  columnWindowFigures,
  weightedColumnAccuracy,
} from '../../core/figures/book-columns.ts';
import { bookLoanAccuracy } from '../../core/figures/book-loan.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { Asker } from '../../core/turns.ts';
import { accuracyOverWindows } from '../accuracy/windows.ts';

/** The figures of `Book`, and of `Loans` where there are few and their paths are independent. */
export async function bookAccuracy(
  { product, paths, scenarios }: SimulationPlan<BookProduct>,
  outcome: BookOutcome,
  ids: readonly string[],
  level: number,
  asker: Asker,
): Promise<AccuracyFigures> {
  const historical = scenarios.kind === 'historical';
  const { quantiles, steps } = product;
  const { columns, summaries, loans } = outcome;
  const book = {};
  for (const [column, row] of COLUMNS) {
    asker.signal.throwIfAborted();
    const [values, summary] = [columns[column], summaries[column]];
    if (values === undefined || summary === undefined) continue;
    if (historical) {
      // The threads that computed the column share its memory with no other.
      const figures = ofColumn(row, quantiles, columnWindowFigures(Float64Array.from(values), summary));
      Object.assign(book, placed(row, await accuracyOverWindows(figures, paths, steps, level, asker)));
    } else {
      const accuracy =
        columns.weight === undefined
          ? columnAccuracy(quantiles, values, summary, level)
          : weightedColumnAccuracy(values, columns.weight, summary, level);
      Object.assign(book, placed(row, ofColumn(row, quantiles, accuracy)));
    }
    await nextTurn();
  }
  // Large books have no squares of their loans.
  if (historical || loans.squares === undefined) return { Book: book };
  const ofLoans = ids.map((id, k) => [id, bookLoanAccuracy(product, outcome, k, level)]);
  return { Loans: Object.fromEntries(ofLoans), Book: book };
}
