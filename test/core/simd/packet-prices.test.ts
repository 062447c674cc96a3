/** The prices of the kernel against those of the plain program. */
import { describe, expect, it } from 'vitest';
import { PacketPrices } from '#src/core/simd/packet-prices.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { HEAVY_TAILS, heavyTailed } from '../../support/heavy-tails.ts';
import { plainPrices } from '../../support/plain/paths.ts';
import { randomBook } from '../../support/random-books.ts';
import { Dice, randomGarch } from '../../support/random-plans.ts';

describe('prices of the kernel', () => {
  it.each([
    ['garch', randomGarch(new Dice(3), 4)] as const,
    ...HEAVY_TAILS.map(model => [model, heavyTailed(model, 4, 11)] as const),
  ])('are those of the plain program under %s', (_, scenarios) => {
    const kernel = loadKernel();
    const plan = { ...randomBook(7, 41, { assets: 4, loans: 3, baskets: 3, term: 150 }), scenarios };
    const { steps } = plan.product;
    const prices = new PacketPrices(kernel, scenarios, plan.seed, steps);
    const got = Array.from({ length: 4 }, () => new Float64Array(steps));
    for (const path of [0, 1, 6, 7]) {
      prices.simulate(path, got);
      const wanted = plainPrices(plan, path, steps);
      for (const [i, column] of got.entries()) {
        for (const [t, price] of column.entries()) {
          const told = `asset ${i} of path ${path} at step ${t + 1}`;
          // Tables are right to 1e-6 of a variance or a drift, and singles to as much over this term.
          expect(Math.abs(Math.log(price / wanted[t + 1][i])), told).toBeLessThan(1e-5);
        }
      }
    }
  });
});
