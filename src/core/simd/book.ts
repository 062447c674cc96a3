/**
 * Books by the kernel, twin of BookPath: it draws the prices and follows the loans with baskets of their own. BookPath follows the loans that
 * share baskets and term.
 */
import type { BookFollower } from '../book/book-follower.ts';
import { BookPath, hasGroupsBeside } from '../book/book-path.ts';
import { type BookSums, LENDING_COLUMNS, SQUARE_COLUMNS, SUM_COLUMNS } from '../book/book-sums.ts';
import { CREDIT_COLUMNS, CREDIT_SETS, CREDIT_SQUARES, type CreditSums } from '../book/credit-columns.ts';
import type { BookEvents } from '../book/path-bookings.ts';
import type { PreparedBook, SingleLoanGroups } from '../book/prepared-book.ts';
import type { BookProduct } from '../plan/product/book.ts';
import type { DrawMemory } from '../plan/shared-draws.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { type BookMemory, writeBook } from './book-memory.ts';
import type { Kernel } from './kernel.ts';
import { PacketPrices } from './packet-prices.ts';

/** Places of the figures of a path: kernel/book-bookings.ts. */
const LOSS = 0;
const UNSOLD = 1;
const CALLED = 2;
const FORCED = 3;
const TOPPED_UP = 4;
/** Kinds of events. */
const IS_LOSS = 0;

/** Groups of a book for the kernel: loans with rules of their own are followed one by one. */
export const SIMD_GROUPS: SingleLoanGroups = 'apart';

/** Follows a book along the prices of the kernel; the book stays in its memory until another plan is written. */
export class SimdBook implements BookFollower {
  private readonly prices: PacketPrices;
  private readonly memory: BookMemory;
  private readonly path: BookPath;
  private readonly hasGroups: boolean;
  private readonly steps: number;
  private sums!: BookSums;
  /** Whether the kernel has no column that is wanted: it draws the prices alone. */
  private readonly drawsOnly: boolean;

  constructor(
    private readonly kernel: Kernel,
    { seed, scenarios, product }: SimulationPlan<BookProduct>,
    book: PreparedBook,
    draws?: DrawMemory,
  ) {
    this.steps = product.steps;
    this.drawsOnly = product.excessSpread !== undefined;
    this.hasGroups = hasGroupsBeside(book);
    this.path = new BookPath(product, book, scenarios.assets, seed);
    this.prices = new PacketPrices(kernel, scenarios, seed, product.steps, draws);
    this.memory = writeBook(kernel, product, book, scenarios.assets, seed, this.prices.end);
  }

  begin(sums: BookSums): void {
    this.sums = sums;
    if (this.drawsOnly) this.path.begin(sums);
    else this.memory.begin(sums.worstRatio);
  }

  follow(...[paths, visit, eventsOf]: Parameters<BookFollower['follow']>): void {
    if (this.drawsOnly) {
      this.followPrices(paths, visit, eventsOf);
      return;
    }
    const { memory, prices, path, sums } = this;
    for (let i = 0; i < paths.count; ) {
      const first = prices.moveTo(paths.at(i));
      // With events, one path at a time; otherwise the rest of the packet is followed at once.
      let lanes = 1;
      while (
        eventsOf === undefined &&
        first + lanes < this.kernel.lanes &&
        i + lanes < paths.count &&
        paths.at(i + lanes) === paths.at(i) + lanes
      )
        lanes += 1;
      const events = eventsOf?.(i);
      const onEvents = events && ((bytes: number) => this.emit(bytes, events));
      memory.follow(paths.at(i) - first, ((1 << lanes) - 1) << first, onEvents);
      for (let lane = first; lane < first + lanes; lane++, i++) {
        const alone = this.figures(lane);
        if (this.hasGroups) prices.copyTo(lane, path.path.prices);
        path.weight = prices.weightOf(lane);
        path.followBeside(paths.at(i), alone, sums, events);
        visit(i, path, (asset, index) => prices.price(lane, asset, index));
      }
    }
  }

  finish(): void {
    this.path.finish(this.sums);
    if (!this.drawsOnly) this.collect(this.sums);
  }

  /** Follows all loans on the prices of the kernel. */
  private followPrices(...[paths, visit, eventsOf]: Parameters<BookFollower['follow']>): void {
    const { prices, path, sums } = this;
    for (let i = 0; i < paths.count; i++) {
      const lane = prices.moveTo(paths.at(i));
      prices.copyTo(lane, path.path.prices);
      path.weight = prices.weightOf(lane);
      path.follow(paths.at(i), sums, eventsOf?.(i));
      visit(i, path, (asset, index) => prices.price(lane, asset, index));
    }
  }

  /** Results of the kernel on a path. */
  private figures(lane: number) {
    const { memory, kernel, steps } = this;
    const { doubles } = kernel;
    const at = memory.figuresOf(lane);
    const sold = memory.soldOf(lane);
    return {
      loss: doubles[at + LOSS],
      unsold: doubles[at + UNSOLD],
      calledLoans: doubles[at + CALLED],
      forcedSales: doubles[at + FORCED],
      toppedUp: doubles[at + TOPPED_UP],
      soldAt: doubles.subarray(sold, sold + steps),
    };
  }

  private emit(bytes: number, events: BookEvents): void {
    const { kernel, memory } = this;
    for (let at = memory.events; at < memory.events + bytes; at += memory.eventBytes) {
      const place = memory.places[kernel.integers[at / 4]];
      const value = kernel.doubles[at / 8 + 1];
      if (kernel.integers[at / 4 + 1] === IS_LOSS) events.loss(place, value);
      else events.sale(place, place + 1, value, kernel.doubles[at / 8 + 2]);
    }
  }

  /** Adds the kernel's sums to the caller's. */
  private collect(sums: BookSums): void {
    const { memory, kernel } = this;
    const { doubles } = kernel;
    // Loan by loan: their sums are far apart in the kernel's memory.
    const columns = SUM_COLUMNS.map(column => sums[column]);
    for (let i = 0; i < memory.places.length; i++) {
      const place = memory.places[i];
      const from = memory.sumsOf(i);
      for (let c = 0; c < columns.length; c++) columns[c][place] += doubles[from + c];
    }
    const { squaresOf } = memory;
    const { squares } = sums;
    if (squaresOf !== undefined && squares !== undefined)
      SQUARE_COLUMNS.forEach((column, c) => {
        const to = squares[column];
        for (let i = 0; i < memory.places.length; i++) to[memory.places[i]] += doubles[squaresOf(i) + c];
      });
    const { lending } = sums;
    if (lending !== undefined)
      LENDING_COLUMNS.forEach((column, c) => {
        const to = lending[column];
        for (let i = 0; i < memory.places.length; i++) {
          const from = memory.rulesSumsOf(i);
          if (from !== undefined) to[memory.places[i]] += doubles[from + c];
        }
      });
    if (sums.credit !== undefined) this.collectCredit(sums.credit);
    for (let i = 0; i < memory.places.length; i++)
      sums.worstRatio[memory.groups[i]] = doubles[memory.worstOf(i)];
  }

  private collectCredit(sums: CreditSums): void {
    const { memory, kernel } = this;
    const { doubles } = kernel;
    const { creditOf } = memory;
    if (creditOf === undefined) return;
    for (const set of CREDIT_SETS) {
      const { squares } = sums[set];
      const columns = [
        ...CREDIT_COLUMNS.map(name => sums[set][name]),
        ...(squares === undefined ? [] : CREDIT_SQUARES.map(name => squares[name])),
      ];
      for (let i = 0; i < memory.places.length; i++) {
        const from = creditOf(i, set);
        for (let c = 0; c < columns.length; c++) columns[c][memory.places[i]] += doubles[from + c];
      }
    }
  }
}
