/** The movement of an allowance adds up, by stage and by cause. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allowanceMovement } from '#src/desk/allowance.js';
import type { LoanFigures } from '#src/desk/result.js';

const credit = (Stage: number, ECL: number) => ({ Credit: { Stage, ECL } }) as unknown as LoanFigures;

const CREDIT = fc
  .record({ stage: fc.constantFrom(1, 2, 3), ecl: fc.integer({ min: 0, max: 1000 }) })
  .map(({ stage, ecl }) => credit(stage, ecl));
const BOOK = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), CREDIT);

it('The causes of each stage add up to its allowance of now, and moves to nothing over the stages', () => {
  fc.assert(
    fc.property(BOOK, BOOK, BOOK, BOOK, (earlier, prices, window, now) => {
      const found = allowanceMovement({ earlier, prices, window, now });
      if (found === undefined) {
        expect([earlier, now]).toEqual([{}, {}]);
        return;
      }
      const rows = Object.entries(found.Stages);
      for (const [stage, row] of rows) {
        const sum = (loans: Record<string, LoanFigures>) =>
          Object.values(loans).reduce(
            (total, { Credit }) => total + (Credit?.Stage === Number(stage) ? Credit.ECL : 0),
            0,
          );
        expect(row.Opening).toBe(sum(earlier));
        expect(row.Closing).toBe(sum(now));
        const { Opening, Moved, Repaid, New, Prices, Window, Terms } = row;
        expect(Opening + Moved + Repaid + New + Prices + Window + Terms).toBe(row.Closing);
      }
      expect(rows.reduce((total, [, { Moved }]) => total + Moved, 0)).toBe(0);
    }),
  );
});

it('A loan moves at its opening amount, and changes in its new stage', () => {
  const { Stages, Moves } = allowanceMovement({
    earlier: { a: credit(1, 10), gone: credit(2, 7) },
    prices: { a: credit(1, 15), gone: credit(2, 8) },
    window: { a: credit(2, 18), gone: credit(2, 9) },
    now: { a: credit(2, 20), fresh: credit(1, 3) },
  })!;
  expect(Moves).toEqual([{ Id: 'a', From: 1, To: 2 }]);
  const none = { Opening: 0, Moved: 0, Repaid: 0, New: 0, Prices: 0, Window: 0, Terms: 0, Closing: 0 };
  expect(Stages).toEqual({
    '1': { ...none, Opening: 10, Moved: -10, New: 3, Closing: 3 },
    '2': { ...none, Opening: 7, Moved: 10, Repaid: -7, Prices: 5, Window: 3, Terms: 2, Closing: 20 },
    '3': none,
  });
  expect(allowanceMovement({ earlier: {}, prices: {}, window: {}, now: {} })).toBeUndefined();
});
