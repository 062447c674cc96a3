/** The searches of ratios by the day, against every step; thresholds are ratios of the path, too. */
import { describe, expect, it } from 'vitest';
import { DebtGrowth } from '#src/core/book/debt-growth.js';
import { LazyRatio } from '#src/core/book/lazy-ratio.js';
import { LazySeries } from '#src/core/book/lazy-series.js';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { sparseWeights } from '#src/core/book/signed-terms.js';
import { CASES, COLLATERAL, LOAN, madeOf, startsOf } from '../../support/book-ratios.ts';

describe('Ratios by the day', () => {
  it.each(CASES)('are those of every step: $steps steps, basket $basket, growth $perStep', test => {
    const { path, sides, growth, ratios, thresholds, collateralAt, debtAt, firstOf } = madeOf(test);
    const { steps, basket } = test;
    const lazy = new LazyRatio(path, sides[0], sides[1]);
    // Another basket first, whose days are of no use for this one.
    lazy.open((basket + 1) % 3, steps, 100, growth);
    lazy.isBelow(100);
    lazy.open(basket, steps, 100, growth, true);
    const own = Array.from({ length: steps }, (_, t) => lazy.at(t));
    own.forEach((ratio, t) => {
      expect(ratio).toBeCloseTo(ratios[t], 12);
      ratios[t] = ratio;
    });
    for (const t of [...startsOf(steps), steps + 29]) {
      expect(lazy.collateralAt(t)).toBeCloseTo(collateralAt(t), 12);
      expect(lazy.loanAt(t)).toBeCloseTo(debtAt(t), 12);
    }
    const lowest = Math.min(...own);
    for (const threshold of thresholds.map(each => own.find(r => Math.abs(r / each - 1) < 1e-14) ?? each)) {
      const inputs = `threshold ${threshold}`;
      for (const always of [false, true]) {
        const opened = lazy.open(basket, steps, threshold, growth, always);
        if (!opened) expect(lowest, inputs).toBeGreaterThanOrEqual(threshold);
        if (!opened && !always) continue;
        // Twice: what the first found is known then.
        for (const _ of [1, 2]) expect(lazy.isBelow(threshold), inputs).toBe(lowest < threshold);
        expect(lazy.isBelow(threshold * 0.9)).toBe(lowest < threshold * 0.9);
        expect(lazy.minimumBelow(threshold)).toBe(lowest < threshold ? lowest : Number.POSITIVE_INFINITY);
        for (const from of startsOf(steps)) {
          expect(lazy.firstBelow(threshold, from)).toBe(firstOf(from, steps - 1, r => r < threshold));
          for (const to of [from, Math.min(steps - 1, from + 40), steps - 1])
            expect(lazy.firstOutside(threshold, threshold * 1.05, from, to)).toBe(
              firstOf(from, to, r => r < threshold || r >= threshold * 1.05),
            );
        }
      }
    }
    expect(lazy.open(basket, steps, 0.01, growth)).toBe(false);
    const series = new LazySeries(lazy);
    lazy.open(basket, steps, 100, growth, true);
    series.turnTo(basket, steps);
    const start = [COLLATERAL, LOAN].map(rows => rows[basket].reduce((sum, w) => sum + w, 0));
    expect([series.collateralAt(0), series.debtAt(0)]).toEqual([
      expect.closeTo(start[0], 12),
      expect.closeTo(start[1], 12),
    ]);
    expect(series.at(0)).toBeCloseTo(start[0] / start[1], 12);
    for (const t of [1, 2, steps]) expect(series.at(t)).toBe(ratios[t - 1]);
    expect(series.at(steps + 1)).toBeCloseTo(ratios[steps], 12);
    expect(series.collateralAt(3)).toBeCloseTo(collateralAt(2), 12);
    expect(series.debtAt(3)).toBeCloseTo(debtAt(2), 12);
    for (const to of [2, 3, 4, 8, 20]) {
      expect(series.firstBelow(0.98, 2, to), `to ${to}`).toBe(firstOf(1, to - 1, r => r < 0.98) + 1);
      const outside = firstOf(1, to - 1, r => r < 0.98 || r >= 1.02) + 1;
      expect(series.firstOutside(0.98, 1.02, 2, to), `to ${to}`).toBe(outside);
    }
  });
});

it('A ratio falls with the growth of the debt where prices stand still', () => {
  const steps = 170;
  const path = new PriceExtremes(2, steps);
  for (const prices of path.prices) prices.fill(1);
  path.update();
  const side = (...weights: number[]) => sparseWeights(Float64Array.from(weights), 2);
  const lazy = new LazyRatio(path, side(1, 0), side(0, 1));
  // To exp(-0.051) at the end.
  const growth = new DebtGrowth(3e-4, path.days);
  expect(lazy.open(0, steps, 0.94, growth)).toBe(false);
  expect(lazy.open(0, steps, 0.97, growth)).toBe(true);
  expect(lazy.isBelow(0.97)).toBe(true);
  expect(lazy.firstBelow(0.97, 0)).toBe(Math.floor(-Math.log(0.97) / 3e-4));
});
