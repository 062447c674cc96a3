/** A book with the terms of real loans, loan by loan: test/support/plain/lending.ts on each. */
import type { BookProduct } from '#src/core/plan/product/book.js';
import { threefry4x32 } from '#src/core/random/threefry.js';
import { type PlainLending, type PlainLendingTerms, plainLending } from './lending.ts';

export interface PlainLendingPath {
  /** Amounts in units of the value of each loan. */
  readonly loans: readonly PlainLending[];
  readonly loss: number;
  readonly unsold: number;
  readonly calledLoans: number;
  readonly forcedSales: number;
  readonly sold: number;
  readonly peakDay: number;
  readonly toppedUp: number;
}

const STARTS = [undefined, 'open', 'called', 'liquidated'] as const;

/**
 * Every loan of a book along a path.
 *
 * @param prices prices[t][i] for t = 0 up to the end of the longest sale, prices[0][i] = 1
 * @param until as of plainLending
 */
export function plainLendingLoans(
  product: BookProduct,
  seed: number,
  path: number,
  prices: readonly (readonly number[])[],
  until?: number,
): PlainLending[] {
  const n = prices[0].length;
  const { lending } = product;
  return [...product.loanValue.keys()].map(k => {
    const start = STARTS[lending?.start[k] ?? 0];
    const startAnswer = lending?.startAnswer[k] ?? 0;
    const to = lending?.answerRatio[k] ?? 0;
    const part = lending?.saleRatio[k] ?? 0;
    const terms: PlainLendingTerms = {
      N: product.nominalRatio[k],
      M: product.marginCallRatio[k],
      L: product.liquidationRatio[k],
      R: product.recoveryRatio[k],
      topUpSteps: product.topUpSteps[k],
      steps: product.termSteps[k],
      growth: lending?.debtGrowth[k] ?? 1,
      saleDelay: product.saleDelaySteps,
      saleCost: lending?.saleCost[k] ?? product.saleCost,
      ...(start && { start }),
      startDeadline: lending?.startDeadline[k] ?? 1,
      startAnswer,
      ...(to > 0 && {
        answers: { share: lending?.answerShare[k] ?? 0, delay: lending?.answerDelay[k] ?? 1, to },
      }),
      ...(part > 0 && { partialSale: { to: part, maxShare: lending?.saleShare[k] ?? 1 } }),
    };
    const basket = (weights: Float64Array, t: number) =>
      prices[t].reduce((sum, price, i) => sum + weights[product.basket[k] * n + i] * price, 0);
    const last = terms.steps + terms.saleDelay;
    const side = (weights: Float64Array) => Array.from({ length: last + 1 }, (_, t) => basket(weights, t));
    const uniform = (call: number) => {
      const number = lending?.oneDraw[k] === 1 ? 0 : call;
      const name = [lending?.nameHigh[k] ?? 0, lending?.nameLow[k] ?? 0] as const;
      return threefry4x32([path, number, ...name], [seed, 0x616e7377, 0, 0])[0] / 2 ** 32;
    };
    return plainLending(terms, side(product.collateralWeights), side(product.loanWeights), uniform, until);
  });
}

/** @param prices as of plainLendingLoans, t = 0..steps */
export function plainLendingPath(
  product: BookProduct,
  seed: number,
  path: number,
  prices: readonly (readonly number[])[],
): PlainLendingPath {
  const loans = plainLendingLoans(product, seed, path, prices);
  const value = product.loanValue;
  const total = (pick: (loan: PlainLending, k: number) => number) =>
    loans.reduce((sum, loan, k) => sum + pick(loan, k), 0);
  const sales = loans.flatMap((loan, k) =>
    loan.sales.map(({ step, usd }) => ({ step: Math.max(1, step), usd: value[k] * usd })),
  );
  const width = Math.min(product.daySteps, product.steps);
  let peakDay = 0;
  for (let first = 1; first + width - 1 <= product.steps; first++) {
    const window = sales.filter(({ step }) => step >= first && step < first + width);
    peakDay = Math.max(
      peakDay,
      window.reduce((sum, { usd }) => sum + usd, 0),
    );
  }
  return {
    loans,
    loss: total(({ loss }, k) => value[k] * loss),
    unsold: total(({ unsold }, k) => value[k] * unsold),
    calledLoans: total(({ marginCall }) => Number(marginCall)),
    forcedSales: total(loan => Number(loan.sales.length > 0)),
    sold: sales.reduce((sum, { usd }) => sum + usd, 0),
    peakDay,
    toppedUp: total(({ topUps }, k) => value[k] * topUps.reduce((sum, { usd }) => sum + usd, 0)),
  };
}
