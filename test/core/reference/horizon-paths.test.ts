/** C_h and L_h at horizons against one loop per formula, over the plain draws, words and rows. */

import { describe, expect, it } from 'vitest';
import type { BootstrapScenarios } from '#src/core/plan/model/bootstrap.js';
import type { FilteredHistoricalScenarios } from '#src/core/plan/model/filtered-historical.js';
import type { StudentTScenarios } from '#src/core/plan/model/student-t.js';
import type { ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { multiplierOfWord } from '#src/core/random/multiplier-table.js';
import { ScrambledSobol } from '#src/core/random/sobol.js';
import { BootstrapHorizons } from '#src/core/reference/bootstrap-paths.js';
import { FilteredHistoricalHorizons } from '#src/core/reference/filtered-historical-paths.js';
import { GbmHorizons, HistoricalHorizons } from '#src/core/reference/horizon-paths.js';
import { SobolHorizons } from '#src/core/reference/sobol-horizons.js';
import { StudentTHorizons } from '#src/core/reference/student-t-paths.js';
import { normalOf, wordOfDayOrRow } from '#src/core/rules/draws.js';
import { cumulant, nextRow } from '#src/core/rules/models.js';
import { heavyTailed } from '../../support/heavy-tails.ts';
import { Dice, randomGbm, randomHistory } from '../../support/random-plans.ts';

const SEED = 5;
const PATHS = [0, 7];
const PORTFOLIO = {
  collateralWeights: Float64Array.of(0.5, 0.2, 0.3, 0.4, 0.6),
  loanWeights: Float64Array.of(0.1, 0.7, 0.2, 0.5, 0.3),
};
const productOf = (
  terms: Pick<ValueAtRiskProduct, 'horizonYears'> | Pick<ValueAtRiskProduct, 'horizonSteps'>,
) => ({ portfolio: PORTFOLIO, ...terms }) as ValueAtRiskProduct;

/** C and L of the prices of the assets. */
const basketsOf = (prices: readonly number[]) =>
  [PORTFOLIO.collateralWeights, PORTFOLIO.loanWeights].map(weights =>
    prices.reduce((sum, price, i) => sum + weights[i] * price, 0),
  );

interface Horizons {
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  simulate(path: number): void;
}

/** @param pricesOf the prices of the assets at every horizon of a path */
function expectPaths(
  horizons: Horizons,
  pricesOf: (path: number) => readonly (readonly number[])[],
  digits = 12,
) {
  for (const path of PATHS) {
    horizons.simulate(path);
    pricesOf(path).forEach((prices, k) => {
      const [c, l] = basketsOf(prices);
      expect(horizons.collateral[k], `collateral at horizon ${k} of path ${path}`).toBeCloseTo(c, digits);
      expect(horizons.loan[k], `loan at horizon ${k} of path ${path}`).toBeCloseTo(l, digits);
    });
  }
}

/** The shock of the normals of a step, by the row of a factor. */
function shockOf(factor: Float64Array, assets: number, i: number, normal: (j: number) => number): number {
  let shock = 0;
  for (let j = 0; j < assets; j++) shock += factor[i * assets + j] * normal(j);
  return shock;
}
const parts = (values: ArrayLike<number>) =>
  Array.from(values, (value, k) => value - (k === 0 ? 0 : values[k - 1]));

describe('Prices at horizons', () => {
  it.each([2, 3, 5])('under GBM follow the formula from horizon to horizon, for %i assets', assets => {
    const scenarios = randomGbm(new Dice(3), assets);
    const { annualVolatility, factor } = scenarios;
    // More horizons than the 96 of a block, at unequal distances.
    const horizonYears = Float64Array.from({ length: 100 }, (_, k) => ((k + 1) * (k + 2)) / 20_000);
    expectPaths(new GbmHorizons(scenarios, SEED, productOf({ horizonYears }), 100), path => {
      const logs = new Array<number>(assets).fill(0);
      return parts(horizonYears).map((years, k) => {
        for (let i = 0; i < assets; i++)
          logs[i] +=
            Math.sqrt(years) * shockOf(factor, assets, i, j => normalOf(SEED, path, k, j)) -
            (annualVolatility[i] ** 2 * years) / 2;
        return logs.map(Math.exp);
      });
    });
  });

  it('at Sobol points follow the formula by components', () => {
    const { annualVolatility, factor: components } = randomGbm(new Dice(6), 3);
    const scenarios = { kind: 'gbm-sobol', assets: 3, annualVolatility, components } as const;
    const horizonYears = Float64Array.of(0.01, 0.03, 0.2);
    const product = productOf({ horizonYears });
    const points = new ScrambledSobol(SEED, 9, 4);
    const normals = new Float64Array(9);
    expectPaths(new SobolHorizons(scenarios, { seed: SEED, paths: 64, product }, 3), path => {
      points.fillNormals(path, normals);
      const logs = [0, 0, 0];
      return parts(horizonYears).map((years, k) => {
        for (let i = 0; i < 3; i++)
          logs[i] +=
            Math.sqrt(years) * shockOf(components, 3, i, j => normals[3 * k + j]) -
            (annualVolatility[i] ** 2 * years) / 2;
        return logs.map(Math.exp);
      });
    });
  });

  it("under Student's t have the multipliers of the days between them, by their parts", () => {
    const scenarios = heavyTailed('student-t', 3, 2) as StudentTScenarios;
    const { annualVolatility, factor, multiplier, multiplierCap } = scenarios;
    const days = [0.25, 0.5, 1, 2.75, 30];
    const product = productOf({ horizonYears: Float64Array.from(days, day => day / 365) });
    expectPaths(new StudentTHorizons(scenarios, SEED, product, days.length), path => {
      const logs = [0, 0, 0];
      return days.map((to, k) => {
        const from = k === 0 ? 0 : days[k - 1];
        let years = 0;
        for (let day = 0; day < 30; day++) {
          const w = Math.min(multiplierCap, multiplierOfWord(multiplier, wordOfDayOrRow(SEED, path, day)));
          years += (w * Math.max(0, Math.min(to, day + 1) - Math.max(from, day))) / 365;
        }
        for (let i = 0; i < 3; i++)
          logs[i] +=
            Math.sqrt(years) * shockOf(factor, 3, i, j => normalOf(SEED, path, k, j)) -
            (annualVolatility[i] ** 2 * years) / 2;
        return logs.map(Math.exp);
      });
    });
  });

  it('of residual rows are those of whole days, and of a bridge within a day', () => {
    const scenarios = heavyTailed('filtered-historical', 3, 2) as FilteredHistoricalScenarios;
    const { rows, factor, omega, alpha, beta, firstVariance, volatilityScale } = scenarios;
    const days = [0.25, 0.5, 1, 2.75, 4];
    const product = productOf({ horizonYears: Float64Array.from(days, day => day / 365) });
    const pricesOf = (path: number) => {
      const variance = [...firstVariance];
      const start = [0, 0, 0];
      const found: number[][] = [];
      for (let day = 0; day < 5; day++) {
        const row = nextRow(scenarios, SEED, path, day, 0);
        const a = variance.map(h => volatilityScale * Math.sqrt(h));
        const shock = a.map((deviation, i) => deviation * rows[3 * row + i]);
        const drift = a.map((deviation, i) => -cumulant(scenarios, i, deviation));
        const gone = [0, 0, 0];
        let from = 0;
        days.forEach((at, k) => {
          const to = at - day;
          if (to < 0 || to >= 1) return;
          for (let i = 0; i < 3; i++) {
            const noise = shockOf(factor, 3, i, j => normalOf(SEED, path, k, j));
            // The law of a Brownian bridge at `to`, given its place at `from` and its end.
            if (to > from)
              gone[i] +=
                ((to - from) / (1 - from)) * (shock[i] - gone[i]) +
                a[i] * Math.sqrt(((to - from) * (1 - to)) / (1 - from)) * noise;
          }
          from = to;
          found[k] = start.map((x, i) => Math.exp(x + gone[i] + to * drift[i]));
        });
        for (let i = 0; i < 3; i++) {
          start[i] += shock[i] + drift[i];
          variance[i] = omega[i] + (alpha[i] * rows[3 * row + i] ** 2 + beta[i]) * variance[i];
        }
      }
      return found;
    };
    // The table of cumulants is not exact.
    expectPaths(new FilteredHistoricalHorizons(scenarios, SEED, product, days.length), pricesOf, 9);
  });

  it.each(['bootstrap by days', 'bootstrap by hours'] as const)(
    'under %s are sums of rows and drifts',
    model => {
      const scenarios = heavyTailed(model, 3, 2) as BootstrapScenarios;
      const { rows, drift } = scenarios;
      const horizonSteps = Uint32Array.of(1, 2, 9, 40);
      expectPaths(new BootstrapHorizons(scenarios, SEED, productOf({ horizonSteps }), 4), path => {
        const logs = [0, 0, 0];
        let row = 0;
        const all = Array.from({ length: 40 }, (_, number) => {
          row = nextRow(scenarios, SEED, path, number, row);
          for (let i = 0; i < 3; i++)
            logs[i] += rows[3 * row + i] + drift[Math.min(number, drift.length / 3 - 1) * 3 + i];
          return logs.map(Math.exp);
        });
        return Array.from(horizonSteps, step => all[step - 1]);
      });
    },
  );

  it('of a window of history are those of its end over those of its begin', () => {
    const [lead, windows] = [9, 8];
    const scenarios = randomHistory(new Dice(4), 3, lead, windows);
    const horizonSteps = Uint32Array.of(1, 4, 9);
    expectPaths(new HistoricalHorizons(scenarios, PORTFOLIO, horizonSteps), path =>
      Array.from(horizonSteps, steps =>
        scenarios.prices.map(series => series[lead + path] / series[lead + path - steps]),
      ),
    );
  });
});
