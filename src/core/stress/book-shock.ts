/** A book after an immediate change of all prices at step 0: loans may then begin called or liquidated. */
import { type BookLending, isByAsset, LOAN_START } from '../plan/book-lending.ts';
import { statusAtStart } from '../plan/loan-terms.ts';
import { type BookProduct, basketValues } from '../plan/product/book.ts';

/**
 * The product after a shock; weights are not normalised.
 *
 * @param factors per asset: price after the shock over the price before
 * @throws Error where the product has no lending terms, which contain the state of a loan at the start
 */
export function shockBook(product: BookProduct, factors: readonly number[]): BookProduct {
  const lending = lendingOf(product);
  const { basket } = product;
  const assets = factors.length;
  const after = (weights: Float64Array) => weights.map((weight, i) => weight * factors[i % assets]);
  const collateralWeights = after(product.collateralWeights);
  const loanWeights = after(product.loanWeights);
  const changeOf = (before: Float64Array, now: Float64Array) => {
    const valueBefore = basketValues(before, assets);
    return basketValues(now, assets).map((value, b) => value / valueBefore[b]);
  };
  const collateralChange = changeOf(product.collateralWeights, collateralWeights);
  const loanChange = changeOf(product.loanWeights, loanWeights);
  const liquidationWeights = product.liquidationWeights && after(product.liquidationWeights);
  const collateralNow = basketValues(collateralWeights, assets);
  const secured = liquidationWeights && basketValues(liquidationWeights, assets);
  const start = lending.start.map((before, k) => {
    const b = basket[k];
    const ccr = (product.nominalRatio[k] * collateralChange[b]) / loanChange[b];
    const L =
      secured !== undefined && isByAsset(lending, k)
        ? collateralNow[b] / secured[b]
        : product.liquidationRatio[k];
    const ratios = { M: product.marginCallRatio[k], L };
    return LOAN_START[statusAtStart(ccr, ratios, before === LOAN_START.called)];
  });
  return {
    ...product,
    collateralWeights,
    loanWeights,
    ...(liquidationWeights && { liquidationWeights }),
    lending: { ...lending, start },
  };
}

/** @throws Error where there are none */
export function lendingOf({ lending }: Pick<BookProduct, 'lending'>): BookLending {
  if (lending === undefined) throw new Error('A book that is shocked or replayed has its lending terms.');
  return lending;
}
