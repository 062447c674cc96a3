/**
 * The searches of ratios along a path, with bounds or by signs of sums, against every step; baskets of up to seven
 * assets, debts that grow or fall, thresholds that are ratios of the path.
 */
import { describe, expect, it } from 'vitest';
import { DebtGrowth, debtGrowths, START } from '#src/core/book/debt-growth.js';
import { LazyRatio } from '#src/core/book/lazy-ratio.js';
import { LazySeries } from '#src/core/book/lazy-series.js';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { SignedBasket } from '#src/core/book/signed-basket.js';
import { signedTerms, sparseWeights } from '#src/core/book/signed-terms.js';
import { Dice } from '../../support/random-plans.ts';

const ASSETS = 7;
/** Of two, five and seven assets; some are on both sides. */
const COLLATERAL = [
  [1, 0, 0, 0, 0, 0, 0],
  [0, 0.5, 0.3, 0, 0.2, 0.4, 0],
  [0.1, 0.2, 0.3, 0.1, 0.1, 0.2, 0.1],
];
const LOAN = [
  [0, 0, 0, 0, 0, 0, 1],
  [0, 0.2, 0, 0, 0, 0, 1.1],
  [0, 0.1, 0, 0.2, 0, 0.3, 0.4],
];
const GROWTHS = [0, 3e-4, -3e-4];
const CASES = [30, 170].flatMap(steps =>
  [0, 1, 2].flatMap(basket =>
    GROWTHS.map((perStep, k) => ({ steps, basket, perStep, seed: 10 * basket + k })),
  ),
);

/** A path, and the ratios of a basket at each of its steps, by plain sums. */
function madeOf({ steps, basket, perStep, seed }: (typeof CASES)[number]) {
  const dice = new Dice(seed + steps);
  // Longer than the term, as the path of a book with longer terms.
  const path = new PriceExtremes(ASSETS, steps + 30);
  for (const prices of path.prices) {
    let price = 1;
    for (let t = 0; t < prices.length; t++) {
      price *= Math.exp(dice.between(-0.03, 0.03));
      prices[t] = price;
    }
  }
  path.update();
  const sides = [COLLATERAL, LOAN].map(rows => sparseWeights(Float64Array.from(rows.flat()), ASSETS));
  const growth = perStep === 0 ? undefined : new DebtGrowth(perStep, path.days);
  const sumAt = (weights: readonly number[], t: number) =>
    weights.reduce((sum, w, i) => (w === 0 ? sum : sum + w * path.prices[i][t]), 0);
  const collateralAt = (t: number) => sumAt(COLLATERAL[basket], t);
  const debtAt = (t: number) => sumAt(LOAN[basket], t) * (growth?.at(t) ?? 1);
  const ratios = Array.from({ length: steps + 30 }, (_, t) => collateralAt(t) / debtAt(t));
  const inTerm = ratios.slice(0, steps);
  const sorted = inTerm.toSorted((a, b) => a - b);
  // Ratios of the path itself, which are not below themselves, and others.
  const thresholds = [
    0.5,
    0.9,
    1,
    1.1,
    ...[0, 1, 0.05 * steps, 0.5 * steps, steps - 1].map(k => sorted[Math.floor(k)]),
  ];
  const firstOf = (from: number, to: number, is: (ratio: number) => boolean) => {
    for (let t = from; t <= to; t++) if (is(ratios[t])) return t;
    return to + 1;
  };
  return { path, sides, growth, ratios, inTerm, thresholds, collateralAt, debtAt, firstOf };
}
const startsOf = (steps: number) =>
  [0, 1, 5, 6, 23, 24, 25, Math.floor(steps / 2), steps - 1].filter(t => t < steps);

describe('Ratios by signs of sums', () => {
  it.each(CASES)('are those of every step: $steps steps, basket $basket, growth $perStep', test => {
    const { path, sides, growth, ratios, inTerm, thresholds, collateralAt, debtAt, firstOf } = madeOf(test);
    const { steps, basket } = test;
    const signed = new SignedBasket(path, signedTerms(sides[0], sides[1]));
    signed.turnTo(basket, steps, growth);
    for (const t of [...startsOf(steps), steps + 29]) {
      expect(signed.at(t)).toBeCloseTo(ratios[t], 12);
      expect(signed.collateralAt(t)).toBeCloseTo(collateralAt(t), 12);
      expect(signed.loanAt(t)).toBeCloseTo(debtAt(t), 12);
    }
    const whole = (weights: readonly number[]) => weights.reduce((sum, w) => sum + w, 0);
    expect(signed.at(START)).toBeCloseTo(whole(COLLATERAL[basket]) / whole(LOAN[basket]), 12);
    // Quotients as they are compared.
    inTerm.forEach((_, t) => {
      ratios[t] = signed.at(t);
    });
    for (const threshold of thresholds.map(
      each => ratios.find(r => Math.abs(r / each - 1) < 1e-14) ?? each,
    )) {
      const lowest = Math.min(...ratios.slice(0, steps));
      const isOpen = signed.open(basket, threshold, steps, growth);
      if (!isOpen) expect(lowest).toBeGreaterThanOrEqual(threshold);
      for (const from of startsOf(steps)) {
        const inputs = `threshold ${threshold}, from ${from}`;
        const first = firstOf(from, steps - 1, r => r < threshold);
        signed.open(basket, threshold, steps, growth);
        expect(signed.firstBelow(from), inputs).toBe(first);
        const least = Math.min(threshold, ...ratios.slice(from, steps));
        expect(signed.lowestBelow(from), inputs).toBe(least);
        for (const to of [from, Math.min(steps - 1, from + 40), steps - 1]) {
          const high = threshold * 1.05;
          expect(signed.firstOutside(threshold, high, from, to)).toBe(
            firstOf(from, to, r => r < threshold || r >= high),
          );
          expect(signed.firstOutside(0, threshold, from, to)).toBe(firstOf(from, to, r => r >= threshold));
          expect(signed.firstNotBelow(threshold, from, to)).toBe(firstOf(from, to, r => r >= threshold));
          if (firstOf(from, to, r => r < threshold) <= to)
            expect(signed.mayFallBelow(threshold, from, to), inputs).toBe(true);
        }
      }
    }
    // Far above every ratio of the day something may fall below it, far below none.
    expect(signed.mayFallBelow(100, 0, steps - 1)).toBe(true);
    expect(signed.mayFallBelow(0.01, 0, steps - 1)).toBe(false);
    expect(signed.open(basket, 0.01, steps, growth)).toBe(false);
    expect(signed.open(basket, 100, steps, growth)).toBe(true);
  });
});

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
    expect(series.firstBelow(0.98, 2, 20)).toBe(firstOf(1, 19, r => r < 0.98) + 1);
    expect(series.firstOutside(0.98, 1.02, 2, 20)).toBe(firstOf(1, 19, r => r < 0.98 || r >= 1.02) + 1);
  });
});

describe('The growth of a debt', () => {
  it.each([2e-4, -2e-4])(
    'of %d a step has its largest values at the end of its days, or at their begin',
    perStep => {
      const growth = new DebtGrowth(perStep, 3);
      const at = (index: number) => Math.exp(perStep * (index + 1));
      for (const index of [START, 0, 1, 23, 24, 25, 71]) expect(growth.at(index)).toBeCloseTo(at(index), 13);
      const rises = perStep > 0;
      [0, 1, 2].forEach(day => {
        expect(growth.mostOfDay[day]).toBeCloseTo(at(rises ? 24 * day + 23 : 24 * day), 13);
      });
      expect(growth.mostBetween(0, 2)).toBe(growth.mostOfDay[rises ? 1 : 0]);
      expect(growth.mostBetween(1, 3)).toBe(growth.mostOfDay[rises ? 2 : 1]);
      expect(growth.mostOf(5, 30)).toBeCloseTo(at(rises ? 30 : 5), 13);
      expect(growth.leastOf(5, 30)).toBeCloseTo(at(rises ? 5 : 30), 13);
      expect(growth.mostOver(30)).toBeCloseTo(rises ? at(29) : 1, 13);
      const values = new Float64Array(60).fill(2);
      growth.growDay(values, 1, 24, 48);
      expect(values[23]).toBe(2);
      expect(values[24]).toBeCloseTo(2 * at(24), 13);
      expect(values[47]).toBeCloseTo(2 * at(47), 13);
      expect(values[48]).toBe(2);
    },
  );

  it('is shared by groups of equal growth, and absent where there is none', () => {
    const [first, none, second, other] = debtGrowths(
      Uint32Array.of(0, 1, 2, 3),
      Float64Array.of(1e-4, 0, 1e-4, 2e-4),
      50,
    );
    expect(none).toBeUndefined();
    expect(first).toBe(second);
    expect(other).not.toBe(first);
    expect(first?.beforeDay).toHaveLength(3);
    expect(first?.at(0)).toBeCloseTo(Math.exp(1e-4), 13);
  });
});
