/** Principal components of a covariance: the same covariance, by falling variance, singular ones among them. */
import { describe, expect, it } from 'vitest';
import { principalComponents } from '#src/models/calibration/correlation-factor.js';
import { Dice, randomGbm } from '../../support/random-plans.ts';

const covariance = (factor: Float64Array, n: number) =>
  Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    let sum = 0;
    for (let c = 0; c < n; c++) sum += factor[i * n + c] * factor[j * n + c];
    return sum;
  });

const columnVariances = (factor: Float64Array, n: number) =>
  Array.from({ length: n }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += factor[i * n + j] ** 2;
    return sum;
  });

/** Columns are orthogonal: the inner product of any two, over their lengths. */
function largestCosine(factor: Float64Array, n: number): number {
  const variances = columnVariances(factor, n);
  let largest = 0;
  for (let a = 0; a < n; a++)
    for (let b = 0; b < a; b++) {
      let product = 0;
      for (let i = 0; i < n; i++) product += factor[i * n + a] * factor[i * n + b];
      const scale = Math.sqrt(variances[a] * variances[b]);
      if (scale > 0) largest = Math.max(largest, Math.abs(product) / scale);
    }
  return largest;
}

describe('principal components', () => {
  it.each([1, 2, 5, 32])('of %i assets are orthogonal, by falling variance, and make the covariance', n => {
    for (let seed = 0; seed < 10; seed++) {
      const { factor } = randomGbm(new Dice(seed), n);
      const components = principalComponents(factor, n);
      const told = `seed ${seed}`;
      const wanted = covariance(factor, n);
      // Rounding of an eigenvalue problem of 32 assets with variances up to 2.6.
      covariance(components, n).forEach((value, k) => {
        expect(Math.abs(value - wanted[k]), `${told}, element ${k}`).toBeLessThan(1e-12);
      });
      const variances = columnVariances(components, n);
      expect(variances, told).toEqual(variances.toSorted((a, b) => b - a));
      expect(largestCosine(components, n), told).toBeLessThan(1e-10);
    }
  });

  it('have a positive entry where a column is largest in size', () => {
    for (let seed = 0; seed < 20; seed++) {
      const components = principalComponents(randomGbm(new Dice(seed), 3).factor, 3);
      for (const j of [0, 1, 2]) {
        const column = [0, 1, 2].map(i => components[i * 3 + j]);
        expect(Math.max(...column), `seed ${seed}, column ${j}`).toBe(Math.max(...column.map(Math.abs)));
      }
    }
  });

  it('of two assets that move as one, and one that does not move, are one column', () => {
    // sigma 0.8, 0.4 with correlation 1, and 0.
    const components = principalComponents(Float64Array.of(0.8, 0, 0, 0.4, 0, 0, 0, 0, 0), 3);
    expect(Array.from(components, value => Number(value.toFixed(12)))).toEqual([
      0.8, 0, 0, 0.4, 0, 0, 0, 0, 0,
    ]);
  });

  it('of assets that do not move are zeros', () => {
    expect(principalComponents(new Float64Array(4), 2)).toEqual(new Float64Array(4));
  });
});
