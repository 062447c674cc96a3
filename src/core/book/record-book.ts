/**
 * The record of each path of a range: figures of the whole book.
 */
import { BOOK_COLUMNS, type BookProduct } from '../plan/product/book.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import type { AssetPrices } from '../product/paths.ts';
import { BookPath } from './book-path.ts';
import { emptySums } from './book-sums.ts';
import { prepareBook } from './prepared-book.ts';

/** Writes the records of a range of paths. */
export function recordBook(
  { product, scenarios }: SimulationPlan<BookProduct>,
  range: PathRange,
  records: RecordSink,
  prices: AssetPrices,
): void {
  const book = prepareBook(product, scenarios.assets);
  const follower = new BookPath(product, book, scenarios.assets);
  const sums = emptySums(product.loanValue.length, book.groupTerm.length);
  for (let p = range.first; p < range.first + range.count; p++) {
    prices.simulate(p, follower.path.prices);
    follower.follow(sums);
    records.write(
      p,
      BOOK_COLUMNS.map(column => follower[column]),
    );
  }
}
