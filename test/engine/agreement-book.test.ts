/** What holds of a book on every engine: its loans one by one, equal loans, and what its tail is made of. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { BOOK_COLUMNS, bookUnit } from '#src/core/plan/product/book.js';
import { ENGINES, engineCases } from '../support/engines.ts';
import { expectWithinContract } from '../support/parity.ts';
import { bookOf, randomBook } from '../support/random-books.ts';

const AMOUNTS = ['loss', 'unsold', 'sold', 'peakDay'] as const;
const COUNTS = ['calledLoans', 'forcedSales'] as const;

const planOf = (paths: number) => randomBook(9, paths, { assets: 4, loans: 30, baskets: 12, term: 200 });
const totalOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/** By definition: the paths in rising order, the worst n (1 - q) of them, a part of the last. */
function tailMean(column: Float64Array, quantile: number): number {
  const sorted = column.toSorted();
  const size = column.length * (1 - quantile);
  let left = size;
  let sum = 0;
  for (let i = column.length - 1; left > 1e-9; i--) {
    sum += Math.min(1, left) * sorted[i];
    left -= Math.min(1, left);
  }
  return sum / size;
}

for (const { engine } of engineCases(ENGINES, 'book', ['gbm'])) {
  describe(`a book on ${engine.name}`, { tags: engine.tags }, () => {
    let tested: Engine;
    beforeAll(async () => {
      tested = await engine.open();
    });
    afterAll(() => tested.close());

    it('has on every path the figures of its loans one by one, to the last unit', async () => {
      const plan = planOf(100);
      const { product } = plan;
      // A unit is a power of two: a loan that is alone has finer ones, and rounds less.
      const whole = bookUnit(product);
      const book = await tested.trace(plan);
      const sums = Object.fromEntries(BOOK_COLUMNS.map(name => [name, new Float64Array(plan.paths)]));
      for (const k of product.loanValue.keys()) {
        const alone = await tested.trace({ ...plan, product: bookOf(product, [k]) });
        for (const name of BOOK_COLUMNS) for (const p of sums[name].keys()) sums[name][p] += alone[name][p];
      }
      for (let p = 0; p < plan.paths; p++) {
        for (const name of COUNTS) expect(book[name][p], `${name} of path ${p}`).toBe(sums[name][p]);
        for (const name of ['loss', 'unsold', 'sold'] as const) {
          const difference = Math.abs(book[name][p] - sums[name][p]);
          expect(difference, `${name} of path ${p}`).toBeLessThanOrEqual(4 * 30 * whole);
        }
        expect(book.peakDay[p], `path ${p}`).toBeLessThanOrEqual(book.sold[p]);
      }
      expect(sums.loss.some(loss => loss > 0)).toBe(true);
    });

    it('of k equal loans loses k times what one loses, path by path', async () => {
      const plan = planOf(300);
      const { nominalRatio } = plan.product;
      const fragile = nominalRatio.indexOf(Math.min(...nominalRatio));
      const equal = (times: number) =>
        tested.trace({ ...plan, product: bookOf(plan.product, Array<number>(times).fill(fragile)) });
      const [single, many] = [await equal(1), await equal(16)];
      for (const name of COUNTS)
        expect([...many[name]], name).toEqual([...single[name].map(count => 16 * count)]);
      // Sixteen times the loan value has units sixteen times as large, which amounts are rounded to. In double precision
      // the loss of equal loans is rounded alike, as sixteen is a power of two.
      const room = 16 * 16 * bookUnit(bookOf(plan.product, [fragile]));
      for (const name of AMOUNTS)
        for (const [p, value] of single[name].entries()) {
          const difference = Math.abs(many[name][p] - 16 * value);
          const isExact = name === 'loss' && engine.name !== 'the GPU';
          expect(difference, `${name} of path ${p}`).toBeLessThanOrEqual(isExact ? 0 : room);
        }
      expect(single.sold.some(sold => sold > 0)).toBe(true);
      expect(single.loss.some(loss => loss > 0)).toBe(true);
    });

    it('has contributions that add up to the tail mean of its loss, and assets to that of its peak day', async () => {
      const plan = planOf(1000);
      const quantiles = Float64Array.of(0.99, 0.5, 0.9);
      const { columns, summaries, tails } = await tested.run({
        ...plan,
        product: { ...plan.product, quantiles },
      });
      tails.forEach(({ quantile, contributions, lossByAsset, peakDayByAsset }, q) => {
        for (const [column, parts] of [
          ['loss', contributions],
          ['loss', lossByAsset],
          ['peakDay', peakDayByAsset],
        ] as const) {
          const mean = summaries[column].tailMeans[q];
          const told = `${column}, q ${quantile}`;
          expect(mean, told).toBeGreaterThan(0);
          expect(Math.abs(totalOf(parts) / mean - 1), told).toBeLessThan(1e-9);
          const wanted = tailMean(columns[column], quantile);
          if (engine.name === 'the GPU') expectWithinContract(mean, wanted, 0, told);
          else expect(Math.abs(mean / wanted - 1), told).toBeLessThan(1e-9);
        }
      });
    });
  });
}
