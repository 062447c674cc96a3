/** Amounts of loans, distributed over the assets of their baskets. */
import type { BookProduct } from '../plan/product/book.ts';

/** Per asset: the sum over loans of `amountOf(loan)` times the weight of the asset in its collateral. */
export const spreadOverCollateral = (
  product: BookProduct,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array => spreadOver(product, product.collateralWeights, assets, amountOf);

/** The same by the weights of one side of the baskets. */
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
