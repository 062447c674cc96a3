/** Books along the prices of the kernel. */
import { type BookFollower, PricedBook } from '../book/book-follower.ts';
import type { PreparedBook } from '../book/prepared-book.ts';
import type { BookProduct } from '../plan/product/book.ts';
import type { GbmScenarios, SimulationPlan } from '../plan/simulation-plan.ts';
import type { Kernel } from './kernel.ts';
import { PacketPrices } from './packet-prices.ts';

/** Follows a book along prices in single precision, by the rules and in the arithmetic of the reference. */
export function simdBook(
  kernel: Kernel,
  { seed, scenarios, product }: SimulationPlan<BookProduct> & { readonly scenarios: GbmScenarios },
  book: PreparedBook,
): BookFollower {
  const prices = new PacketPrices(kernel, scenarios, seed, product.steps);
  return new PricedBook(product, book, scenarios.assets, prices);
}
