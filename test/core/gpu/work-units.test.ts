import { describe, expect, it } from 'vitest';
import { bookSize, pricedSteps, workUnits } from '#src/core/gpu/book/work-units.js';
import type { BookProduct } from '#src/core/plan/product/book.js';

const bookOf = (loans: number, steps: number) =>
  ({ steps, loanValue: new Float64Array(loans) }) as BookProduct;

describe('The work on a block of paths', () => {
  it('has every day of prices in one unit, in order, and then all loans', () => {
    for (const [loans, steps, assets] of [
      [1, 1, 1],
      [8, 24, 2],
      [9, 25, 32],
      [200, 744, 10],
      [100_000, 8784, 32],
      [5, 88_320, 1],
    ]) {
      const units = workUnits(bookOf(loans, steps), assets);
      expect(units.total - units.prices).toBe(Math.ceil(loans / 8));
      let end = 0;
      for (let unit = 0; unit < units.prices; unit++) {
        const priced = pricedSteps(units, steps, unit, unit + 1);
        expect(priced.first, JSON.stringify({ steps, assets, unit })).toBe(end);
        expect(priced.end).toBeGreaterThan(end);
        expect(priced.first % 24).toBe(0);
        end = priced.end;
      }
      expect(end).toBe(steps);
      expect(pricedSteps(units, steps, 0, units.total)).toEqual({ first: 0, end: steps });
    }
  });

  it('has blocks whose prices fit the buffer of the device, of one path at least', () => {
    const month = bookOf(10_000, 744);
    const { pathBytes, blockPaths } = bookSize(month, 10, { bytes: 2 ** 29, parallelPaths: 2 ** 18 });
    // 744 steps, 31 days and 6 blocks of days with two extremes each, ten assets.
    expect(pathBytes).toBe(4 * 10 * (744 + 2 * (31 + 6)));
    // The 132 multiprocessors of a large GPU, as far as 512 MiB reach.
    expect(blockPaths).toBe(16_408);
    expect(bookSize(month, 5, { bytes: 2 ** 29, parallelPaths: 2 ** 18 }).blockPaths).toBe(132 * 128);
    // A software device.
    expect(bookSize(month, 10, { bytes: 2 ** 29, parallelPaths: 256 }).blockPaths).toBe(1024);
    // Few loans need more paths to occupy a device.
    expect(bookSize(bookOf(80, 744), 2, { bytes: 2 ** 29, parallelPaths: 2 ** 18 }).blockPaths).toBe(26_215);
    const long = bookSize(bookOf(10, 88_320), 32, { bytes: 2 ** 27, parallelPaths: 256 });
    expect(long.blockPaths * long.pathBytes).toBeLessThanOrEqual(2 ** 27);
    expect(long.blockPaths).toBe(10);
    expect(bookSize(month, 10, { bytes: 100, parallelPaths: 1 }).blockPaths).toBe(1);
  });
});
