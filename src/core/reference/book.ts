/** The book engine of the processor (core/book) on the prices of the reference. */
import { type BookFollower, PricedBook } from '../book/book-follower.ts';
import type { PreparedBook } from '../book/prepared-book.ts';
import { isWeighted } from '../book/sum-sets.ts';
import type { BookProduct } from '../plan/product/book.ts';
import { type DrawMemory, StoredDraws } from '../plan/shared-draws.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import type { AssetPrices } from '../product/paths.ts';
import { referenceModel } from './models.ts';

/** Follows a book in double precision, under any model. */
export function referenceBook(
  plan: SimulationPlan<BookProduct>,
  book: PreparedBook,
  draws?: DrawMemory,
): BookFollower {
  const { product, scenarios, seed } = plan;
  const prices = referenceModel(plan).prices(plan, product.steps);
  return new PricedBook(
    product,
    book,
    scenarios.assets,
    draws === undefined || isWeighted(plan) ? prices : new StoredPrices(prices, draws, plan),
    seed,
  );
}

/** Prices shared with other runs. */
class StoredPrices implements AssetPrices {
  private readonly stored: StoredDraws;

  constructor(
    private readonly prices: AssetPrices,
    draws: DrawMemory,
    { product, scenarios }: SimulationPlan<BookProduct>,
  ) {
    this.stored = new StoredDraws(
      draws,
      1,
      Float64Array.BYTES_PER_ELEMENT * product.steps * scenarios.assets,
    );
  }

  simulate(path: number, prices: readonly Float64Array[]): void {
    if (this.stored.read(path, prices)) return;
    this.prices.simulate(path, prices);
    this.stored.write(path, prices);
  }
}
