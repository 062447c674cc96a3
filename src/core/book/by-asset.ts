/** Amounts of loans, distributed over the assets of their baskets. */
import { type BookProduct, basketValues } from '../plan/product/book.ts';

/** Per asset: the sum over loans of `amountOf(loan)` times the weight of the asset in its collateral. */
export const spreadOverCollateral = (
  product: BookProduct,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array => spreadOver(product, product.collateralWeights, assets, amountOf);

/**
 * Per asset: the sum over loans of `amountOf(loan)` times the share of the asset in the value of its collateral. The sum over assets is
 * that over loans, also after a shock, which leaves weights that do not sum to 1.
 */
export function splitOverCollateral(
  product: BookProduct,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array {
  const values = basketValues(product.collateralWeights, assets);
  const shares = product.collateralWeights.map((weight, i) => weight / values[Math.floor(i / assets)]);
  return spreadOver(product, shares, assets, amountOf);
}

/** Per asset: the sum over loans of `amountOf(loan)` times the weight of the asset in one side of its baskets. */
export function spreadOver(
  { basket }: Pick<BookProduct, 'basket'>,
  weights: Float64Array,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array {
  const byBasket = new Float64Array(weights.length / assets);
  basket.forEach((b, k) => {
    byBasket[b] += amountOf(k);
  });
  const byAsset = new Float64Array(assets);
  for (let i = 0; i < weights.length; i++)
    byAsset[i % assets] += byBasket[Math.floor(i / assets)] * weights[i];
  return byAsset;
}
