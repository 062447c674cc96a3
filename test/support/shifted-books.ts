/** Random books on paths of which the odd ones are shifted. */
import { spreadOver } from '#src/core/book/by-asset.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { GbmShiftedScenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { randomBook } from './random-books.ts';
import type { randomLendingBook } from './random-lending.ts';

export type ShiftedBook = SimulationPlan<BookProduct> & { readonly scenarios: GbmShiftedScenarios };

/** A random book whose odd paths are shifted. */
export function shiftedBook(
  seed: number,
  paths: number,
  loans: number,
  baskets: number,
  made: typeof randomBook | typeof randomLendingBook = randomBook,
): ShiftedBook {
  const plan = made(seed, paths, { assets: 4, loans, baskets, term: 100 });
  const { product, scenarios } = plan;
  const { loanValue, nominalRatio, steps } = product;
  const collateral = spreadOver(product, product.collateralWeights, 4, k => nominalRatio[k] * loanValue[k]);
  const debt = spreadOver(product, product.loanWeights, 4, k => loanValue[k]);
  return { ...plan, scenarios: shiftedScenarios(scenarios, { collateral, debt }, steps, seed) };
}
