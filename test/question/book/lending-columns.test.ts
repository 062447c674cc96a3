/** The terms of real loans in rows of a book as columns, in hours and as steps. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LOAN_START } from '#src/core/plan/book-lending.js';
import { bookLending, lendingColumns } from '#src/question/book/lending-columns.js';
import type { BookLoan } from '#src/question/book/loan-row.js';

const PLAIN = { id: 'a', N: 1.5, M: 1.3, L: 1.1, R: 1.4, loan_duration: 73, mc_top_up: 24 };
const rows = (...changes: object[]) =>
  changes.map(change => ({ ...PLAIN, ...change })) as unknown as BookLoan[];
const wordsOf = (name: string) => {
  const digest = createHash('sha256').update(name).digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
};

describe('The columns of a book', () => {
  it.each([
    ['below M', { N: 1.29 }],
    ['with interest', { interest_rate: 0 }],
    ['whose calls are answered', { top_up: { share: 0.5, delay_hours: 1 } }],
    ['with a cost of sale', { sale_cost: 0 }],
    ['that is sold in parts', { partial_sale: { to: 1.4 } }],
  ])('are there where a loan %s is', (_, change) => {
    expect(lendingColumns(rows({}, {}))).toBeUndefined();
    expect(lendingColumns(rows({ N: PLAIN.M }))).toBeUndefined();
    expect(lendingColumns(rows({}, change))).toBeDefined();
  });

  it('state what each row has, and mark what it lacks', () => {
    const answered = { top_up: { share: 0.5, delay_hours: 6 } };
    const columns = lendingColumns(
      rows(
        {},
        { ...answered, interest_rate: 0.5, called_hours_ago: 3, N: 1.2 },
        { top_up: { share: 1, delay_hours: 2, to: 1.8 }, borrower: 'b', sale_cost: 0.02, N: 1.05 },
        { top_up: { share: 1, delay_hours: 2, to_ltv: 0.5 }, partial_sale: { to_ltv: 0.8, max_share: 0.3 } },
        { partial_sale: { to: 1.6 } },
      ),
    );
    const shown = Object.fromEntries(
      Object.entries(columns ?? {}).map(([name, column]) => [name, [...column]]),
    );
    const [own, named] = [wordsOf('a'), wordsOf('b')];
    expect(shown).toEqual({
      debtGrowth: [1, 1.1, 1, 1, 1],
      saleCost: [-1, -1, 0.02, -1, -1],
      start: [LOAN_START.none, LOAN_START.called, LOAN_START.liquidated, LOAN_START.none, LOAN_START.none],
      calledHoursAgo: [0, 3, 0, 0, 0],
      answerShare: [0, 0.5, 1, 1, 0],
      answerDelayHours: [0, 6, 2, 2, 0],
      answerRatio: [0, 1.4, 1.8, 2, 0],
      nameHigh: [0, own[0], named[0], own[0], 0],
      nameLow: [0, own[1], named[1], own[1], 0],
      oneDraw: [0, 0, 1, 0, 0],
      saleRatio: [0, 0, 0, 1.25, 1.6],
      saleShare: [1, 1, 1, 0.3, 1],
    });
  });

  it('are those of a plan in steps, with the cost of sale of the book', () => {
    const all = lendingColumns(
      rows(
        { sale_cost: 0.02 },
        { top_up: { share: 0.5, delay_hours: 6 }, called_hours_ago: 4 },
        { called_hours_ago: 30 },
      ),
    );
    if (all === undefined) throw new Error('no columns');
    const steps = (gridHours: 1 | 24) => {
      const { startDeadline, startAnswer, answerDelay, saleCost } = bookLending(
        all,
        Float64Array.of(24, 24, 24),
        0.01,
        gridHours,
      );
      return [startDeadline, startAnswer, answerDelay, saleCost].map(column => [...column]);
    };
    expect(steps(1)).toEqual([
      [24, 20, 1],
      [0, 2, 0],
      [1, 6, 1],
      [0.02, 0.01, 0.01],
    ]);
    expect(steps(24)).toEqual([
      [1, 1, 1],
      [0, 1, 0],
      [1, 1, 1],
      [0.02, 0.01, 0.01],
    ]);
  });
});
