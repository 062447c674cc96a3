/** Amounts of loans, distributed over the assets of their baskets. */
import { type BookProduct, basketValues } from '../plan/product/book.ts';

/** Per asset: the sum over loans of `amountOf(loan)` times the weight of the asset in its collateral. */
export const spreadOverCollateral = (
  product: BookProduct,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array => spreadOver(product, product.collateralWeights, assets, amountOf);

/**
 * Per asset: the sum over loans of `amountOf(loan)` times the asset's share of the collateral value. The sum over assets is
 * that over loans, also after a shock, which leaves weights that do not sum to 1.
 */
export function splitOverCollateral(
  product: BookProduct,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array {
  const values = basketValues(product.collateralWeights, assets);
  const shares = new Float64Array(product.collateralWeights.length);
  for (let b = 0, i = 0; b < values.length; b++)
    for (const end = i + assets; i < end; i++) shares[i] = product.collateralWeights[i] / values[b];
  return spreadOver(product, shares, assets, amountOf);
}

/** Per asset: the sum over loans of `amountOf(loan)` times the asset's weight in one side of the basket. */
export function spreadOver(
  { basket }: Pick<BookProduct, 'basket'>,
  weights: Float64Array,
  assets: number,
  amountOf: (loan: number) => number,
): Float64Array {
  const byBasket = new Float64Array(weights.length / assets);
  for (let k = 0; k < basket.length; k++) byBasket[basket[k]] += amountOf(k);
  const byAsset = new Float64Array(assets);
  for (let b = 0; b < byBasket.length; b++)
    for (let a = 0; a < assets; a++) byAsset[a] += byBasket[b] * weights[b * assets + a];
  return byAsset;
}
