/**
 * A book after a shock of prices at its start: baskets that are worth more or less, and loans that begin called or liquidated.
 *
 * Must not know: plans, how loans are followed.
 */
import { LOAN_START } from '../../core/plan/book-lending.ts';
import { type PriceShock, shockFactor } from '../../request/price-shock.ts';
import { startOf } from '../loan/under-way.ts';
import type { BookColumns } from './columns.ts';

/** The columns after a shock; weights are not normalised. The columns themselves where there is no shock. */
export function shockedColumns(loans: BookColumns, shock: PriceShock | undefined): BookColumns {
  const { symbols, basket, lending } = loans;
  if (shock === undefined) return loans;
  if (lending === undefined) throw new Error('A book with a shock is read with its lending columns.');
  const factors = symbols.map(symbol => shockFactor(shock, symbol));
  const assets = symbols.length;
  const after = (weights: Float64Array) => weights.map((weight, i) => weight * factors[i % assets]);
  const collateralWeights = after(loans.collateralWeights);
  const loanWeights = after(loans.loanWeights);
  const collateralChange = changes(loans.collateralWeights, collateralWeights, assets);
  const loanChange = changes(loans.loanWeights, loanWeights, assets);
  const start = lending.start.map((before, k) => {
    const ccr = (loans.nominalRatio[k] * collateralChange[basket[k]]) / loanChange[basket[k]];
    const ratios = { M: loans.marginCallRatio[k], L: loans.liquidationRatio[k] };
    return LOAN_START[startOf(ccr, ratios, before === LOAN_START.called, 1).status];
  });
  return { ...loans, collateralWeights, loanWeights, lending: { ...lending, start } };
}

/** Of each basket: its value after over its value before. */
function changes(before: Float64Array, after: Float64Array, assets: number): Float64Array {
  const sum = (weights: Float64Array, b: number) =>
    weights.subarray(b * assets, (b + 1) * assets).reduce((all, weight) => all + weight, 0);
  return Float64Array.from({ length: before.length / assets }, (_, b) => sum(after, b) / sum(before, b));
}
