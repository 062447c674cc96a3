/** The interface between the passes over a book and an engine: it follows a book along paths on one thread. */
import type { BookPathColumns, BookProduct } from '../plan/product/book.ts';
import type { PathRange } from '../plan/records.ts';
import type { AssetPrices } from '../product/paths.ts';
import { BookPath } from './book-path.ts';
import type { BookSums } from './book-sums.ts';
import type { BookEvents } from './path-bookings.ts';
import type { PreparedBook } from './prepared-book.ts';

/** Figures of one path, USD or counts. */
export type PathFigures = { readonly [C in keyof Required<BookPathColumns>]: number } & {
  /** Step index at which the peak day begins. */
  readonly peakStart: number;
};

export interface PathList {
  readonly count: number;
  at(i: number): number;
}

export const pathsOf = ({ first, count }: PathRange): PathList => ({ count, at: i => first + i });

export interface BookFollower {
  /** Begins to add up paths. @param sums complete after `finish` */
  begin(sums: BookSums): void;
  /**
   * Follows all loans along some paths, at the least cost where they are consecutive.
   *
   * @param visit receives each path in order, by its place in the list; figures and prices S_i are valid until it
   *    returns
   * @param eventsOf returns the receiver of the losses and sales of a path, which precede its visit
   */
  follow(
    paths: PathList,
    visit: (i: number, figures: PathFigures, price: (asset: number, index: number) => number) => void,
    eventsOf?: (i: number) => BookEvents,
  ): void;
  /** Adds what the engine has of its own to the sums. */
  finish(): void;
}

/** Follows some paths and adds them to the sums; parameters as those of `BookFollower.follow`. */
export function followPaths(
  follower: BookFollower,
  sums: BookSums,
  ...paths: Parameters<BookFollower['follow']>
): void {
  follower.begin(sums);
  follower.follow(...paths);
  follower.finish();
}

/** A book on prices in double precision, followed loan by loan. */
export class PricedBook implements BookFollower {
  private readonly book: BookPath;
  private sums!: BookSums;

  /** @param seed of the plan, for the draws of answers */
  constructor(
    product: BookProduct,
    book: PreparedBook,
    assets: number,
    private readonly prices: AssetPrices,
    seed = 0,
  ) {
    this.book = new BookPath(product, book, assets, seed);
  }

  begin(sums: BookSums): void {
    this.sums = sums;
    this.book.begin(sums);
  }

  follow(...[paths, visit, eventsOf]: Parameters<BookFollower['follow']>): void {
    const { book, prices, sums } = this;
    const price = (asset: number, index: number) => book.path.prices[asset][index];
    for (let i = 0; i < paths.count; i++) {
      prices.simulate(paths.at(i), book.path.prices);
      book.weight = prices.weight ?? 1;
      book.follow(paths.at(i), sums, eventsOf?.(i));
      visit(i, book, price);
    }
  }

  finish(): void {
    this.book.finish(this.sums);
  }
}
