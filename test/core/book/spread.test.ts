/** The spread that the loans without a loss earn on a path, on each engine with threads, against loans written out one by one. */
import { describe, expect, it } from 'vitest';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { BOOK } from '#src/core/plan/product/book.js';
import { bookOnPath } from '#src/core/rules/book.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { SIMD_GROUPS } from '#src/core/simd/book.js';
import { LENDING_BOOKS, PLAIN_BOOKS } from '../../support/book-cases.ts';
import { FOLLOWERS, pathOf } from '../../support/book-followers.ts';
import { nearestOfLoan } from '../../support/book-parity.ts';

const EXCESS_SPREAD = 0.1;
const DAYS_PER_YEAR = 365;
/** Paths of each book: each has tens of loans. */
const PATHS = 6;

/** Distance of a ratio from a threshold below which an engine may decide otherwise. */
const ENGINES = [
  { name: 'reference', groups: 'together', near: 1e-11 },
  { name: 'simd', groups: SIMD_GROUPS, near: 1e-5 },
] as const;

describe.each(ENGINES)('The spread of a book on $name', ({ name, groups, near }) => {
  it.each([...LENDING_BOOKS, ...PLAIN_BOOKS])(
    'is earned while loans without a loss are alive: %s',
    (_, found) => {
      const product = { ...found.product, excessSpread: EXCESS_SPREAD };
      const plan = { ...found, product };
      const book = prepareBook(product, plan.scenarios.assets, groups);
      const follower = FOLLOWERS[name](plan, book);
      const perStep = EXCESS_SPREAD / (DAYS_PER_YEAR * product.daySteps);
      let [compared, earned] = [0, 0];
      for (let p = 0; p < Math.min(PATHS, plan.paths); p++) {
        const { loans } = bookOnPath(product, plan.seed, p, pricesOnPath(plan, p, product.steps));
        // A loss of nearly nothing may be one on one side only.
        const decides = (k: number) =>
          nearestOfLoan(product, loans[k], k) >= near && !(loans[k].loss > 0 && loans[k].loss < near);
        const most = loans.reduce(
          (sum, _, k) => sum + (decides(k) ? 0 : product.loanValue[k] * product.termSteps[k]),
          0,
        );
        const wanted = loans.reduce(
          (sum, { endStep, loss }, k) =>
            sum + (decides(k) && !(loss > 0) ? product.loanValue[k] * endStep : 0),
          0,
        );
        const { columns } = pathOf(plan, book, follower, p);
        const steps = Number(columns.spread) / perStep;
        const rounding = 1e-9 * product.loanValue.reduce((sum, value) => sum + value, 0) * product.steps;
        expect(steps).toBeGreaterThanOrEqual(wanted - rounding);
        expect(steps).toBeLessThanOrEqual(wanted + most + rounding);
        compared += most === 0 ? 1 : 0;
        earned += wanted;
      }
      expect(compared).toBeGreaterThan(0);
      expect(earned).toBeGreaterThan(0);
    },
  );
});

it('A book with a spread is none for a GPU, whose kernels have no such column', () => {
  const [[, { product }]] = PLAIN_BOOKS;
  expect(BOOK.notOnGpu?.({ ...product, excessSpread: 0 })).toBe('a book with excess_spread');
  expect(BOOK.notOnGpu?.(product)).toBeUndefined();
});
