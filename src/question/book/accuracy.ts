/**
 * Accuracy of the figures of a book (docs/methodology.md, "Accuracy").
 *
 * Takes: the figures of every path. Gives: figures under the names of the answer. The event loop runs after each column, which may have
 * a million paths.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccuracyFigures, FigureAccuracy } from '../../core/figures/accuracy.ts';
import {
  BOOK_COLUMNS,
  type BookColumn,
  COLUMNS,
  type ColumnFigures,
  ofColumn,
  placed,
} from '../../core/figures/book.ts';
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
import type { BookCreditFigures } from './credit.ts';
import { type BookWaterfall, waterfallRows } from './waterfall.ts';

/** The figures of `Book` with those of its waterfall, if any, and of `Loans` where there are few and their paths are independent. */
export async function bookAccuracy(
  plan: SimulationPlan<BookProduct>,
  outcome: BookOutcome,
  ids: readonly string[],
  level: number,
  asker: Asker,
  waterfall?: BookWaterfall,
  credit?: Pick<BookCreditFigures, 'accuracyOf'>,
): Promise<AccuracyFigures> {
  const { product, scenarios } = plan;
  const { loans } = outcome;
  const book = {};
  for (const [column] of COLUMNS) Object.assign(book, await columnRows(column, plan, outcome, level, asker));
  if (waterfall !== undefined)
    Object.assign(book, await waterfallRows(waterfall, plan, outcome, book, level, asker));
  // Large books have no squares of their loans.
  if (scenarios.kind === 'historical' || loans.squares === undefined) return { Book: book };
  const ofLoans = ids.map((id, k) => [
    id,
    {
      ...bookLoanAccuracy(product, outcome, k, level),
      ...(credit && { Credit: credit.accuracyOf(k, level) }),
    },
  ]);
  return { Loans: Object.fromEntries(ofLoans), Book: book };
}

/** The figures of one column, at their places in `Book`; none where the book has no such column. */
export async function columnRows(
  column: BookColumn,
  { product, paths, scenarios }: SimulationPlan<BookProduct>,
  { columns, summaries }: BookOutcome,
  level: number,
  asker: Asker,
): Promise<AccuracyFigures> {
  const { quantiles, steps } = product;
  const row: ColumnFigures = BOOK_COLUMNS[column];
  asker.signal.throwIfAborted();
  const [values, summary] = [columns[column], summaries[column]];
  if (values === undefined || summary === undefined) return {};
  await nextTurn();
  if (scenarios.kind === 'historical') {
    // The threads that computed the column share its memory with no other.
    const figures = ofColumn(row, quantiles, columnWindowFigures(Float64Array.from(values), summary));
    const judged = await accuracyOverWindows(figures, paths, steps, level, asker);
    // Accuracies by the names of the figures.
    return placed(row, judged as unknown as Record<string, FigureAccuracy>);
  }
  const accuracy =
    columns.weight === undefined
      ? columnAccuracy(quantiles, values, summary, level)
      : weightedColumnAccuracy(values, columns.weight, summary, level);
  return placed(row, ofColumn(row, quantiles, accuracy));
}
