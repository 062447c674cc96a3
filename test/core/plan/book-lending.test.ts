/** Terms of real loans in the plan of a book: as JSON, and the engines that follow them. */
import { describe, expect, it } from 'vitest';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { isFollowedSingly, LOAN_START, memberOfLending } from '#src/core/plan/book-lending.js';
import { decodePlan, encodePlan } from '#src/core/plan/codec.js';
import { type BookProduct, bookUnit, columnsOfBook } from '#src/core/plan/product/book.js';
import { contractOf } from '#src/core/plan/products.js';
import { randomBook } from '../../support/random-books.ts';
import { randomLendingBook, randomStartBook } from '../../support/random-lending.ts';

const SHAPE = { assets: 3, loans: 20, baskets: 4, term: 50 };
const plan = randomLendingBook(5, 3, SHAPE);
const ordinary = randomBook(5, 3, SHAPE);
const encoded = () =>
  JSON.parse(JSON.stringify(encodePlan(plan))) as {
    product: { lending: Record<string, number[]> };
  };

describe('The plan of a book with the terms of real loans', () => {
  it('is the same after JSON', () => {
    expect(decodePlan(encoded())).toEqual(plan);
    expect(encodePlan(ordinary)).not.toHaveProperty('product.lending');
  });

  it.each([
    ['start', 4, 'a whole number from 0 to 3'],
    ['startDeadline', 0, 'a whole number from 1 to 87600'],
    ['answerDelay', 0, 'a whole number from 1 to 87600'],
    ['oneDraw', 2, 'a whole number from 0 to 1'],
    ['saleRatio', 0.5, 'ratios above 1 after the cost of a sale'],
  ])('is refused where %s is %d', (member, value, bound) => {
    const json = encoded();
    json.product.lending[member][7] = value;
    expect(() => decodePlan(json)).toThrow(
      expect.objectContaining({
        faults: [expect.objectContaining({ message: expect.stringContaining(bound) as string })],
      }),
    );
  });

  it('is refused where a list has another length than the loans', () => {
    const json = encoded();
    json.product.lending.nameLow.pop();
    expect(() => decodePlan(json)).toThrow('This is no simulation plan.');
  });

  it('names a member that the GPU does not run', () => {
    const { notOnGpu } = contractOf<BookProduct>(plan.product);
    expect(notOnGpu?.(ordinary.product)).toBeUndefined();
    expect(notOnGpu?.(plan.product)).toMatch(
      /^a book with (partial_sale|top_up|interest_rate|sale_cost|N below M)$/,
    );
  });

  it('treats a loan without any of the terms as in a book without them', () => {
    const { lending } = plan.product;
    const none = {
      ...ordinary.product,
      lending: {
        ...lending,
        debtGrowth: lending.debtGrowth.map(() => 1),
        saleCost: lending.saleCost.map(() => ordinary.product.saleCost),
        start: lending.start.map(() => LOAN_START.none),
        answerShare: lending.answerShare.map(() => 0),
        saleRatio: lending.saleRatio.map(() => 0),
      },
    };
    expect(none.loanValue.some((_, k) => isFollowedSingly(none, k))).toBe(false);
    expect(memberOfLending(none)).toBeUndefined();
    // Answers of probability 0 have their figures, all of them 0.
    expect(columnsOfBook(none)).toContain('toppedUp');
    expect(bookUnit(none)).toBe(bookUnit(ordinary.product));
  });

  it('has a loan followed singly from its first call on if it is plain until then', () => {
    const { product, scenarios } = randomLendingBook(1, 1, { assets: 5, loans: 60, baskets: 60, term: 200 });
    const { lending, marginCallRatio, basket } = product;
    const book = prepareBook(product, scenarios.assets);
    const loanOf = (g: number) => book.byCall[book.groupFirst[g]];
    const followed = Array.from(
      book.aloneGroups.filter((_, i) => book.singleFromCall[i] === 1),
      loanOf,
    );
    const wanted = Array.from(basket.keys()).filter(
      k =>
        (lending.saleCost[k] !== product.saleCost ||
          lending.saleRatio[k] > 0 ||
          (lending.answerRatio[k] > 0 && lending.answerShare[k] > 0)) &&
        lending.start[k] !== LOAN_START.called &&
        lending.start[k] !== LOAN_START.liquidated &&
        marginCallRatio[k] >= 1 &&
        basket.filter(b => b === basket[k]).length === 1,
    );
    expect(wanted.length).toBeGreaterThan(3);
    expect(followed.sort((a, b) => a - b)).toEqual(wanted);
    expect(wanted.some(k => lending.debtGrowth[k] !== 1)).toBe(true);
    expect(book.singleGroups.length).toBeGreaterThan(3);
  });

  it('has loans without rules of their own followed with the plain ones over the whole term', () => {
    const { product, scenarios } = randomStartBook(1, 1, { assets: 5, loans: 60, baskets: 60, term: 200 });
    const book = prepareBook(product, scenarios.assets);
    expect(Array.from(book.singleFromCall)).not.toContain(1);
    const starts = Array.from(book.aloneGroups, g => product.lending.start[book.byCall[book.groupFirst[g]]]);
    expect(Array.from(book.aloneStart)).toEqual(starts.map(start => (start === LOAN_START.open ? 0 : start)));
    expect(new Set(starts)).toEqual(new Set(Object.values(LOAN_START)));
  });

  it('has a unit that is large enough for the debt with its interest', () => {
    const { lending } = plan.product;
    const doubled = {
      ...plan.product,
      lending: { ...lending, debtGrowth: lending.debtGrowth.map(() => 3.99) },
    };
    expect(bookUnit(doubled)).toBeGreaterThanOrEqual(2 * bookUnit(ordinary.product));
  });
});
