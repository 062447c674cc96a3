/** Figures of borrowers, whose loans are counted in long lists. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BookOutcome, BookProduct } from '#src/core/plan/product/book.js';
import { borrowersOf } from '#src/question/book/columns.js';
import { borrowerFigures } from '#src/question/book/figures.js';

const LOAN = fc.record({
  borrower: fc.constantFrom(undefined, 'a', 'b', '', 'constructor', '7'),
  isLeft: fc.boolean(),
});

it('Each borrower has the sums of its loans in their order, the first one first, and a loan without one counts for none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(LOAN, { maxLength: 40 }), async all => {
      const { names, ranks } = borrowersOf(all);
      const loans = all.filter(({ isLeft }) => isLeft);
      const loanValue = Float64Array.from(loans, (_, k) => 0.1 + k / 3);
      const product = { loanValue, quantiles: new Float64Array() } as unknown as BookProduct;
      const sums = { lossUnits: new Float64Array(loans.length) };
      const outcome = { paths: 1, loans: sums, tails: [] } as unknown as BookOutcome;
      const left = { names, ranks: ranks.filter((_, k) => all[k].isLeft) };
      const rows = await borrowerFigures(product, outcome, left, false);
      const first = [...new Set(loans.map(({ borrower }) => borrower))].filter(name => name !== undefined);
      expect([...rows.keys()]).toEqual(first);
      first.forEach(name => {
        let sum = 0;
        for (const [k, value] of loanValue.entries()) if (loans[k].borrower === name) sum += value;
        expect(rows.get(name)?.LoanValue).toBe(sum);
      });
    }),
  );
});

it('The name of a borrower is listed once, however many loans it has', () => {
  const borrowers = borrowersOf([{ borrower: 'a' }, {}, { borrower: 'b' }, { borrower: 'a' }]);
  expect(borrowers).toEqual({ names: ['a', 'b'], ranks: Uint32Array.of(1, 0, 2, 1) });
});
