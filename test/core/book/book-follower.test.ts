/** The follower of a book of each engine with threads, against loans written out one by one, path by path. */

import { describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { type BookLoanOnPath, bookOnPath, usdOf } from '#src/core/rules/book.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { SIMD_GROUPS } from '#src/core/simd/book.js';
import { LENDING_BOOKS, PLAIN_BOOKS } from '../../support/book-cases.ts';
import { FOLLOWERS, pathOf } from '../../support/book-followers.ts';
import { nearestOfLoan } from '../../support/book-parity.ts';

/** The figures of a loan by the rules, by name. */
function wanted(loan: BookLoanOnPath, term: number) {
  return {
    marginCalls: Number(loan.marginCall),
    liquidations: Number(loan.liquidation),
    closeouts: Number(loan.closeout),
    underwater: Number(loan.underwater),
    missedSteps: term - loan.endStep,
    sales: loan.sales.length,
    topUpPaths: Number(loan.topUps.length > 0),
    loss: loan.loss,
    unsold: loan.unsoldFraction,
    sold: usdOf(loan.sales),
    topUp: usdOf(loan.topUps),
    worstCcr: loan.worstCcr,
  };
}

/** Amounts of single precision differ by the rounding of prices and of the sums of a step. */
const FOLLOWED = [
  { name: 'reference', groups: 'together', close: 1e-7, near: 1e-11 },
  { name: 'simd', groups: SIMD_GROUPS, close: 1e-4, near: 1e-5 },
] as const;

for (const { name, groups, close, near } of FOLLOWED)
  describe(`A book with the terms of real loans on ${name}`, () => {
    it.each(LENDING_BOOKS)('has the figures of the rules for %s', (_, plan) => {
      const { product } = plan;
      const book = prepareBook(product, plan.scenarios.assets, groups);
      const follower = FOLLOWERS[name](plan, book);
      const seen = { called: 0, sales: 0, topUps: 0, partial: 0, losses: 0 };
      let compared = 0;
      for (let p = 0; p < plan.paths; p++) {
        const { loans, columns } = pathOf(plan, book, follower, p);
        const plain = bookOnPath(product, plan.seed, p, pricesOnPath(plan, p, product.steps));
        const isNear = (loan: BookLoanOnPath, k: number) => nearestOfLoan(product, loan, k) < near;
        plain.loans.forEach((loan, k) => {
          if (isNear(loan, k)) return;
          compared++;
          const got: Record<string, number> = {
            marginCalls: loans.marginCalls[k],
            liquidations: loans.liquidations[k],
            closeouts: loans.closeouts[k],
            underwater: loans.underwater[k],
            missedSteps: loans.missedSteps[k],
            loss: loans.lossUnits[k] / UNITS_PER_LOAN_VALUE,
            unsold: loans.unsoldUnits[k] / UNITS_PER_LOAN_VALUE,
            worstCcr: loans.worstCcr[k],
          };
          const want: Record<string, number> = wanted(loan, product.termSteps[k]);
          const { lending } = loans;
          if (lending !== undefined && (lending.sales[k] > 0 || lending.topUpPaths[k] > 0)) {
            got.sales = lending.sales[k];
            got.topUpPaths = lending.topUpPaths[k];
            got.sold = lending.sold[k];
            got.topUp = lending.topUp[k];
          }
          for (const figure of Object.keys(got)) {
            // A figure that is above 0 on one side only is at a threshold of its own.
            const differs = Math.abs(got[figure] - want[figure]) > close * Math.max(1, want[figure]);
            if (differs) expect(`loan ${k} path ${p}: ${figure} ${got[figure]}`).toBe(`${want[figure]}`);
          }
          if (loan.marginCall) seen.called++;
          if (loan.sales.length > 1) seen.partial++;
          seen.sales += loan.sales.length;
          seen.topUps += loan.topUps.length;
          if (loan.loss > 0) seen.losses++;
        });
        if (plain.loans.some(isNear)) continue;
        for (const column of [
          'loss',
          'unsold',
          'calledLoans',
          'forcedSales',
          'sold',
          'peakDay',
          'toppedUp',
        ] as const) {
          const scale = Math.max(1, Math.abs(plain[column]));
          expect(Math.abs(columns[column] - plain[column]) / scale, `${column} of path ${p}`).toBeLessThan(
            close,
          );
        }
      }
      expect(compared).toBeGreaterThan(0.9 * plan.paths * product.loanValue.length);
      const { called, sales, losses } = seen;
      const happened = plan.product.lending.saleRatio.some(ratio => ratio > 0)
        ? seen
        : { called, sales, losses };
      for (const [event, count] of Object.entries(happened)) expect(count, event).toBeGreaterThan(0);
    });
  });

it('The SIMD kernel has the losses and sales of the rules for plain loans', () => {
  const [, plan] = PLAIN_BOOKS[0];
  const { product, scenarios } = plan;
  const book = prepareBook(product, scenarios.assets);
  const byKernel = FOLLOWERS.simd(plan, book);
  let sold = 0;
  for (let p = 0; p < plan.paths; p++) {
    const { columns } = pathOf(plan, book, byKernel, p);
    const plain = bookOnPath(product, plan.seed, p, pricesOnPath(plan, p, product.steps));
    expect(columns.calledLoans, `path ${p}`).toBe(plain.calledLoans);
    expect(columns.forcedSales, `path ${p}`).toBe(plain.forcedSales);
    // Prices differ by some 1e-6 of themselves, and a loss is a difference of debt and sale.
    for (const name of ['loss', 'unsold', 'sold', 'peakDay'] as const)
      expect(Math.abs(columns[name] - plain[name]), `${name} of path ${p}`).toBeLessThan(
        2e-5 * (plain.sold + plain.unsold + 1),
      );
    sold += plain.forcedSales;
  }
  expect(sold).toBeGreaterThan(plan.paths);
});
