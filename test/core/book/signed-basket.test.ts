/** The searches of ratios by the signs of sums, against every step; thresholds are ratios of the path, too. */
import { describe, expect, it } from 'vitest';
import { START } from '#src/core/book/debt-growth.js';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { SignedBasket } from '#src/core/book/signed-basket.js';
import { signedTerms, sparseWeights } from '#src/core/book/signed-terms.js';
import { CASES, COLLATERAL, LOAN, madeOf, startsOf } from '../../support/book-ratios.ts';

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
    expect(signed.collateralAt(START)).toBeCloseTo(whole(COLLATERAL[basket]), 12);
    expect(signed.loanAt(START)).toBeCloseTo(whole(LOAN[basket]), 12);
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

it('A ratio after the term is not below a threshold', () => {
  const path = new PriceExtremes(2, 30);
  for (const prices of path.prices) prices.fill(1);
  path.prices[0][29] = 0.5;
  path.update();
  const side = (...weights: number[]) => sparseWeights(Float64Array.from(weights), 2);
  const signed = new SignedBasket(path, signedTerms(side(1, 0), side(0, 1)));
  const stepsBelow = [27, 28, 29, 30].map(steps => {
    signed.open(0, 0.8, steps);
    return signed.firstBelow(0);
  });
  // The last of 30 steps has the index 29; without a ratio below it the result is the number of steps.
  expect(stepsBelow).toEqual([27, 28, 29, 29]);
});
