/**
 * Amounts of loans, spread over the assets of their collateral.
 */
import type { BookProduct } from '../plan/product/book.ts';

/** Per asset: the sum over loans of `amountOf(loan)` times the weight of the asset in its collateral. */
export function spreadOverCollateral(
  { basket, collateralWeights }: BookProduct,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array {
  const byBasket = new Float64Array(collateralWeights.length / assets);
  basket.forEach((b, k) => {
    byBasket[b] += amountOf(k);
  });
  const byAsset = new Float64Array(assets);
  for (let i = 0; i < collateralWeights.length; i++)
    byAsset[i % assets] += byBasket[Math.floor(i / assets)] * collateralWeights[i];
  return byAsset;
}
