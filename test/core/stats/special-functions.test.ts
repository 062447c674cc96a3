/** Gamma, beta, normal and Student's t against SciPy. */
import { describe, expect, it } from 'vitest';
import {
  betaQuantile,
  chiSquareQuantile,
  logGamma,
  normalCdf,
  normalQuantile,
  regularisedBeta,
  regularisedGamma,
  twoSidedStudentT,
} from '#src/core/stats/special-functions.js';
import { relativeError, scipyNumbers } from '../../support/scipy-figures.ts';

describe('Special functions agree with SciPy', () => {
  it.each(scipyNumbers('gammaln'))('logGamma(%d)', (x, expected) => {
    // Scale 1: the logarithm is 0 at 1 and 2.
    expect(relativeError(logGamma(x), expected, 1)).toBeLessThan(3e-15 * 8);
  });

  it.each(scipyNumbers('beta'))('regularisedBeta and betaQuantile of %d, %d at %d', (a, b, x, p) => {
    // Rounding of x itself, one part in 2^53, moves p by up to a^(1/2) times as much.
    expect(relativeError(regularisedBeta(a, b, x), p)).toBeLessThan(1e-11);
    expect(relativeError(betaQuantile(a, b, p), x)).toBeLessThan(1e-9);
  });

  it.each(scipyNumbers('gamma'))(
    'regularisedGamma and chiSquareQuantile of %d at %d',
    (nu, x, low, high, p) => {
      const tails = regularisedGamma(nu / 2, x / 2);
      expect(relativeError(tails.lower, low)).toBeLessThan(1e-12);
      // Far in the lower tail, the upper one is 1 less a rounded number; SciPy's quantile there is good to 1e-8.
      expect(relativeError(tails.upper, high)).toBeLessThan(1e-11);
      expect(relativeError(chiSquareQuantile(nu, p, p > 0.5 ? 1 - p : undefined), x)).toBeLessThan(1e-8);
    },
  );

  it.each(scipyNumbers('normal'))('normalCdf(%d)', (x, expected) => {
    expect(relativeError(normalCdf(x), expected)).toBeLessThan(1e-12);
  });

  it.each(scipyNumbers('student'))('twoSidedStudentT with %d degrees of freedom at %d', (nu, level, t) => {
    expect(relativeError(twoSidedStudentT(nu, level), t)).toBeLessThan(1e-9);
  });
});

describe('Quantiles and distribution functions', () => {
  it.each([0.1, 0.5, 1, 3.3, 17, 99, 400])(
    'invert each other for chi-square with %d degrees of freedom',
    nu => {
      for (const p of [1e-12, 1e-6, 0.02, 0.5, 0.98, 1 - 1e-9])
        expect(
          relativeError(regularisedGamma(nu / 2, chiSquareQuantile(nu, p) / 2).lower, p),
          `p = ${p}`,
        ).toBeLessThan(1e-11);
    },
  );

  it('invert each other for the normal', () => {
    for (const p of [1e-15, 1e-4, 0.3, 0.5, 0.7, 0.9999])
      expect(relativeError(normalCdf(normalQuantile(p)), p), `p = ${p}`).toBeLessThan(1e-12);
  });

  it('of beta laws are 0 and 1 at their ends', () => {
    for (const a of [1e-3, 0.5, 1, 7, 1e5])
      for (const b of [1e-3, 1, 40]) {
        expect([regularisedBeta(a, b, 0), regularisedBeta(a, b, 1)]).toEqual([0, 1]);
        expect([betaQuantile(a, b, 0), betaQuantile(a, b, 1)]).toEqual([0, 1]);
      }
  });

  it('are exact at 0, and an exponential law at shape 1', () => {
    for (const shape of [0.5, 1, 30]) expect(regularisedGamma(shape, 0)).toEqual({ lower: 0, upper: 1 });
    for (const x of [0.01, 1, 1.9, 2, 2.1, 40]) {
      expect(relativeError(regularisedGamma(1, x).upper, Math.exp(-x)), `${x}`).toBeLessThan(1e-12);
      expect(relativeError(regularisedGamma(1, x).lower, -Math.expm1(-x)), `${x}`).toBeLessThan(1e-12);
    }
  });

  it.each([1, 2, 15, 16, 17, 30])('are sums of Poisson terms for shape %i', shape => {
    for (const x of [0.5 * shape, 0.99 * shape, shape, shape + 1, 1.5 * shape]) {
      let term = Math.exp(-x);
      let sum = term;
      for (let k = 1; k < shape; k++) {
        term *= x / k;
        sum += term;
      }
      expect(relativeError(regularisedGamma(shape, x).upper, sum), `x = ${x}`).toBeLessThan(1e-12);
    }
  });

  it('refuse arguments outside their domain', () => {
    expect(() => logGamma(0)).toThrow(RangeError);
    expect(() => regularisedBeta(0, 1, 0.5)).toThrow(RangeError);
    expect(() => regularisedBeta(1, 1, 1.5)).toThrow(RangeError);
    expect(() => betaQuantile(1, 1, Number.NaN)).toThrow(RangeError);
    expect(() => regularisedGamma(1, -1)).toThrow(RangeError);
    expect(() => chiSquareQuantile(3, 0)).toThrow(RangeError);
    expect(() => normalQuantile(1)).toThrow(RangeError);
  });
});
