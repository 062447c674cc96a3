/** The sums of a book: their memory, additions, and form by loan. */
import { describe, expect, it } from 'vitest';
import {
  AMOUNT_UNITS,
  addParts,
  addSquare,
  addSums,
  emptySums,
  LENDING_COLUMNS,
  LOW_PART,
  loanSums,
  SQUARE_COLUMNS,
  SUM_COLUMNS,
  sumsAt,
  sumsLength,
} from '#src/core/book/book-sums.js';
import { LOAN_START } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';

const LOANS = 3;
const GROUPS = 2;
/** Groups of places 0 and 1, and of place 2; places 0 to 2 are loans 2, 0 and 1. */
const PLACES = { groupFirst: Uint32Array.of(0, 2, 3), byCall: Uint32Array.of(2, 0, 1) };
/** Entries of column c have 10 c, 10 c + 1 and 10 c + 2. */
const numbered = (lending: boolean) => {
  const length = sumsLength(LOANS, GROUPS, lending);
  const buffer = new Float64Array(length + 1);
  for (let i = 0; i < length; i++) buffer[i + 1] = 10 * Math.floor(i / LOANS) + (i % LOANS);
  return sumsAt(buffer.buffer, 1, LOANS, GROUPS, lending);
};

describe('Sums', () => {
  it('lie column by column from their offset on, lowest ratios last', () => {
    const sums = numbered(true);
    const columns = [
      ...SUM_COLUMNS.map(name => sums[name]),
      ...SQUARE_COLUMNS.map(name => sums.squares?.[name]),
      ...LENDING_COLUMNS.map(name => sums.lending?.[name]),
    ];
    columns.forEach((column, c) => {
      expect([...(column ?? [])]).toEqual([10 * c, 10 * c + 1, 10 * c + 2]);
    });
    expect([...sums.worstRatio]).toEqual([10 * columns.length, 10 * columns.length + 1]);
    expect(sumsLength(LOANS, GROUPS, true)).toBe(26 * LOANS + GROUPS);
    expect(sumsLength(LOANS, GROUPS)).toBe(16 * LOANS + GROUPS);
    expect(numbered(false).lending).toBeUndefined();
  });

  it('have squares for up to 1,000 loans', () => {
    expect(emptySums(1000, 1).squares).toBeDefined();
    expect(emptySums(1001, 1).squares).toBeUndefined();
    expect(sumsLength(1001, 1)).toBe(7 * 1001 + 1);
    expect(emptySums(2, 1, false, true).worstRatio.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(emptySums(2, 1).worstRatio.buffer).toBeInstanceOf(ArrayBuffer);
    expect([...emptySums(2, 1).worstRatio]).toEqual([Number.POSITIVE_INFINITY]);
  });

  it('are added entry by entry, and the lowest ratios are kept', () => {
    const sums = numbered(true);
    sums.worstRatio.set([0.5, 0.9]);
    const more = numbered(true);
    more.worstRatio.set([0.7, 0.8]);
    addSums(sums, more);
    for (const name of SUM_COLUMNS) expect(sums[name]).toEqual(more[name].map(value => 2 * value));
    for (const name of SQUARE_COLUMNS)
      expect(sums.squares?.[name]).toEqual(more.squares?.[name].map(value => 2 * value));
    for (const name of LENDING_COLUMNS)
      expect(sums.lending?.[name]).toEqual(more.lending?.[name].map(value => 2 * value));
    expect([...sums.worstRatio]).toEqual([0.5, 0.8]);
  });
});

describe('An amount in two parts', () => {
  it('is rounded to a whole number, whose lower part is below 2^24', () => {
    const [high, low] = [Float64Array.of(0, 5), Float64Array.of(0, 6)];
    addParts(high, low, 1, 3 * LOW_PART + 7.6);
    expect([...high, ...low]).toEqual([0, 8, 0, 14]);
    addParts(high, low, 0, LOW_PART - 0.4);
    expect([high[0], low[0]]).toEqual([1, 0]);
    addParts(high, low, 0, LOW_PART - 0.6);
    expect([high[0], low[0]]).toEqual([1, LOW_PART - 1]);
  });

  it('of a squared share has units of 2^-48', () => {
    const [high, low] = [new Float64Array(1), new Float64Array(1)];
    addSquare(high, low, 0, 0.375);
    expect((high[0] * LOW_PART + low[0]) / 2 ** 48).toBe(0.375 ** 2);
  });
});

describe('The sums by loan', () => {
  const product = {
    nominalRatio: Float64Array.of(2, 3, 4),
    basket: Uint32Array.of(0, 1, 0),
    collateralWeights: Float64Array.of(0.5, 1, 1, 2),
    loanWeights: Float64Array.of(2, 0, 0, 4),
  } as BookProduct;

  it('are those of its place, and its lowest ratio that of its group', () => {
    const sums = numbered(false);
    sums.worstRatio.set([0.6, 0.5]);
    const got = loanSums(sums, product, PLACES);
    SUM_COLUMNS.forEach((name, c) => {
      expect([...got[name]]).toEqual([10 * c + 1, 10 * c + 2, 10 * c]);
    });
    expect([...got.worstCcr]).toEqual([2 * 0.6, 3 * 0.5, 4 * 0.6]);
    // missedSteps and unsoldPaths are columns 7 and 8, unsold has its parts in 10 and 11.
    expect([...(got.squares?.missedSteps ?? [])]).toEqual([71, 72, 70]);
    expect([...(got.squares?.unsoldPaths ?? [])]).toEqual([81, 82, 80]);
    expect([...(got.squares?.lossPaths ?? [])]).toEqual([91, 92, 90]);
    const whole = (high: number, low: number) => (high * LOW_PART + low) / 2 ** 48;
    expect([...(got.squares?.unsold ?? [])]).toEqual([whole(101, 111), whole(102, 112), whole(100, 110)]);
    expect([...(got.squares?.loss ?? [])]).toEqual([whole(121, 131), whole(122, 132), whole(120, 130)]);
    expect([...(got.squares?.earlyEnds ?? [])]).toEqual([141, 142, 140]);
    expect([...(got.squares?.deadlineEnds ?? [])]).toEqual([151, 152, 150]);
    expect(got).not.toHaveProperty('lending');
  });

  it('have the ratio at the start of loans for which it is a step, and amounts in loan values', () => {
    const sums = numbered(true);
    sums.worstRatio.set([0.9, 0.9]);
    const { none, open, called } = LOAN_START;
    const lending = { start: Uint32Array.of(open, none, called) } as NonNullable<BookProduct['lending']>;
    // Baskets begin with 1.5 / 2 and 3 / 4.
    const got = loanSums(sums, { ...product, lending }, PLACES);
    expect([...got.worstCcr]).toEqual([2 * 0.75, 3 * 0.9, 4 * 0.75]);
    const low = loanSums(
      sums,
      { ...product, lending: { ...lending, start: Uint32Array.of(none, open, none) } },
      PLACES,
    );
    expect([...low.worstCcr]).toEqual([2 * 0.9, 3 * 0.75, 4 * 0.9]);
    const of = (name: keyof NonNullable<typeof got.lending>) => [...(got.lending?.[name] ?? [])];
    const whole = (high: number, low: number) => (high * LOW_PART + low) / 2 ** 48;
    // Columns from 16 on.
    expect(of('salePaths')).toEqual([161, 162, 160]);
    expect(of('sales')).toEqual([171, 172, 170]);
    expect(of('saleSquares')).toEqual([181, 182, 180]);
    expect(of('sold')).toEqual([191, 192, 190].map(units => units / AMOUNT_UNITS));
    expect(of('soldSquares')).toEqual([whole(201, 211), whole(202, 212), whole(200, 210)]);
    expect(of('topUpPaths')).toEqual([221, 222, 220]);
    expect(of('topUp')).toEqual([231, 232, 230].map(units => units / AMOUNT_UNITS));
    expect(of('topUpSquares')).toEqual([whole(241, 251), whole(242, 252), whole(240, 250)]);
    expect(AMOUNT_UNITS).toBe(2 ** 26);
  });
});
