import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlationMatrix } from '#src/core/stats/correlation.js';
import { correlationFactor } from '#src/models/calibration/correlation-factor.js';

/** Largest |(A A' - rho)_ij|, and checks of every factor. */
function largestError(rho: Float64Array, n: number): number {
  const a = correlationFactor(rho, n);
  let largest = 0;
  for (let i = 0; i < n; i++) {
    expect(a[i * n + i]).toBeGreaterThanOrEqual(0);
    for (let j = 0; j < n; j++) {
      if (j > i) expect(a[i * n + j]).toBe(0);
      let product = 0;
      for (let k = 0; k < n; k++) product += a[i * n + k] * a[j * n + k];
      largest = Math.max(largest, Math.abs(product - rho[i * n + j]));
    }
  }
  return largest;
}

/** Linear congruential numbers in (-1, 1): samples that do not depend on the code under test. */
function uniforms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2147483648 - 1;
  };
}

const samplesOf = (n: number, length: number, seed: number): Float64Array[] => {
  const draw = uniforms(seed);
  return Array.from({ length: n }, () => Float64Array.from({ length }, draw));
};

/** 32 assets in double precision: about 32 x 2^-52 per entry, with a factor of ten in hand. */
const TOLERANCE = 1e-13;

describe('correlationFactor', () => {
  it('is the textbook factor of two assets', () => {
    const a = correlationFactor(Float64Array.of(1, 0.6, 0.6, 1), 2);
    expect(a[0]).toBeCloseTo(1, 15);
    expect(a[2]).toBeCloseTo(0.6, 15);
    expect(a[3]).toBeCloseTo(0.8, 15);
  });

  it('of independent assets is the identity, exactly', () => {
    const identity = Float64Array.from({ length: 49 }, (_, k) => (k % 8 === 0 ? 1 : 0));
    expect([...correlationFactor(identity, 7)]).toEqual([...identity]);
    expect([...correlationFactor(Float64Array.of(1), 1)]).toEqual([1]);
  });

  it('reproduces the singular correlations of 32 assets from 30 returns', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const rho = correlationMatrix(samplesOf(32, 30, seed));
      expect(largestError(rho, 32), `seed ${seed}`).toBeLessThan(TOLERANCE);
    }
  });

  it('accepts duplicated, mirrored and constant assets', () => {
    const [x, y] = samplesOf(2, 50, 7);
    const mirrored = y.map(v => -2 * v);
    const rho = correlationMatrix([x, x, y, mirrored, new Float64Array(50), x.map(v => 3 * v), y]);
    expect(largestError(rho, 7)).toBeLessThan(TOLERANCE);
    const a = correlationFactor(rho, 7);
    // A duplicate follows its twin and has no noise of its own.
    for (const [row, own] of [
      [1, 1],
      [3, 3],
      [5, 5],
      [6, 6],
    ]) {
      expect(a[row * 7 + own], `diagonal ${row}`).toBeLessThan(TOLERANCE);
    }
    expect(largestError(new Float64Array(32 * 32).fill(1), 32)).toBeLessThan(TOLERANCE);
  });

  it('reproduces nearly singular correlations, with the differences between near copies', () => {
    const [x, y] = samplesOf(2, 60, 11);
    for (const distance of [1e-3, 1e-5, 1e-7, 1e-8, 1e-10]) {
      const rho = correlationMatrix([x, x.map((v, t) => v + distance * y[t]), y]);
      expect(largestError(rho, 3), `distance ${distance}`).toBeLessThan(TOLERANCE);
    }
  });

  it('reproduces the correlations of any returns', () => {
    const value = fc.oneof(fc.double({ noNaN: true, min: -1, max: 1 }), fc.constantFrom(0, 0.5, 1e-9));
    const panel = fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 10 }))
      .chain(([n, length]) =>
        fc.array(fc.array(value, { minLength: length, maxLength: length }), { minLength: n, maxLength: n }),
      );
    fc.assert(
      fc.property(panel, samples => {
        expect(largestError(correlationMatrix(samples), samples.length)).toBeLessThan(TOLERANCE);
      }),
      { numRuns: 500 },
    );
  });

  it('has rows of norm 1 where an eigenvalue is below zero', () => {
    // Three assets of correlation -1/2 - 2.5e-11 have the eigenvalue -5e-11, which counts as 0.
    const r = -0.5 - 2.5e-11;
    const factor = correlationFactor(Float64Array.of(1, r, r, r, 1, r, r, r, 1), 3);
    for (const row of [0, 1, 2]) {
      expect(Math.hypot(...factor.subarray(3 * row, 3 * row + 3)), `row ${row}`).toBeCloseTo(1, 14);
    }
  });

  it('returns the same bits for the same input', () => {
    const rho = correlationMatrix(samplesOf(16, 20, 3));
    expect(correlationFactor(rho, 16)).toEqual(correlationFactor(rho.slice(), 16));
  });

  it('refuses an indefinite matrix, and a matrix that is not of correlations', () => {
    // Three assets cannot each be correlated -0.6 with the other two.
    const impossible = Float64Array.of(1, -0.6, -0.6, -0.6, 1, -0.6, -0.6, -0.6, 1);
    expect(() => correlationFactor(impossible, 3)).toThrow(/eigenvalue -0\.2.*not positive semidefinite/);
    expect(() => correlationFactor(Float64Array.of(1, 0.5, 0.4, 1), 2)).toThrow(/equal numbers/);
    expect(() => correlationFactor(Float64Array.of(1, Number.NaN, Number.NaN, 1), 2)).toThrow(/NaN/);
    expect(() => correlationFactor(Float64Array.of(2), 1)).toThrow(/\[0\]\[0\] is 2/);
    expect(() => correlationFactor(Float64Array.of(1), 2)).toThrow(/1 entries, 2 assets need 4/);
  });
});
