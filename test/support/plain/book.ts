/**
 * A book of loans, written down sentence by sentence: one loan after another, every step, nothing shared.
 */
import type { BookProduct } from '#src/core/plan/product/book.js';
import { plainLoan } from './loans.ts';

export interface PlainBookLoan {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  readonly underwater: boolean;
  readonly endStep: number;
  readonly worstCcr: number;
  /** max(0, 1 - CCR_T). */
  readonly unsoldFraction: number;
  /** USD. */
  readonly unsold: number;
  readonly loss: number;
  /** Undefined where nothing was sold. */
  readonly sale:
    | { readonly step: number; readonly usd: number; readonly byAsset: readonly number[] }
    | undefined;
}

export interface PlainBookPath {
  readonly loans: readonly PlainBookLoan[];
  readonly loss: number;
  readonly unsold: number;
  readonly calledLoans: number;
  readonly forcedSales: number;
  readonly sold: number;
  readonly peakDay: number;
  readonly peakByAsset: readonly number[];
}

/** @param prices prices[t][i] for t = 0..steps, prices[0][i] = 1 */
export function plainBookPath(product: BookProduct, prices: readonly (readonly number[])[]): PlainBookPath {
  const n = prices[0].length;
  const loans = [...product.loanValue.keys()].map((k): PlainBookLoan => {
    const row = (weights: Float64Array) => [
      ...weights.subarray(product.basket[k] * n, (product.basket[k] + 1) * n),
    ];
    const collateralWeights = row(product.collateralWeights);
    const loanWeights = row(product.loanWeights);
    const basket = (weights: readonly number[], t: number) =>
      weights.reduce((sum, weight, i) => (weight === 0 ? sum : sum + weight * prices[t][i]), 0);
    const term = product.termSteps[k];
    const collateral = Array.from({ length: term + 1 }, (_, t) => basket(collateralWeights, t));
    const debt = Array.from({ length: term + 1 }, (_, t) => basket(loanWeights, t));
    const terms = {
      N: product.nominalRatio[k],
      M: product.marginCallRatio[k],
      L: product.liquidationRatio[k],
      R: product.recoveryRatio[k],
      topUpSteps: product.topUpSteps[k],
    };
    const end = plainLoan(terms, collateral, debt);
    const value = product.loanValue[k];
    const afterCost = 1 - product.saleCost;
    const unsoldFraction = end.loss;
    let loss = 0;
    let sale: PlainBookLoan['sale'];
    if (end.liquidation || end.closeout) {
      const step = end.endStep + product.saleDelaySteps;
      const byAsset = collateralWeights.map((weight, i) => terms.N * value * weight * prices[step][i]);
      const usd = byAsset.reduce((sum, each) => sum + each, 0);
      sale = { step, usd, byAsset };
      loss = Math.max(0, value * basket(loanWeights, step) - afterCost * usd);
    } else if (unsoldFraction > 0) {
      loss = Math.max(0, value * debt[term] - afterCost * terms.N * value * collateral[term]);
    }
    return { ...end, unsoldFraction, unsold: value * debt[term] * unsoldFraction, loss, sale };
  });
  const total = (pick: (loan: PlainBookLoan) => number) => loans.reduce((sum, loan) => sum + pick(loan), 0);
  const steps = product.steps;
  const width = Math.min(product.daySteps, steps);
  let peakDay = 0;
  let peakByAsset: number[] = new Array<number>(n).fill(0);
  for (let first = 1; first + width - 1 <= steps; first++) {
    const sales = loans.flatMap(({ sale }) =>
      sale !== undefined && sale.step >= first && sale.step < first + width ? [sale] : [],
    );
    const sum = sales.reduce((usd, sale) => usd + sale.usd, 0);
    // Amounts are compared as the program rounds them: a later window of the same sales is no larger.
    if (sum > peakDay * (1 + 1e-12)) {
      peakDay = sum;
      peakByAsset = peakByAsset.map((_, i) => sales.reduce((usd, { byAsset }) => usd + byAsset[i], 0));
    }
  }
  return {
    loans,
    loss: total(({ loss }) => loss),
    unsold: total(({ unsold }) => unsold),
    calledLoans: total(({ marginCall }) => Number(marginCall)),
    forcedSales: total(({ sale }) => Number(sale !== undefined)),
    sold: total(({ sale }) => sale?.usd ?? 0),
    peakDay,
    peakByAsset,
  };
}
