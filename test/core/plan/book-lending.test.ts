/** Terms of real loans in the plan of a book: as JSON, and the engines that follow them. */
import { describe, expect, it } from 'vitest';
import { prepareBook } from '#src/core/book/prepared-book.js';
import {
  answersCalls,
  type BookLending,
  checkLending,
  countOfSingleLoans,
  hasAnswers,
  hasOwnRules,
  isFollowedSingly,
  isPlainUntilCalled,
  isUnderWay,
  LOAN_START,
  memberOfLending,
  sellsParts,
} from '#src/core/plan/book-lending.js';
import { decodePlan, encodePlan } from '#src/core/plan/codec.js';
import { Faults } from '#src/core/plan/fields.js';
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

/** A plain loan in a book with real loans, but for some of its terms. */
function loanWith(
  { M = 1.2, ...changes }: Partial<Record<keyof BookLending | 'M', number>>,
  others: Partial<Record<keyof BookLending, number>>[] = [],
) {
  const plain = {
    debtGrowth: 1,
    saleCost: 0.01,
    start: 0,
    startDeadline: 1,
    startAnswer: 0,
    answerShare: 0,
    answerDelay: 1,
    answerRatio: 0,
    nameHigh: 0,
    nameLow: 0,
    oneDraw: 0,
    saleRatio: 0,
    saleShare: 1,
  };
  const loans = [changes, ...others].map(each => ({ ...plain, ...each }));
  const lending = Object.fromEntries(
    (Object.keys(plain) as (keyof typeof plain)[]).map(name => [
      name,
      Float64Array.from(loans, loan => loan[name]),
    ]),
  ) as unknown as BookLending;
  return { saleCost: 0.01, marginCallRatio: Float64Array.from(loans, () => M), lending };
}

describe('A loan', () => {
  const { none, open, called, liquidated } = LOAN_START;
  const ANSWERED = { answerRatio: 1.6, answerShare: 0.5 };

  it.each([
    // followed singly, with rules of its own, plain until its call, under way at its start, counted, named after
    [{}, false, false, true, false, 0, undefined],
    [{ M: 0.9 }, false, false, false, false, 0, undefined],
    [{ M: 1 }, false, false, true, false, 0, undefined],
    [{ start: open, M: 1 }, false, false, true, false, 0, undefined],
    [{ start: open, M: 0.9 }, true, false, false, false, 0, 'N below M'],
    [{ start: none, M: 0.9 }, false, false, false, false, 0, undefined],
    [{ start: called }, true, false, true, true, 1, 'N below M'],
    [{ start: liquidated }, true, false, true, true, 1, 'N below M'],
    [{ start: called, saleCost: 0.02 }, true, true, false, true, 1, 'sale_cost'],
    [{ debtGrowth: 1.1 }, true, false, true, false, 0, 'interest_rate'],
    [{ debtGrowth: 0.9 }, true, false, true, false, 0, 'interest_rate'],
    [{ saleCost: 0.02 }, true, true, true, false, 0, 'sale_cost'],
    [{ saleCost: 0 }, true, true, true, false, 0, 'sale_cost'],
    [{ debtGrowth: 1.1, saleCost: 0.02 }, true, true, true, false, 0, 'interest_rate'],
    [{ saleRatio: 0.5 }, true, true, true, false, 1, 'partial_sale'],
    [{ saleRatio: 1.5, ...ANSWERED }, true, true, true, false, 1, 'partial_sale'],
    [ANSWERED, true, true, true, false, 1, 'top_up'],
    [{ ...ANSWERED, answerRatio: 0.5, debtGrowth: 2 }, true, true, true, false, 1, 'top_up'],
    [{ answerRatio: 1.6 }, false, false, true, false, 0, undefined],
  ] as const)(
    'with %j is followed as its terms need',
    (terms, singly, own, plain, underWay, count, member) => {
      const book = loanWith(terms);
      expect(isFollowedSingly(book, 0)).toBe(singly);
      expect(hasOwnRules(book, 0)).toBe(own);
      expect(isPlainUntilCalled(book, 0)).toBe(plain);
      expect(isUnderWay(book, 0)).toBe(underWay);
      expect(countOfSingleLoans(book.lending)).toBe(count);
      expect(memberOfLending(book)).toBe(member);
      const { saleRatio = 0, answerRatio = 0 } = terms as Partial<Record<keyof BookLending, number>>;
      expect(sellsParts(book.lending, 0)).toBe(saleRatio > 0);
      expect(answersCalls(book.lending, 0)).toBe(answerRatio > 0);
      expect(hasAnswers(book)).toBe(answerRatio > 0);
    },
  );

  it('of a book without the terms of real loans has none of them', () => {
    const book = { saleCost: 0.01, marginCallRatio: Float64Array.of(0.9, 1.2) };
    for (const k of [0, 1]) {
      expect(isFollowedSingly(book, k) || hasOwnRules(book, k) || isUnderWay(book, k)).toBe(false);
      expect(isPlainUntilCalled(book, k)).toBe(k === 1);
    }
    expect(sellsParts(undefined, 0) || answersCalls(undefined, 0) || hasAnswers({})).toBe(false);
    expect(memberOfLending(book)).toBeUndefined();
  });

  it('is one of those that are counted, or named after, wherever it is', () => {
    const book = loanWith({}, [{ start: called }, { saleRatio: 1.5 }, {}, ANSWERED]);
    expect(countOfSingleLoans(book.lending)).toBe(3);
    expect(memberOfLending(loanWith({}, [{}, ANSWERED, { saleRatio: 2 }]))).toBe('top_up');
  });

  it.each([
    [0, 0.5, true],
    [1.01, 0, true],
    [1, 0, false],
    [1.25, 0.2, false],
    [1.26, 0.2, true],
    [0.5, 0, false],
    [3, 1, false],
  ])('with a sale that restores %f at a cost of %f is accepted: %s', (saleRatio, saleCost, accepted) => {
    const faults = new Faults();
    checkLending(loanWith({ saleRatio, saleCost }).lending, faults);
    expect(faults.list.length === 0).toBe(accepted);
  });
});
