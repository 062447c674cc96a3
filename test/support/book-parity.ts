/** Books on one engine against another, path by path: a loan with another course is within rounding of a threshold. */

import { expect } from 'vitest';
import type { PathRecords } from '#src/core/engine.js';
import { isByAsset } from '#src/core/plan/book-lending.js';
import { BOOK_COLUMNS, type BookOutcome, type BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { BookLoanOnPath } from '#src/core/rules/book.js';
import { basketOf, pricesOnPath } from '#src/core/rules/models.js';
import { logRatioTolerance, nearestRatio } from './parity.ts';

export type BookPlan = SimulationPlan<BookProduct>;

export const BOOK_AMOUNTS = ['loss', 'unsold', 'sold', 'peakDay'] as const;
export const BOOK_COUNTS = ['calledLoans', 'forcedSales'] as const;

export const loanNumbers = ({ loanValue }: Pick<BookProduct, 'loanValue'>) => [...loanValue.keys()];
export const totalOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/**
 * How near ln(C/L) of loan `k` comes to one of its thresholds.
 * @param prices of `pricesOnPath`
 */
export function nearestBookThreshold(
  { product, scenarios: { assets } }: BookPlan,
  prices: readonly (readonly number[])[],
  k: number,
): number {
  const row = product.basket[k] * assets;
  const term = prices.slice(1, product.termSteps[k] + 1);
  const side = (weights: Float64Array) => basketOf(weights.subarray(row, row + assets), term);
  const debt = side(product.loanWeights);
  const toDebt = (weights: Float64Array) =>
    side(weights).map((c, t) => product.nominalRatio[k] * (c / debt[t]));
  const { collateralWeights, liquidationWeights, lending } = product;
  const health = liquidationWeights && isByAsset(lending, k) ? toDebt(liquidationWeights) : [];
  const ratios = toDebt(collateralWeights);
  return Math.min(nearestRatio(ratios, [...thresholdsOf(product, k), 1]), nearestRatio(health, [1]));
}

/** M, L and R of loan `k`. */
const thresholdsOf = (product: BookProduct, k: number): number[] =>
  [product.marginCallRatio, product.liquidationRatio, product.recoveryRatio].map(column => column[k]);

/** How near the ratios of loan `k` come to a threshold where the rules decide on it. */
export const nearestOfLoan = (product: BookProduct, { ccr, health }: BookLoanOnPath, k: number): number =>
  Math.min(nearestRatio(ccr, thresholdsOf(product, k)), nearestRatio(health, [1]));

/** Compares every path. @returns the number of paths on which a loan has another course, each explained by rounding */
export function expectSameBookPaths(
  plan: BookPlan,
  got: PathRecords,
  wanted: PathRecords,
  told: string,
): number {
  const { product, paths } = plan;
  const rounding = logRatioTolerance(1, product.steps);
  // Debt and collateral of every loan carry the error of a price; there are up to three times the loan value of both.
  const bound = 4 * rounding * totalOf(product.loanValue);
  let differing = 0;
  for (let p = 0; p < paths; p++) {
    const counts = BOOK_COUNTS.map(name => Math.abs(got[name][p] - wanted[name][p]));
    const amounts = BOOK_AMOUNTS.map(name => Math.abs(got[name][p] - wanted[name][p]));
    if (Math.max(...counts) === 0 && Math.max(...amounts) <= bound) continue;
    differing++;
    const prices = pricesOnPath(plan, p, product.steps);
    const near = loanNumbers(product).filter(k => nearestBookThreshold(plan, prices, k) < rounding);
    const explained = near.reduce((sum, k) => sum + product.loanValue[k], 0);
    const inputs = `path ${p}, counts ${counts}, amounts ${amounts}, near ${near}; ${told}`;
    expect(Math.max(...counts), inputs).toBeLessThanOrEqual(near.length);
    expect(Math.max(...amounts), inputs).toBeLessThanOrEqual(bound + 4 * explained);
  }
  return differing;
}

/** Mean, quantiles and means of the tails of every column within 1e-4 of all loans, the means within `ofMeans`. */
export function expectSummaries(
  got: BookOutcome,
  wanted: BookOutcome,
  { product }: BookPlan,
  ofMeans = 1e-4,
): void {
  for (const name of BOOK_COLUMNS) {
    const isCount = name === 'calledLoans' || name === 'forcedSales';
    const scale = isCount ? product.loanValue.length : totalOf(product.loanValue);
    const [figures, expected] = [got, wanted].map(({ summaries }) => {
      const { mean, quantiles, tailMeans } = summaries[name];
      return [mean, ...quantiles, ...tailMeans];
    });
    figures.forEach((figure, i) => {
      const room = (i === 0 ? ofMeans : 1e-4) * scale;
      expect(Math.abs(figure - expected[i]), `${name}, figure ${i}`).toBeLessThan(room);
    });
  }
}
