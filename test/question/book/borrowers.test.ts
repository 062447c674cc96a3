/** Figures of borrowers, whose loans are counted in long lists. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BookOutcome, BookProduct } from '#src/core/plan/product/book.js';
import { borrowerFigures } from '#src/question/book/figures.js';

it('Each borrower has the sums of its loans in their order, the first one first, and a loan without one counts for none', () => {
  const names = fc.array(fc.constantFrom(null, 'a', 'b', '', 'constructor', '7'), { maxLength: 40 });
  fc.assert(
    fc.property(names, borrowers => {
      const loanValue = Float64Array.from(borrowers, (_, k) => 0.1 + k / 3);
      const product = { loanValue, quantiles: new Float64Array() } as unknown as BookProduct;
      const loans = { lossUnits: new Float64Array(borrowers.length) };
      const outcome = { paths: 1, loans, tails: [] } as unknown as BookOutcome;
      const { keys, row } = borrowerFigures(product, outcome, k => borrowers[k]);
      const first = [...new Set(borrowers)].filter(name => name !== null);
      expect(keys).toEqual(first);
      first.forEach((name, i) => {
        let sum = 0;
        for (const [k, value] of loanValue.entries()) if (borrowers[k] === name) sum += value;
        expect((row(i) as { LoanValue: number }).LoanValue).toBe(sum);
      });
    }),
  );
});
