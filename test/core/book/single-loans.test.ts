/** Loans that begin called or under water: N C / L = 1 is exactly the value of the debt. */
import { expect, it } from 'vitest';
import { BookPath } from '#src/core/book/book-path.js';
import { emptySums } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { LOAN_START } from '#src/core/plan/book-lending.js';
import { BOOK, type BookProduct } from '#src/core/plan/product/book.js';
import { FOLLOWERS, pathOf } from '../../support/book-followers.ts';
import { HALVING_VOLATILITY, noiselessGbm } from '../../support/exact-paths.ts';

const [USUAL] = BOOK.usual.terms(2);
const both = (value: number) => Float64Array.of(value, value);
const words = (value: number) => Uint32Array.of(value, value);

/** One loan has a cost of its sale of its own, the other that of the book. */
const bookAt = (nominalRatio: number) => ({
  ...USUAL,
  nominalRatio: both(nominalRatio),
  marginCallRatio: both(1.2),
  liquidationRatio: both(0.5),
  recoveryRatio: both(1.5),
  lending: {
    debtGrowth: both(1),
    saleCost: Float64Array.of(0.25, USUAL.saleCost),
    start: words(LOAN_START.called),
    startDeadline: words(24),
    startAnswer: words(0),
    answerShare: both(0),
    answerDelay: words(1),
    answerRatio: both(0),
    nameHigh: words(0),
    nameLow: words(0),
    oneDraw: words(0),
    saleRatio: both(0),
    saleShare: both(1),
  },
});

it.each([
  [1, 0],
  [0.875, 1],
])('A called loan with N = %d is under water at the start below 1 alone', (nominalRatio, underwater) => {
  const plan = { seed: 1, paths: 1, scenarios: noiselessGbm([0, 0]), product: bookAt(nominalRatio) };
  const book = prepareBook(plan.product, 2);
  const { loans } = pathOf(plan, book, FOLLOWERS.reference(plan, book), 0);
  expect([...loans.underwater]).toEqual([underwater, underwater]);
  expect([...loans.closeouts]).toEqual([1, 1]);
});

it('A loan that begins under water is so on a path on which its ratio rises at once', () => {
  const usual = bookAt(1.75);
  // C / L is 1 / 2 at the start, and the debt halves every hour.
  const product: BookProduct = {
    ...usual,
    loanWeights: Float64Array.of(0, 2),
    marginCallRatio: both(0.8),
    recoveryRatio: both(1),
    lending: { ...usual.lending, start: words(LOAN_START.open) },
  };
  const plan = { seed: 1, paths: 1, scenarios: noiselessGbm([0, HALVING_VOLATILITY]), product };
  const book = prepareBook(product, 2);
  const { loans } = pathOf(plan, book, FOLLOWERS.reference(plan, book), 0);
  expect([...loans.underwater]).toEqual([1, 1]);
  expect([...loans.marginCalls]).toEqual([0, 0]);
  expect([...loans.worstCcr]).toEqual([0.875, 0.875]);
});

it('A called loan is so on a path on which no ratio is below its call, or the lowest of the paths before', () => {
  // M / N is above 1, the ratio of the start.
  const product = bookAt(1.125);
  const book = prepareBook(product, 2);
  const path = new BookPath(product, book, 2);
  const sums = emptySums(2, book.groupTerm.length, true);
  path.begin(sums);
  path.path.prices[1].fill(1);
  for (const [p, price] of [2, 3].entries()) {
    path.path.prices[0].fill(price);
    path.follow(p, sums);
    expect(path.calledLoans, `path ${p} at ${price}`).toBe(2);
  }
  path.finish(sums);
  expect([[...sums.marginCalls], [...sums.worstRatio]]).toEqual([
    [2, 2],
    [2, 2],
  ]);
});

it('Loans of one group are called on a path above the edge of water, after one below it', () => {
  // M / N is 0.8, and 1 / N is 2 / 3.
  const usual = bookAt(1.5);
  const lending = { ...usual.lending, saleCost: both(0.25), start: words(LOAN_START.none) };
  const product = { ...usual, lending };
  const book = prepareBook(product, 2);
  expect([...book.singleGroups]).toHaveLength(1);
  const path = new BookPath(product, book, 2);
  const sums = emptySums(2, 1, true);
  path.begin(sums);
  path.path.prices[1].fill(1);
  for (const [p, price] of [0.5, 0.75, 0.875].entries()) {
    path.path.prices[0].fill(price);
    path.follow(p, sums);
    expect(path.calledLoans, `path ${p} at ${price}`).toBe(price < 0.8 ? 2 : 0);
  }
  expect([...sums.underwater]).toEqual([1, 1]);
});
