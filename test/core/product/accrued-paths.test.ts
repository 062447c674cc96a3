/** Paths of a loan whose debt grows. */
import { expect, it } from 'vitest';
import { accrued } from '#src/core/product/accrued-paths.js';
import type { PortfolioPaths } from '#src/core/product/paths.js';

/** Two paths of three steps; the arrays have room for a fourth. */
const pathsOf = (domain: 'ln' | 'ratio'): PortfolioPaths => {
  const shown = domain === 'ln' ? Math.log : (value: number) => value;
  const ratio = new Float64Array(4);
  return {
    domain,
    ratio,
    collateral: Float64Array.of(10, 20, 30),
    loan: Float64Array.of(5, 6, 7),
    weight: 1.5,
    minimum: Number.NaN,
    simulate(path) {
      ratio.set([2 + path, 1.5, 1.8, 0.1].map(shown));
    },
  };
};

it.each(['ln', 'ratio'] as const)(
  'A ratio is divided by the growth of the debt, of the term alone: %s',
  domain => {
    const paths = accrued(pathsOf(domain), { steps: 3, debtGrowth: 1.331 });
    const plain = domain === 'ln' ? Math.exp : (value: number) => value;
    for (const path of [0, 1]) {
      paths.simulate(path);
      const expected = [(2 + path) / 1.1, 1.5 / 1.21, 1.8 / 1.331];
      expect(paths.ratio).toHaveLength(3);
      expected.forEach((value, i) => {
        expect(plain(paths.ratio[i]), `step ${i + 1}`).toBeCloseTo(value, 12);
      });
      expect(plain(paths.minimum)).toBeCloseTo(Math.min(...expected), 12);
      for (const amounts of [paths.loan, paths.loan])
        [5 * 1.1, 6 * 1.21, 7 * 1.331].forEach((value, i) => {
          expect(amounts[i]).toBeCloseTo(value, 12);
        });
      expect(paths.loanAt?.(2)).toBeCloseTo(6 * 1.21, 12);
      expect(paths.collateralAt?.(3)).toBe(30);
    }
    expect([...paths.collateral, paths.weight]).toEqual([10, 20, 30, 1.5]);
  },
);

it('A debt that does not grow has the paths themselves', () => {
  const paths = pathsOf('ln');
  expect(accrued(paths, { steps: 3, debtGrowth: 1 })).toBe(paths);
  expect(accrued(paths, { steps: 3 })).toBe(paths);
});
