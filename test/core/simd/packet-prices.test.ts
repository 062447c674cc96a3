/** The prices of the kernel against those of the rules. */

import { describe, expect, it } from 'vitest';
import type { Scenarios } from '#src/core/plan/simulation-plan.js';
import { referenceModel } from '#src/core/reference/models.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { PacketPrices } from '#src/core/simd/packet-prices.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { HEAVY_TAILS, heavyTailed } from '../../support/heavy-tails.ts';
import { randomBook } from '../../support/random-books.ts';
import { Dice, randomGarch } from '../../support/random-plans.ts';

describe('prices of the kernel', () => {
  it.each([
    ['garch', randomGarch(new Dice(3), 4)] as const,
    ...HEAVY_TAILS.map(model => [model, heavyTailed(model, 4, 11)] as const),
  ])('are those of the rules under %s', (_, scenarios) => {
    const kernel = loadKernel();
    const plan = { ...randomBook(7, 41, { assets: 4, loans: 3, baskets: 3, term: 150 }), scenarios };
    const { steps } = plan.product;
    const prices = new PacketPrices(kernel, scenarios, plan.seed, steps);
    const got = Array.from({ length: 4 }, () => new Float64Array(steps));
    for (const path of [0, 1, 6, 7]) {
      prices.simulate(path, got);
      const wanted = pricesOnPath(plan, path, steps);
      for (const [i, column] of got.entries()) {
        for (const [t, price] of column.entries()) {
          const told = `asset ${i} of path ${path} at step ${t + 1}`;
          // Tables are right to 1e-6 of a variance or a drift, and singles to as much over this term.
          expect(Math.abs(Math.log(price / wanted[t + 1][i])), told).toBeLessThan(1e-5);
        }
      }
    }
  });

  it('are within the range of normal singles, 2^-126 to 2^126', () => {
    const steps = 30;
    const prices = new PacketPrices(loadKernel(), bootstrapOf([10, -10]), 1, steps);
    const got = [new Float64Array(steps), new Float64Array(steps)];
    prices.simulate(3, got);
    const wanted = (sign: number) =>
      Array.from({ length: steps }, (_, t) => 2 ** (sign * Math.min(10 * (t + 1), 126)));
    expect([...got[0]]).toEqual(wanted(1));
    expect([...got[1]]).toEqual(wanted(-1));
  });

  it('are those of the reference where the deviation of a day is beyond the table of cumulants', () => {
    const scenarios = heavyTailed('filtered-historical', 2, 11);
    if (scenarios.kind !== 'filtered-historical') throw new Error(scenarios.kind);
    const steps = 24;
    const random = randomBook(7, 41, { assets: 2, loans: 3, baskets: 3, term: steps, saleDelaySteps: 0 });
    for (const deviation of [15.9, 16, 20]) {
      const variance = (deviation / scenarios.volatilityScale) ** 2;
      const plan = {
        ...random,
        scenarios: { ...scenarios, firstVariance: scenarios.firstVariance.map(() => variance) },
      };
      const prices = new PacketPrices(loadKernel(), plan.scenarios, plan.seed, steps);
      const reference = referenceModel(plan).prices(plan, steps);
      const columns = () => [new Float64Array(steps), new Float64Array(steps)];
      const [got, wanted] = [columns(), columns()];
      for (let path = 0; path < 16; path++) {
        prices.simulate(path, got);
        reference.simulate(path, wanted);
        for (const [i, column] of got.entries())
          for (const [t, price] of column.entries()) {
            const log = Math.log(wanted[i][t]);
            const told = `deviation ${deviation}, asset ${i} of path ${path} at step ${t + 1}: ${log}`;
            if (Math.abs(log) < 87) expect(Math.abs(Math.log(price) - log), told).toBeLessThan(2e-4);
          }
      }
    }
  });
});

/** Prices that move by powers of two every hour, a constant one for each asset. */
function bootstrapOf(powers: readonly number[]): Scenarios {
  const assets = powers.length;
  return {
    kind: 'bootstrap',
    assets,
    stepsPerRow: 1,
    blockRows: 1,
    rows: Float64Array.from(powers, power => power * Math.LN2),
    drift: new Float64Array(assets),
    deviation: new Float64Array(assets),
    factor: new Float64Array(assets * assets),
  };
}
