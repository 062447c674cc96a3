/**
 * The record of each path of a range: figures of the whole book.
 */
import { type BookProduct, columnsOfBook } from '../plan/product/book.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { type BookFollower, pathsOf } from './book-follower.ts';
import { emptySums } from './book-sums.ts';
import { type PreparedBook, prepareBook, type SingleLoanGroups } from './prepared-book.ts';

/** Writes the records of a range of paths. @param singles what the engine wants of `prepareBook` */
export function recordBook(
  { product, scenarios }: SimulationPlan<BookProduct>,
  range: PathRange,
  records: RecordSink,
  followerOf: (book: PreparedBook) => BookFollower,
  singles?: SingleLoanGroups,
): void {
  const book = prepareBook(product, scenarios.assets, singles);
  const columns = columnsOfBook(product);
  const sums = emptySums(product.loanValue.length, book.groupTerm.length, product.lending !== undefined);
  followerOf(book).follow(pathsOf(range), sums, (i, figures) =>
    records.write(
      range.first + i,
      columns.map(column => figures[column]),
    ),
  );
}
