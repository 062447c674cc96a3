/** Plans of every product that is done in parts, small enough for a test and cut into several chunks. */
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import { PRODUCTS, type Product } from '#src/core/plan/products.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';

const ASSETS = 3;

const gbm = {
  kind: 'gbm',
  assets: ASSETS,
  annualVolatility: Float64Array.of(1.2, 0.9, 0.02),
  factor: Float64Array.of(1.2, 0, 0, 0.45, Math.sqrt(0.9 ** 2 - 0.45 ** 2), 0, 0, 0, 0.02),
} as const;

/** Loans of two baskets, some of them fragile. */
export function fleetBook(loans: number): BookProduct {
  return {
    kind: 'book',
    steps: 120 + 24,
    saleDelaySteps: 24,
    saleCost: 0.02,
    daySteps: 24,
    quantiles: Float64Array.of(0.9, 0.99),
    collateralWeights: Float64Array.of(1, 0, 0, 0.4, 0.6, 0),
    loanWeights: Float64Array.of(0, 0, 1, 0, 0, 1),
    basket: Uint32Array.from({ length: loans }, (_, k) => k % 2),
    termSteps: Uint32Array.from({ length: loans }, (_, k) => (k % 3 === 0 ? 120 : 60)),
    topUpSteps: Uint32Array.from({ length: loans }, (_, k) => 12 * (k % 3)),
    loanValue: Float64Array.from({ length: loans }, (_, k) => 1000 * (k + 1)),
    nominalRatio: Float64Array.from({ length: loans }, (_, k) => 1.25 + k / loans),
    marginCallRatio: Float64Array.from({ length: loans }, () => 1.2),
    liquidationRatio: Float64Array.from({ length: loans }, () => 1.05),
    recoveryRatio: Float64Array.from({ length: loans }, () => 1.3),
  };
}

/** A plan of three assets, or of one for a perpetual. */
export function fleetPlan(kind: ProductKind, paths: number, seed = 7): SimulationPlan {
  if (kind === 'perpetual')
    return {
      seed,
      paths,
      scenarios: {
        kind: 'gbm',
        assets: 1,
        annualVolatility: Float64Array.of(0.8),
        factor: Float64Array.of(0.8),
      },
      product: PRODUCTS.perpetual.usual.terms(1)[0],
    };
  const product: Product =
    kind === 'book' ? fleetBook(40) : (PRODUCTS[kind].usual.terms(ASSETS)[0] as Product);
  return { seed, paths, scenarios: gbm, product };
}
