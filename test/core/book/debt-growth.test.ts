/** The growth of a debt by steps and days. */
import { describe, expect, it } from 'vitest';
import { DebtGrowth, debtGrowths, START } from '#src/core/book/debt-growth.js';

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
