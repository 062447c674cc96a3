/**
 * Follows a book along paths by their numbers: what the passes over a book ask of an engine.
 *
 * Gives: figures of each path, and sums per loan. Must not know: threads, tails.
 */
import type { BookPathColumns, BookProduct } from '../plan/product/book.ts';
import type { PathRange } from '../plan/records.ts';
import type { AssetPrices } from '../product/paths.ts';
import { type BookEvents, BookPath } from './book-path.ts';
import type { BookSums } from './book-sums.ts';
import type { PreparedBook } from './prepared-book.ts';

/** Figures of one path, USD or counts. */
export type FollowedPath = Readonly<Record<keyof BookPathColumns, number>> & {
  /** Step index at which the peak day begins. */
  readonly peakStart: number;
  /** S_i at a step index. */
  price(asset: number, index: number): number;
};

export interface BookFollower {
  /**
   * Follows all loans along a range of paths.
   *
   * @param sums receives what is added up per loan; all of it is there when this returns
   * @param visit told of each path in order, and may read its figures until it returns
   * @param events told of the losses and sales of a path before it is visited
   */
  follow(
    range: PathRange,
    sums: BookSums,
    visit: (path: number, figures: FollowedPath) => void,
    events?: BookEvents,
  ): void;
}

/** Any prices in double precision, followed loan by loan. */
export class PricedBook implements BookFollower {
  private readonly book: BookPath;
  private readonly prices: AssetPrices;

  constructor(product: BookProduct, book: PreparedBook, assets: number, prices: AssetPrices) {
    this.book = new BookPath(product, book, assets);
    this.prices = prices;
  }

  follow(...[range, sums, visit, events]: Parameters<BookFollower['follow']>): void {
    const { book, prices } = this;
    for (let p = range.first; p < range.first + range.count; p++) {
      prices.simulate(p, book.path.prices);
      book.follow(sums, events);
      visit(p, book);
    }
  }
}
