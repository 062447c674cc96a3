import { describe, expect, it } from 'vitest';
import { correlationMatrix } from '#src/core/stats/correlation.js';

describe('correlationMatrix', () => {
  it('returns the value computed by hand', () => {
    // Deviations (-1, 0, 1) and (-4/3, 5/3, -1/3): 1 / sqrt(2 * 42/9).
    const rho = correlationMatrix([
      [1, 2, 3],
      [2, 5, 3],
    ]);
    expect(rho[1]).toBeCloseTo(1 / Math.sqrt((2 * 42) / 9), 15);
    expect(rho[2]).toBe(rho[1]);
    expect([rho[0], rho[3]]).toEqual([1, 1]);
  });

  it('is exactly 1 for identical samples and -1 for mirrored ones, whatever their scale', () => {
    const sample = Float64Array.from({ length: 30 }, (_, t) => Math.sin(t * t) * 1e-200);
    const rho = correlationMatrix([sample, sample, sample.map(x => -x)]);
    expect([...rho]).toEqual([1, 1, -1, 1, 1, -1, -1, -1, 1]);
  });

  it('is 0 for a constant sample, also one that is constant only up to rounding', () => {
    const moving = Float64Array.from({ length: 40 }, (_, t) => Math.sin(t));
    const almost = Float64Array.from({ length: 40 }, (_, t) => 0.1 + (t % 2) * 1.4e-17);
    const rho = correlationMatrix([moving, new Float64Array(40), new Float64Array(40).fill(0.3), almost]);
    expect([...rho]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect([...correlationMatrix([new Float64Array(40), moving])]).toEqual([1, 0, 0, 1]);
    // Four units in the last place are rounding, five are not.
    const withSpread = (units: number) => [1, 1 + 2 * units * Number.EPSILON];
    expect(correlationMatrix([[1, 2], withSpread(4)])[1]).toBe(0);
    expect(correlationMatrix([[1, 2], withSpread(5)])[1]).toBe(1);
  });

  it('is within 1 where rounding makes the quotient larger', () => {
    const sample = Array.from({ length: 7 }, (_, t) => Math.sin(t * t + 7));
    const rho = correlationMatrix([sample, sample.map(x => 3 * x), sample.map(x => -3 * x)]);
    expect([rho[1], rho[2]]).toEqual([1, -1]);
  });

  it('refuses no samples, unequal lengths, a single value and values that are not finite', () => {
    expect(() => correlationMatrix([])).toThrow(/samples is empty/);
    expect(() => correlationMatrix([[1, 2], [1]])).toThrow(/samples\[1\] has 1 values, samples\[0\] has 2/);
    expect(() => correlationMatrix([[1]])).toThrow(/at least 2/);
    expect(() => correlationMatrix([[1, Number.NaN]])).toThrow(/samples\[0\]\[1\] is NaN/);
  });
});
