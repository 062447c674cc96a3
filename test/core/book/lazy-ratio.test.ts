/** The searches of ratios by the day, against every step; thresholds are ratios of the path, too. */
import { describe, expect, it } from 'vitest';
import { DebtGrowth } from '#src/core/book/debt-growth.js';
import { LazyRatio } from '#src/core/book/lazy-ratio.js';
import { LazySeries } from '#src/core/book/lazy-series.js';
import { DAY_STEPS, PriceExtremes } from '#src/core/book/price-extremes.js';
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

/** Nine days of a collateral whose price is constant within each, against a debt at 1; bounds are the prices. */
function constantDays(prices: readonly number[]) {
  const path = new PriceExtremes(2, prices.length * DAY_STEPS);
  prices.forEach((price, d) => {
    path.prices[0].fill(price, d * DAY_STEPS, (d + 1) * DAY_STEPS);
    path.dayBounds[d] = price;
  });
  path.prices[1].fill(1);
  path.dayBounds.fill(1, 3 * path.days);
  path.blockBounds.fill(0, 0, 2 * path.blocks);
  path.blockBounds.fill(1, 2 * path.blocks);
  /** Per day: how many prices of it were read. */
  const reads = new Uint32Array(path.days);
  const counted = path.prices.map(
    values =>
      new Proxy(values, {
        get(target, key) {
          reads[Math.floor(Number(key) / DAY_STEPS)]++;
          return Reflect.get(target, key);
        },
      }),
  );
  const side = (...weights: number[]) => sparseWeights(Float64Array.of(...weights), 2);
  // Basket 0 is asset 0 against asset 1; basket 1 has eight times the collateral and twice the debt.
  const lazy = new LazyRatio(
    Object.create(path, { prices: { value: counted } }),
    side(1, 0, 8, 0),
    side(0, 1, 0, 2),
  );
  const daysRead = () => Array.from(reads, count => count / (2 * DAY_STEPS));
  return { lazy, daysRead };
}

describe('Of the days of a path', () => {
  const BOUND = 1 / (1 + 1e-12);

  it('each is summed once, and only where its bound is below the threshold', () => {
    const { lazy, daysRead } = constantDays([2, 1, 0.5, 2, 0.25, 2, 2, 0.125, 2]);
    lazy.open(0, 9 * DAY_STEPS, 10);
    // The bound of day 1 is the threshold, and day 2 has a lower ratio.
    for (const _ of [1, 2]) expect(lazy.isBelow(BOUND)).toBe(true);
    expect(daysRead()).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(lazy.firstBelow(0.25 * BOUND, 0)).toBe(7 * DAY_STEPS);
    expect(daysRead()).toEqual([0, 0, 1, 0, 0, 0, 0, 1, 0]);
    for (const _ of [1, 2]) expect(lazy.minimumBelow(0.25 * BOUND)).toBe(0.125);
    expect(daysRead()).toEqual([0, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(lazy.minimumBelow(1)).toBe(0.125);
    expect(daysRead()).toEqual([0, 1, 1, 0, 1, 0, 0, 1, 0]);
    expect([lazy.at(0), lazy.at(30), lazy.collateralAt(100), lazy.loanAt(5)]).toEqual([2, 1, 0.25, 1]);
    expect(lazy.firstOutside(0.75, 3, 0, 60)).toBe(2 * DAY_STEPS);
    expect(daysRead()).toEqual([1, 1, 1, 0, 1, 0, 0, 1, 0]);
  });

  it('none beyond the term is read, although it had a low bound for a longer term', () => {
    const { lazy, daysRead } = constantDays([2, 2, 2, 2, 2, 2, 2, 0.125, 2]);
    lazy.open(0, 9 * DAY_STEPS, 10);
    lazy.open(0, 7 * DAY_STEPS, 10);
    expect(lazy.isBelow(1)).toBe(false);
    expect(lazy.minimumBelow(1)).toBe(Number.POSITIVE_INFINITY);
    expect(lazy.firstBelow(1, 0)).toBe(7 * DAY_STEPS);
    expect(daysRead()).toEqual(new Array(9).fill(0));
  });

  it('none keeps the ratios of the baskets before', () => {
    const { lazy } = constantDays([1, 1, 1, 1, 1, 1, 1, 1, 1]);
    const open = (basket: number) => lazy.open(basket, 9 * DAY_STEPS, 10);
    open(0);
    lazy.firstOutside(0, 10, 0, 9 * DAY_STEPS - 1);
    open(1);
    // Ratios are 4; those of basket 0, which are 1, would be outside.
    for (const from of [0, 20]) expect(lazy.firstOutside(2, 10, from, 9 * DAY_STEPS - 1)).toBe(9 * DAY_STEPS);
    expect(lazy.firstOutside(2, 4, 30, 40)).toBe(30);
    expect(lazy.isBelow(2)).toBe(false);
    open(0);
    expect(lazy.isBelow(2)).toBe(true);
    expect(lazy.isBelow(1)).toBe(false);
    open(1);
    expect(lazy.isBelow(2)).toBe(false);
    expect(lazy.loanAt(3)).toBe(2);
  });

  it('none is searched again for what is known', () => {
    const { lazy } = constantDays([2, 1, 2, 2, 2, 2, 2, 2, 2]);
    lazy.open(0, 9 * DAY_STEPS, 10);
    // Its tables: a changed entry shows whether a search looks at it.
    const { low, ratio } = lazy as unknown as Record<'low' | 'ratio', Float64Array>;
    expect(lazy.isBelow(1.5)).toBe(true);
    low.fill(Number.POSITIVE_INFINITY);
    expect(lazy.isBelow(1.5)).toBe(true);
    low.fill(2);
    expect(lazy.isBelow(0.5)).toBe(false);
    low.fill(0);
    expect(lazy.isBelow(0.5)).toBe(false);
    ratio[30] = 7;
    expect(lazy.at(30)).toBe(7);
  });
});
