/** The sums of loans on weighted paths. */
import { expect, it } from 'vitest';
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL, FLAG_UNDERWATER } from '#src/core/engine.js';
import { LOAN_QUANTITIES } from '#src/core/plan/product/loan.js';
import { WeightedLoans } from '#src/core/product/weighted-loans.js';

it('A path adds its events and amounts under its weight, and under the square of it', () => {
  const loans = new WeightedLoans();
  const flags = (...set: number[]) => set.reduce((all, flag) => all | flag, 0);
  const path = (own: object) => ({ flags: 0, topUps: 0, topUpAmount: 0, weight: 1, ...own }) as never;
  loans.add(
    2,
    path({ flags: flags(FLAG_MARGIN_CALL, FLAG_CLOSEOUT), topUps: 2, topUpAmount: 0.5, weight: 0.5 }),
    3,
    0.25,
  );
  loans.add(5, path({ flags: flags(FLAG_LIQUIDATION, FLAG_UNDERWATER), weight: 2 }), 4, 0);
  const values = [
    [1, 1, 0, 1, 0, 3, 9, 0.25, 0.0625, 1, 0.5, 0.25],
    [1, 0, 1, 0, 1, 4, 16, 0, 0, 0, 0, 0],
  ];
  const sumOf = (first: number, second: number) => values[0].map((x, i) => first * x + second * values[1][i]);
  const block = LOAN_QUANTITIES.length;
  expect(block).toBe(12);
  expect([...loans.sums.subarray(0, block)]).toEqual(sumOf(0.5, 2));
  expect([...loans.sums.subarray(block, 2 * block)]).toEqual(sumOf(0, 2));
  expect([...loans.sums.subarray(2 * block)]).toEqual(sumOf(0.25, 4));
});
