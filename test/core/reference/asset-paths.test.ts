/** Log prices along a path against plain formulas over the same normals, day by day and over the blocks. */
import { describe, expect, it } from 'vitest';
import type { GarchScenarios, GbmScenarios } from '#src/core/plan/simulation-plan.js';
import { type AssetPaths, CorrelatedDraws, GarchPaths, GbmPaths } from '#src/core/reference/asset-paths.js';

const SEED = 77;
const ASSETS = 3;
/** Blocks of four days; the last one ends within its second day. */
const BLOCKS = [96, 96, 30];
const FACTOR = Float64Array.of(1, 0, 0, 0.6, 0.8, 0, -0.3, 0.5, 0.81);
const PATHS = [0, 5];

/** Per asset: its numbers of all steps. */
function joined(
  path: number,
  from: { start?: AssetPaths['start'] },
  next: (count: number) => readonly Float64Array[],
) {
  from.start?.(path);
  const all = Array.from({ length: ASSETS }, (): number[] => []);
  for (const count of BLOCKS)
    for (const [i, values] of next(count).entries()) all[i].push(...values.subarray(0, count));
  return all;
}
const pricesOf = (paths: AssetPaths, path: number) =>
  joined(path, paths, count => {
    paths.advance(count);
    return paths.logPrices;
  });

/** The independent normals of the assets of a path. */
function normalsOf(path: number): number[][] {
  const draws = new CorrelatedDraws(SEED, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), ASSETS);
  let step = 0;
  return joined(path, {}, count => {
    const out = Array.from({ length: ASSETS }, () => new Float64Array(96));
    draws.fill(path, step, count, out);
    step += count;
    return out;
  });
}
/** Their sums by the rows of the factor. */
const shocksOf = (path: number) => {
  const z = normalsOf(path);
  return z.map((_, i) =>
    z[0].map((__, t) => z.reduce((sum, values, j) => sum + FACTOR[ASSETS * i + j] * values[t], 0)),
  );
};
const expectEqual = (found: readonly number[][], expected: readonly number[][]) =>
  found.forEach((prices, i) => {
    prices.forEach((price, t) => {
      if (!(Math.abs(price - expected[i][t]) < 1e-12))
        expect(price, `asset ${i}, step ${t}`).toBe(expected[i][t]);
    });
  });

it('Normals differ between assets, paths and steps, and have a variance of 1', () => {
  const all = PATHS.flatMap(normalsOf);
  expect(new Set(all.flat()).size).toBe(2 * ASSETS * 222);
  const squares = all.flat().reduce((sum, z) => sum + z * z, 0) / all.flat().length;
  // Four standard errors of 1,332 squares.
  expect(Math.abs(squares - 1)).toBeLessThan(4 * Math.sqrt(2 / all.flat().length));
});

describe('The log price of an asset', () => {
  it('under GBM is the sum of its shocks and its drift, more on shifted paths of odd number', () => {
    const annualVolatility = Float64Array.of(0.5, 0.9, 0.2);
    const shift = Float64Array.of(0.001, -0.002, 0);
    const factor = FACTOR.map((f, k) => f * annualVolatility[Math.floor(k / ASSETS)]);
    const scenarios: GbmScenarios = { kind: 'gbm', assets: ASSETS, annualVolatility, factor };
    for (const path of PATHS) {
      const drift = (i: number) => -(annualVolatility[i] ** 2) / (2 * 8760) + (path % 2 === 1 ? shift[i] : 0);
      const expected = shocksOf(path).map((shocks, i) => {
        let x = 0;
        return shocks.map(e => {
          x += drift(i) + annualVolatility[i] * Math.sqrt(1 / 8760) * e;
          return x;
        });
      });
      expectEqual(pricesOf(new GbmPaths(scenarios, SEED, shift), path), expected);
    }
    const plain = pricesOf(new GbmPaths(scenarios, SEED), 5);
    const shifted = pricesOf(new GbmPaths(scenarios, SEED, shift), 5);
    expect(shifted[0][221] - plain[0][221]).toBeCloseTo(0.222, 10);
  });

  it('under GARCH has the variance of its day, which follows from the shocks of the day before', () => {
    const scenarios = {
      kind: 'garch',
      assets: ASSETS,
      omega: Float64Array.of(1e-4, 2e-4, 5e-5),
      alpha: Float64Array.of(0.3, 0.1, 0),
      beta: Float64Array.of(0.6, 0.85, 0),
      firstVariance: Float64Array.of(4e-3, 1e-3, 2e-3),
      factor: FACTOR,
      volatilityScale: 1.25,
    } as unknown as GarchScenarios;
    const paths = new GarchPaths(scenarios, SEED);
    // A later path begins as the first one does.
    for (const path of [...PATHS, 0]) {
      const expected = shocksOf(path).map((shocks, i) => {
        let x = 0;
        let h = scenarios.firstVariance[i];
        let day = 0;
        return shocks.map((z, t) => {
          if (t > 0 && t % 24 === 0) {
            h = scenarios.omega[i] + scenarios.alpha[i] * day ** 2 + scenarios.beta[i] * h;
            day = 0;
          }
          const e = Math.sqrt(h / 24) * z;
          day += e;
          x += 1.25 * e - (1.25 ** 2 * h) / 48;
          return x;
        });
      });
      expectEqual(pricesOf(paths, path), expected);
    }
  });
});
