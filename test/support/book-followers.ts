/** What follows a book on each engine with threads, and one path of it alone. */
import { type BookFollower, followPaths, pathsOf } from '#src/core/book/book-follower.js';
import { loanSums, sumsOfProduct } from '#src/core/book/book-sums.js';
import type { PreparedBook } from '#src/core/book/prepared-book.js';
import { columnsOfBook } from '#src/core/plan/product/book.js';
import { referenceBook } from '#src/core/reference/book.js';
import { SimdBook } from '#src/core/simd/book.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import type { BookPlan } from './book-parity.ts';
import type { CpuTestEngine } from './engines.ts';

/** One kernel: it has one plan at a time. */
export const kernel = loadKernel();

export const FOLLOWERS: Readonly<
  Record<CpuTestEngine['name'], (plan: BookPlan, book: PreparedBook) => BookFollower>
> = {
  reference: referenceBook,
  simd: (plan, book) => new SimdBook(kernel, plan, book),
};

/** Sums of one path in the order in which a book is prepared, the same per loan, and the figures of the path. */
export function pathOf(
  { product }: BookPlan,
  book: PreparedBook,
  follower: BookFollower,
  path: number,
  eventsOf?: Parameters<BookFollower['follow']>[2],
) {
  const sums = sumsOfProduct(product, book.groupTerm.length);
  const columns: Record<string, number> = {};
  followPaths(
    follower,
    sums,
    pathsOf({ first: path, count: 1 }),
    (_, figures) => {
      for (const column of columnsOfBook(product)) columns[column] = figures[column];
    },
    eventsOf,
  );
  return { sums, loans: loanSums(sums, product, book), columns };
}
