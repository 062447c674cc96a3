import { describe, expect, it } from 'vitest';
import { exponential } from '#src/core/reference/exponential.js';
import { Dice } from '../../support/random-plans.ts';

describe('the exponential by table', () => {
  it('agrees with Math.exp to a few roundings over the whole range of prices', () => {
    const dice = new Dice(1);
    for (const range of [1e-9, 0.01, 1, 8, 20, 699]) {
      for (let i = 0; i < 4000; i++) {
        const x = dice.between(-range, range);
        // Both are within an error of 1e-15 of the truth.
        expect(Math.abs(exponential(x) / Math.exp(x) - 1), `x = ${x}`).toBeLessThan(2e-15);
      }
    }
  });

  it('agrees with it at every entry of its table, and next to its ends', () => {
    const ends = [7.9999999999999991, 7.998046875, 8, 8.000000000000002];
    const entries = Array.from({ length: 4095 }, (_, i) => (i - 2047) / 256);
    for (const x of [...ends, ...ends.map(end => -end), ...entries]) {
      expect(Math.abs(exponential(x) / Math.exp(x) - 1), `x = ${x}`).toBeLessThan(2e-15);
    }
  });

  it('is the entry of its table next to x times the series of the rest, and Math.exp beyond', () => {
    const dice = new Dice(2);
    for (let i = 0; i < 4000; i++) {
      const x = dice.between(-9, 9);
      const m = Math.round(x * 256);
      const r = x - m / 256;
      const series = 1 + r + r * r * (0.5 + r * (1 / 6) + r * r * (1 / 24));
      expect(exponential(x), `x = ${x}`).toBe(Math.abs(x) < 8 ? Math.exp(m / 256) * series : Math.exp(x));
    }
  });

  it('is exact at 0, and is Math.exp at the ends of the range of doubles', () => {
    expect(exponential(0)).toBe(1);
    expect(exponential(-0)).toBe(1);
    for (const x of [700, 710, 1e6, -700, -745, -1e6, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(exponential(x), `x = ${x}`).toBe(Math.exp(x));
    }
    expect(exponential(Number.NaN)).toBeNaN();
  });
});
