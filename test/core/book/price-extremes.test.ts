/** Bounds of prices over blocks of a path, against the lowest and highest prices themselves. */
import { describe, expect, it } from 'vitest';
import { PriceExtremes } from '#src/core/book/price-extremes.js';

const ASSETS = 3;

/** Prices over many powers of ten, the same on every run. */
const priceAt = (asset: number, t: number) =>
  10 ** (100 * Math.sin(asset + t * t)) * (1 + Math.abs(Math.sin(7 * t + asset)));

describe('The bounds of the prices of a path', () => {
  it.each([1, 5, 6, 7, 24, 145, 744])('are those of the lowest and highest prices over %i steps', steps => {
    const path = new PriceExtremes(ASSETS, steps);
    path.prices.forEach((prices, i) => {
      for (let t = 0; t < steps; t++) prices[t] = priceAt(i, t);
    });
    path.update();
    for (const [bounds, width] of [
      [path.quarterBounds, 6],
      [path.dayBounds, 24],
      [path.blockBounds, 144],
      [path.pathBounds, steps],
    ] as const) {
      const blocks = Math.ceil(steps / width);
      expect(bounds.length).toBe(2 * ASSETS * blocks);
      for (let i = 0; i < ASSETS; i++)
        for (let b = 0; b < blocks; b++) {
          const prices = path.prices[i].subarray(b * width, (b + 1) * width);
          const least = Math.min(...prices);
          const most = Math.max(...prices);
          const inputs = `asset ${i}, block ${b} of ${width} steps`;
          const low = bounds[i * blocks + b];
          const high = bounds[(ASSETS + i) * blocks + b];
          expect(low, inputs).toBeLessThanOrEqual(least);
          expect(high, inputs).toBeGreaterThanOrEqual(most);
          // The high word of a double has 20 bits behind its leading one.
          expect(low / least, inputs).toBeGreaterThan(1 - 2 ** -20);
          expect(high / most, inputs).toBeLessThanOrEqual(1 + 2 ** -20);
        }
    }
    expect(path.highest).toBe(Math.max(...path.pathBounds.subarray(ASSETS)));
    // Those of another path, whose prices are all lower, and below 1.
    for (const prices of path.prices) prices.fill(0.25);
    path.update();
    expect(path.highest).toBe(0.25 * (1 + 2 ** -20));
  });

  it('are infinite where a price is infinite', () => {
    const path = new PriceExtremes(1, 8);
    path.prices[0].fill(1);
    // In a whole quarter, then also in the rest of one.
    for (const [step, restBound] of [
      [3, 1 + 2 ** -20],
      [7, Number.POSITIVE_INFINITY],
    ]) {
      path.prices[0][step] = Number.POSITIVE_INFINITY;
      path.update();
      expect([...path.quarterBounds]).toEqual([1, 1, Number.POSITIVE_INFINITY, restBound]);
      expect(path.highest).toBe(Number.POSITIVE_INFINITY);
    }
  });
});
