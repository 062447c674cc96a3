/** Books on the reference against the rules, path by path, plain and under weights. */

import { describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { type BookOutcome, bookUnit } from '#src/core/plan/product/book.js';
import { type BookLoanOnPath, bookOnPath } from '#src/core/rules/book.js';
import { pricesOnPath, weightOfPath } from '#src/core/rules/models.js';
import { ownBaskets, tenBaskets, tenBasketsOfHistory } from '../support/book-cases.ts';
import { BOOK_AMOUNTS, BOOK_COUNTS, loanNumbers } from '../support/book-parity.ts';
import { randomLendingBook } from '../support/random-lending.ts';
import { shiftedBook } from '../support/shifted-books.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(3);

describe('A book', () => {
  it.each([
    ['drawn paths', tenBaskets(40)],
    ['windows of history', tenBasketsOfHistory(40)],
  ])('has on every path the figures of its loans one by one: %s', async (_, book) => {
    const { product } = book;
    const loans = product.loanValue.length;
    const records = await reference.trace(book);
    const outcome = await reference.run(book);
    const calls = new Float64Array(loans);
    const losses = new Float64Array(loans);
    for (let p = 0; p < book.paths; p++) {
      const plain = bookOnPath(product, book.seed, p, pricesOnPath(book, p, product.steps));
      for (const name of BOOK_COUNTS) {
        expect(records[name][p], `${name} of path ${p}`).toBe(plain[name]);
        expect(outcome.columns[name][p]).toBe(plain[name]);
      }
      for (const name of BOOK_AMOUNTS) {
        // Prices differ in their last digits: the engine's exponential against Math.exp.
        const tolerance = 1e-10 * plain[name] + loans * bookUnit(product);
        expect(Math.abs(records[name][p] - plain[name]), `${name} of path ${p}`).toBeLessThan(tolerance);
        expect(outcome.columns[name][p]).toBe(records[name][p]);
      }
      plain.loans.forEach(({ marginCall, loss }, k) => {
        calls[k] += Number(marginCall);
        losses[k] += loss * product.loanValue[k];
      });
    }
    expect([...outcome.loans.marginCalls]).toEqual([...calls]);
    losses.forEach((loss, k) => {
      const got = (outcome.loans.lossUnits[k] / UNITS_PER_LOAN_VALUE) * product.loanValue[k];
      expect(Math.abs(got - loss), `loss of loan ${k}`).toBeLessThan(1e-7 * product.loanValue[k]);
    });
  });

  it('has the figures of its loans one by one when each has baskets of its own', {
    tags: ['slow'],
  }, async () => {
    const book = ownBaskets(60);
    const { product } = book;
    const outcome = await reference.run(book);
    const counts = { marginCalls: 0, liquidations: 0, closeouts: 0, underwater: 0 };
    const expected = loanNumbers(product).map(() => ({
      ...counts,
      missed: 0,
      worst: Number.POSITIVE_INFINITY,
    }));
    for (let p = 0; p < book.paths; p++) {
      const plain = bookOnPath(product, book.seed, p, pricesOnPath(book, p, product.steps));
      expect(outcome.columns.calledLoans[p], `called loans of path ${p}`).toBe(plain.calledLoans);
      expect(outcome.columns.forcedSales[p], `forced sales of path ${p}`).toBe(plain.forcedSales);
      plain.loans.forEach((loan, k) => {
        const sums = expected[k];
        sums.marginCalls += Number(loan.marginCall);
        sums.liquidations += Number(loan.liquidation);
        sums.closeouts += Number(loan.closeout);
        sums.underwater += Number(loan.underwater);
        sums.missed += loan.liquidation || loan.closeout ? product.termSteps[k] - loan.endStep : 0;
        sums.worst = Math.min(sums.worst, loan.worstCcr);
      });
    }
    expected.forEach(({ missed, worst, ...rest }, k) => {
      for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const)
        expect(outcome.loans[name][k], `${name} of loan ${k}`).toBe(rest[name]);
      expect(outcome.loans.missedSteps[k], `missed steps of loan ${k}`).toBe(missed);
      expect(Math.abs(outcome.loans.worstCcr[k] / worst - 1), `worst CCR of loan ${k}`).toBeLessThan(1e-12);
    });
    expect(expected.some(({ marginCalls }) => marginCalls > 0 && marginCalls < book.paths)).toBe(true);
  });
});

interface Weighted {
  readonly weight: number;
  readonly value: number;
}
/** The lowest value whose weight, with that of all lower ones, is a share of the whole. */
function plainQuantile(paths: readonly Weighted[], share: number): number {
  const sorted = [...paths].sort((a, b) => a.value - b.value);
  const total = paths.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const { weight, value } of sorted) {
    reached += weight;
    if (reached >= share * total * (1 - 1e-12)) return value;
  }
  return Number.NaN;
}

/** Mean of the upper 1 - q, the last path in part. */
function plainTailMean(paths: readonly Weighted[], share: number): number {
  const falling = [...paths].sort((a, b) => b.value - a.value);
  const wanted = (1 - share) * paths.reduce((sum, { weight }) => sum + weight, 0);
  let left = wanted;
  let sum = 0;
  for (const { weight, value } of falling) {
    const taken = Math.min(left, weight);
    sum += taken * value;
    left -= taken;
  }
  return sum / wanted;
}

describe.each([
  ['baskets of their own', 8, 8],
  ['shared baskets', 24, 2],
])('A book of loans with %s on shifted paths', (_, loans, baskets) => {
  it('has the weighted sums of the rules', async () => {
    const plan = shiftedBook(5, 60, loans, baskets);
    const { product, seed, scenarios } = plan;
    const paths = Array.from({ length: plan.paths }, (__, p) => ({
      weight: weightOfPath(seed, scenarios, p),
      ...bookOnPath(product, seed, p, pricesOnPath(plan, p, product.steps)),
    }));
    const outcome = await reference.run(plan);
    const { weighted, columns, summaries } = outcome;
    if (weighted === undefined || columns.weight === undefined) throw new Error('no weights');
    const sum = (of: (path: (typeof paths)[number]) => number) =>
      paths.reduce((total, path) => total + of(path), 0);
    const weights = sum(({ weight }) => weight);
    expect(weighted.weights.once).toBeCloseTo(weights, 9);
    const squares = sum(({ weight }) => weight * weight);
    expect(weighted.weights.twice).toBeCloseTo(squares, 9);
    for (let k = 0; k < loans; k++) {
      for (const [sums, factor] of [
        [outcome.loans, () => 1],
        [weighted.once, (weight: number) => weight],
        [weighted.odd, (weight: number, p: number) => (p % 2 === 1 ? weight : 0)],
        [weighted.twice, (weight: number) => weight * weight],
      ] as const) {
        const expectSum = (got: number | undefined, digits: number, of: (loan: BookLoanOnPath) => number) => {
          const expected = paths.reduce(
            (total, path, p) => total + factor(path.weight, p) * of(path.loans[k]),
            0,
          );
          expect(got).toBeCloseTo(expected, digits);
        };
        expectSum(sums.marginCalls[k], 6, loan => Number(loan.marginCall));
        expectSum(sums.liquidations[k], 6, loan => Number(loan.liquidation));
        expectSum(sums.closeouts[k], 6, loan => Number(loan.closeout));
        expectSum(sums.underwater[k], 6, loan => Number(loan.underwater));
        expectSum(sums.missedSteps[k], 1, loan => product.termSteps[k] - loan.endStep);
        expectSum(sums.unsoldUnits[k] / UNITS_PER_LOAN_VALUE, 6, loan => loan.unsoldFraction);
        expectSum(sums.lossUnits[k] / UNITS_PER_LOAN_VALUE, 6, loan => loan.loss);
        expectSum(sums.squares?.loss[k], 6, loan => loan.loss ** 2);
      }
    }
    for (const column of ['loss', 'unsold', 'sold', 'peakDay', 'calledLoans'] as const) {
      const values = paths.map(path => ({ weight: path.weight, value: path[column] }));
      const scale = Math.max(1, ...values.map(({ value }) => value));
      const { mean, quantiles, tailMeans } = summaries[column] ?? { mean: 0, quantiles: [], tailMeans: [] };
      const plainMean = sum(path => path.weight * path[column]) / weighted.weights.once;
      expect(mean / scale).toBeCloseTo(plainMean / scale, 8);
      product.quantiles.forEach((q, i) => {
        expect(quantiles[i] / scale).toBeCloseTo(plainQuantile(values, q) / scale, 8);
        expect(tailMeans[i] / scale).toBeCloseTo(plainTailMean(values, q) / scale, 8);
      });
    }
    outcome.tails.forEach(({ contributions }, i) => {
      const total = contributions.reduce((all, each) => all + each, 0);
      expect(total / summaries.loss.tailMeans[i]).toBeCloseTo(1, 6);
    });
  });
});

it('A book with the terms of real loans has the same figures under weights', { tags: ['slow'] }, async () => {
  const plan = shiftedBook(3, 2000, 10, 5, randomLendingBook);
  const outcome = await reference.run(plan);
  const { weighted, columns } = outcome;
  if (weighted?.once.lending === undefined || columns.weight === undefined) throw new Error('no terms');
  expect(columns.toppedUp?.some(usd => usd > 0)).toBe(true);
  expect(Math.max(...weighted.once.lending.sold)).toBeGreaterThan(0);
  // Weights have mean 1, so that sums under them are of the size of those of plain paths.
  const plainly = await reference.run({
    ...plan,
    seed: 77,
    paths: 4000,
    scenarios: { ...plan.scenarios, distance: 0 },
  });
  const share = ({ loans, paths }: BookOutcome, k: number) => Number(loans.lending?.salePaths[k]) / paths;
  plan.product.loanValue.forEach((_, k) => {
    const p = share(plainly, k);
    const found = Number(weighted.once.lending?.salePaths[k]) / weighted.weights.once;
    expect(Math.abs(found - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / 1000) + 1e-9);
  });
});
