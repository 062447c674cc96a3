/** Books by the kernel: on its own prices all that the reference books, and on those of the reference its decisions. */

import { describe, expect, it } from 'vitest';
import { type BookFollower, PricedBook } from '#src/core/book/book-follower.js';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { type PreparedBook, prepareBook, type SingleLoanGroups } from '#src/core/book/prepared-book.js';
import { BOOK_COLUMNS, bookUnit } from '#src/core/plan/product/book.js';
import { referenceBook } from '#src/core/reference/book.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { SimdBook } from '#src/core/simd/book.js';
import { PacketPrices } from '#src/core/simd/packet-prices.js';
import {
  type BookCase,
  calledOften,
  LENDING_BOOKS,
  type LendingBook,
  ofOneTerm,
  onPowersOfTwo,
  PLAIN_BOOKS,
  soldInParts,
  withCredit,
} from '../../support/book-cases.ts';
import { kernel, pathOf } from '../../support/book-followers.ts';
import { type BookPlan, nearestBookThreshold } from '../../support/book-parity.ts';
import { logRatioTolerance } from '../../support/parity.ts';
import { randomBook } from '../../support/random-books.ts';

const COUNTS = ['marginCalls', 'liquidations', 'closeouts', 'underwater', 'missedSteps'] as const;

/** Expects the same sums per loan. Squares of amounts are whole numbers of units so small that they may differ by one. */
function expectSameSums(got: object, wanted: object, told: string): void {
  for (const [name, value] of Object.entries(wanted)) {
    const other = (got as Record<string, unknown>)[name];
    const inside = `${name} of ${told}`;
    if (!(value instanceof Float64Array)) expectSameSums(other as object, value as object, inside);
    else {
      const values = other as Float64Array;
      const differing = [...value.keys()].filter(k => !(Math.abs(values[k] - value[k]) <= 1e-14 * value[k]));
      expect(
        differing.map(k => ({ loan: k, got: values[k], wanted: value[k] })),
        inside,
      ).toEqual([]);
    }
  }
}

describe('a book by the kernel', () => {
  it.each(PLAIN_BOOKS)(
    'has the events of the reference for %s, except for ratios within rounding',
    (_, plan) => {
      const { product, scenarios } = plan;
      const book = prepareBook(product, scenarios.assets);
      const byKernel = new SimdBook(kernel, plan, book);
      const byReference = referenceBook(plan, book);
      const spread = Math.max(...scenarios.annualVolatility) * Math.sqrt(product.steps / 8760);
      const tolerance = logRatioTolerance(spread, product.steps);
      let same = 0;
      // An expectation for each loan would take longer than the paths.
      const beyond: string[] = [];
      const within = (difference: number, bound: number, told: () => string) => {
        if (!(difference < bound)) beyond.push(`${told()}: ${difference}`);
      };
      for (let p = 0; p < plan.paths; p++) {
        const got = pathOf(plan, book, byKernel, p).sums;
        const wanted = pathOf(plan, book, byReference, p).sums;
        for (const [place, k] of book.byCall.entries()) {
          const told = () => `loan ${k} of path ${p}`;
          if (COUNTS.some(name => got[name][place] !== wanted[name][place])) {
            const nearest = nearestBookThreshold(plan, pricesOnPath(plan, p, product.steps), k);
            within(nearest, tolerance, told);
            continue;
          }
          same += 1;
          // Relative to the loan: prices differ by the tolerance, the debt is of the size of the largest price.
          for (const name of ['lossUnits', 'unsoldUnits'] as const)
            within(
              Math.abs(got[name][place] - wanted[name][place]) / UNITS_PER_LOAN_VALUE,
              10 * tolerance,
              () => `${name} of ${told()}`,
            );
        }
        got.worstRatio.forEach((ratio, g) => {
          within(
            Math.abs(Math.log(ratio / wanted.worstRatio[g])),
            tolerance,
            () => `group ${g} of path ${p}`,
          );
        });
      }
      expect(beyond).toEqual([]);
      expect(same).toBeGreaterThan(0.999 * plan.paths * product.loanValue.length);
    },
  );

  const shape = { assets: 3, loans: 150, baskets: 150, term: 60, saleDelaySteps: 3 };
  const exact = onPowersOfTwo(randomBook(12, 21, shape));

  it.each<BookCase<BookPlan>>([...PLAIN_BOOKS, ['loans that meet their thresholds exactly', exact]])(
    'has on its own prices the figures of the reference, for %s',
    (_, plain) => {
      const plan = withCredit(plain);
      const { product, scenarios, seed } = plan;
      const book = prepareBook(product, scenarios.assets);
      const byKernel = new SimdBook(kernel, plan, book);
      const got = Array.from({ length: plan.paths }, (_unused, p) => pathOf(plan, book, byKernel, p));
      // The kernel has one plan at a time.
      const prices = new PacketPrices(kernel, scenarios, seed, product.steps);
      const plainly = new PricedBook(product, book, scenarios.assets, prices);
      let called = 0;
      for (let p = 0; p < plan.paths; p++) {
        const { loans, columns } = pathOf(plan, book, plainly, p);
        expectSameSums(got[p].loans, loans, `path ${p}`);
        for (const name of BOOK_COLUMNS) {
          // Loans may be added in another order.
          const room = 1e-12 * columns[name] + product.loanValue.length * bookUnit(product);
          expect(Math.abs(got[p].columns[name] - columns[name]), `${name} of path ${p}`).toBeLessThan(room);
        }
        called += columns.calledLoans;
      }
      expect(called).toBeGreaterThan(0);
    },
  );
});

/** Every figure of a path and every event, with sums per loan in the order of the places. */
function everythingOf(plan: BookPlan, book: PreparedBook, follower: BookFollower, path: number) {
  const told: [loan: number, ...what: unknown[]][] = [];
  const { loans, columns } = pathOf(plan, book, follower, path, () => ({
    loss: (place, usd) => told.push([book.byCall[place], 'loss', usd]),
    sale(first, end, index, factor) {
      for (let place = first; place < end; place++) told.push([book.byCall[place], 'sale', index, factor]);
    },
  }));
  // Loans come in the order of their groups, and the events of one in that of time.
  told.sort((a, b) => a[0] - b[0]);
  return { loans, columns, told };
}

describe('a book with the terms of real loans by the kernel', () => {
  const inParts: BookCase<LendingBook> = ['loans that are sold in many parts', soldInParts()];

  it.each<BookCase<BookPlan>>([
    ...LENDING_BOOKS,
    inParts,
    ['loans that are called often', calledOften()],
    ['such loans that meet their thresholds exactly', onPowersOfTwo(calledOften())],
  ])('has on its own prices all bookings of the reference, for %s', (_, plain) => {
    const plan = withCredit(plain);
    const { product, scenarios, seed, paths } = plan;
    const apart = prepareBook(product, scenarios.assets, 'apart');
    const byKernel = new SimdBook(kernel, plan, apart);
    const got = Array.from({ length: paths }, (_unused, p) => everythingOf(plan, apart, byKernel, p));
    // The kernel has one plan at a time.
    const prices = new PacketPrices(kernel, scenarios, seed, product.steps);
    const plainly = new PricedBook(product, apart, scenarios.assets, prices, seed);
    const together = prepareBook(product, scenarios.assets, 'together');
    const byGroups = new PricedBook(product, together, scenarios.assets, prices, seed);
    for (let p = 0; p < paths; p++) {
      for (const wanted of [
        everythingOf(plan, apart, plainly, p),
        everythingOf(plan, together, byGroups, p),
      ]) {
        expect(got[p].told, `events of path ${p}`).toEqual(wanted.told);
        expectSameSums(got[p].loans, wanted.loans, `path ${p}`);
        for (const [column, value] of Object.entries(wanted.columns)) {
          // Loans may be added in another order.
          const room = 1e-12 * value + product.loanValue.length * bookUnit(product);
          expect(Math.abs(got[p].columns[column] - value), `${column} of path ${p}`).toBeLessThan(room);
        }
      }
    }
  });

  it('emits the events of a path in pieces where there is no room for all of them', () => {
    const { product, scenarios, ...plan } = inParts[1];
    const book = prepareBook(product, scenarios.assets, 'apart');
    const counted = new Proxy(kernel, {
      get: (target, name) =>
        name === 'exports' ? { ...target.exports, followBook } : Reflect.get(target, name),
    });
    let calls = 0;
    const followBook: typeof kernel.exports.followBook = (...told) => {
      calls += 1;
      return kernel.exports.followBook(...told);
    };
    const follower = new SimdBook(counted, { ...plan, product, scenarios }, book);
    const { told } = everythingOf({ ...plan, product, scenarios }, book, follower, 0);
    // Room for a sale at each step of one loan, and for a sale and a loss of each.
    expect(told.length).toBeGreaterThan(2 * product.loanValue.length + product.steps + 2);
    expect(calls).toBeGreaterThan(1);
  });

  it('has loans of the same baskets with rules of their own in separate groups', () => {
    const { product, scenarios } = ofOneTerm(LENDING_BOOKS[1][1]);
    const byRules = (groups: SingleLoanGroups) =>
      prepareBook(product, scenarios.assets, groups).singleFromCall.reduce((sum, is) => sum + is, 0);
    expect(byRules('together')).toBeLessThan(5);
    expect(byRules('apart')).toBeGreaterThan(30);
  });
});
