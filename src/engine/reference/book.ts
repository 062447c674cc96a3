/** Books along the paths of the reference. */
import { type BookFollower, PricedBook } from '../../core/book/book-follower.ts';
import type { PreparedBook } from '../../core/book/prepared-book.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { referenceModel } from './models.ts';

/** Follows a book in double precision, under any model. */
export function referenceBook(plan: SimulationPlan<BookProduct>, book: PreparedBook): BookFollower {
  const { product, scenarios, seed } = plan;
  const prices = referenceModel(plan).prices(plan, product.steps);
  return new PricedBook(product, book, scenarios.assets, prices, seed);
}
