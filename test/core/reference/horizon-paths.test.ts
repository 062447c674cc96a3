/** C_h and L_h at horizons against one loop per formula, over the plain draws. */
import { expect, it } from 'vitest';
import type { ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { GbmHorizons, HistoricalHorizons } from '#src/core/reference/horizon-paths.js';
import { plainDraw } from '../../support/plain/paths.ts';
import { Dice, randomGbm, randomHistory } from '../../support/random-plans.ts';

const SEED = 5;
const PORTFOLIO = {
  collateralWeights: Float64Array.of(0.5, 0.2, 0.3),
  loanWeights: Float64Array.of(0.1, 0.7, 0.2),
};

/** C and L of the prices of the assets. */
const basketsOf = (prices: readonly number[]) =>
  [PORTFOLIO.collateralWeights, PORTFOLIO.loanWeights].map(weights =>
    prices.reduce((sum, price, i) => sum + weights[i] * price, 0),
  );

function expectBaskets(
  { collateral, loan }: { readonly collateral: Float64Array; readonly loan: Float64Array },
  pricesAt: (k: number) => readonly number[],
) {
  for (let k = 0; k < collateral.length; k++) {
    const [c, l] = basketsOf(pricesAt(k));
    expect(collateral[k], `collateral at horizon ${k}`).toBeCloseTo(c, 12);
    expect(loan[k], `loan at horizon ${k}`).toBeCloseTo(l, 12);
  }
}

it.each([2, 3])('Prices of %i assets under GBM follow the formula from horizon to horizon', assets => {
  const scenarios = randomGbm(new Dice(3), assets);
  const { annualVolatility, factor } = scenarios;
  // More horizons than the 96 of a block, at unequal distances.
  const horizonYears = Float64Array.from({ length: 100 }, (_, k) => ((k + 1) * (k + 2)) / 20_000);
  const product = { portfolio: PORTFOLIO, horizonYears } as ValueAtRiskProduct;
  const paths = new GbmHorizons(scenarios, SEED, product, horizonYears.length);
  for (const path of [0, 7]) {
    paths.simulate(path);
    const logs = new Array<number>(assets).fill(0);
    const prices = Array.from(horizonYears, (years, k) => {
      const step = k === 0 ? years : years - horizonYears[k - 1];
      for (let i = 0; i < assets; i++) {
        let shock = 0;
        for (let j = 0; j < assets; j++) shock += factor[i * assets + j] * plainDraw(SEED, path, k, j);
        logs[i] += Math.sqrt(step) * shock - (annualVolatility[i] ** 2 * step) / 2;
      }
      return logs.map(Math.exp);
    });
    expectBaskets(paths, k => prices[k]);
  }
});

it('Prices of a window of history are those of its end over those of its begin', () => {
  const [lead, windows] = [9, 4];
  const scenarios = randomHistory(new Dice(4), 3, lead, windows);
  const horizonSteps = Uint32Array.of(1, 4, 9);
  const paths = new HistoricalHorizons(scenarios, PORTFOLIO, horizonSteps);
  for (const path of [windows - 1, 0]) {
    paths.simulate(path);
    const end = lead + path;
    expectBaskets(paths, k => scenarios.prices.map(series => series[end] / series[end - horizonSteps[k]]));
  }
});
