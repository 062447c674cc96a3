/**
 * The record of each path of a range: figures of the whole book.
 */
import { BOOK_COLUMNS, type BookProduct } from '../plan/product/book.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { type BookFollower, pathsOf } from './book-follower.ts';
import { emptySums } from './book-sums.ts';
import { type PreparedBook, prepareBook } from './prepared-book.ts';

/** Writes the records of a range of paths. */
export function recordBook(
  { product, scenarios }: SimulationPlan<BookProduct>,
  range: PathRange,
  records: RecordSink,
  followerOf: (book: PreparedBook) => BookFollower,
): void {
  const book = prepareBook(product, scenarios.assets);
  const sums = emptySums(product.loanValue.length, book.groupTerm.length);
  followerOf(book).follow(pathsOf(range), sums, (i, figures) =>
    records.write(
      range.first + i,
      BOOK_COLUMNS.map(column => figures[column]),
    ),
  );
}
