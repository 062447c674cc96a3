/** The bookings of courses, sales and losses of loans, against their plain sums; all amounts are exact in binary. */
import { expect, it } from 'vitest';
import { AMOUNT_UNITS, emptySums, LOW_PART, UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { DifferenceSums } from '#src/core/book/difference-sums.js';
import { PathBookings } from '#src/core/book/path-bookings.js';
import type { PreparedBook } from '#src/core/book/prepared-book.js';
import { emptyCourse, type LendingTerms, NO_STEP } from '#src/core/lending/lending-terms.js';
import { type BookLending, LOAN_START } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import { Dice } from '../../support/random-plans.ts';

const VALUES = [0.5, 256, 64];
const NOMINAL = 1.5;
const STEPS = 24;
const UNIT = 2 ** -20;
const BOOK = {
  loanValue: Float64Array.from(VALUES),
  nominalRatio: Float64Array.from(VALUES, () => NOMINAL),
  pledgedBefore: Float64Array.of(0, 0.75, 384.75, 480.75),
  unit: UNIT,
  sharedGroups: Uint32Array.of(0),
  byCall: Uint32Array.of(0, 1, 2),
  byNominal: Uint32Array.of(0, 1, 2),
} as Partial<PreparedBook> as PreparedBook;
const PRODUCT = { steps: STEPS, saleCost: 0.25, saleDelaySteps: 2 } as Partial<BookProduct> as BookProduct;
/** C of a step; the debt is 2. */
const collateralOf = (step: number) => 1 + step / 8;
const seriesOf = (offset: number) => ({
  collateralAt: (index: number) => collateralOf(index + offset),
  loanAt: () => 2,
  debtAt: () => 2,
  at: (index: number) => collateralOf(index + offset) / 2,
  firstBelow: () => STEPS + 1,
  firstOutside: () => STEPS + 1,
});
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const squaresOf = (high: Float64Array, low: Float64Array) =>
  Array.from(high, (units, k) => (units * LOW_PART + low[k]) / 2 ** 48);

function bookings(product = PRODUCT) {
  const booked = new PathBookings(product, BOOK);
  const [losses, sales]: [number, ...number[]][][] = [[], []];
  booked.begin({
    loss: (place, usd) => losses.push([place, usd]),
    sale: (first, end, index, factor) => sales.push([first, end, index, factor]),
  });
  return { booked, losses, sales, sums: emptySums(VALUES.length, 1, true) };
}

it('Ends count as early before the term, and as ends at the deadline of a call that is open at the start', () => {
  const { called, open } = LOAN_START;
  const lending = {
    start: Uint32Array.of(called, open, called),
    startDeadline: Uint32Array.of(7, 7, STEPS),
  } as Partial<BookLending> as BookLending;
  const { booked, sums } = bookings({ ...PRODUCT, lending });
  const terms = {
    steps: STEPS,
    nominalRatio: NOMINAL,
    saleCost: 0.25,
  } as Partial<LendingTerms> as LendingTerms;
  for (const place of [0, 1, 2])
    for (const endStep of [NO_STEP, 0, 6, 7, 7, STEPS])
      booked.addCourse(place, { ...emptyCourse(), endStep }, terms, sums, seriesOf(0));
  expect([...(sums.squares?.earlyEnds ?? [])]).toEqual([4, 4, 4]);
  expect([...(sums.squares?.deadlineEnds ?? [])]).toEqual([2, 0, 1]);
  // The step of an index is one later.
  for (const index of [-1, 5, 6, STEPS - 1]) booked.sell(0, index, STEPS, false, sums, seriesOf(0));
  expect([sums.squares?.earlyEnds[0], sums.squares?.deadlineEnds[0]]).toEqual([7, 3]);
  const differences = new DifferenceSums(BOOK);
  booked.sellRange(0, 2, STEPS - 1, STEPS, true, sums, differences, seriesOf(0));
  booked.sellRange(1, 3, STEPS - 2, STEPS, true, sums, differences, seriesOf(0));
  differences.moveTo(sums);
  expect([...(sums.squares?.earlyEnds ?? [])]).toEqual([7, 5, 5]);
});

it('Courses of called loans add their events, amounts and squares to the sums of their loans', () => {
  const dice = new Dice(1);
  const { booked, losses, sales, sums } = bookings();
  const courses = Array.from({ length: 60 }, () => {
    const saleSteps = Array.from({ length: dice.whole(0, 3) }, () => dice.whole(0, STEPS));
    const topUps = dice.whole(0, 2);
    const hasLoss = dice.whole(0, 1) === 1;
    return {
      place: dice.whole(0, VALUES.length - 1),
      ...emptyCourse(),
      called: true,
      liquidated: dice.whole(0, 1) === 1,
      closedOut: dice.whole(0, 1) === 1,
      endStep: dice.pick([NO_STEP, dice.whole(0, STEPS)]),
      saleSteps,
      saleFactors: saleSteps.map(() => dice.whole(1, 4) / 4),
      topUps,
      topUpAmount: topUps / 8,
      lossStep: hasLoss ? dice.whole(1, STEPS) : NO_STEP,
      lossCollateral: hasLoss ? dice.whole(0, 2) / 2 : 0,
      lossDebt: hasLoss ? dice.whole(1, 2) / 2 : 0,
    };
  });
  const terms = {
    steps: STEPS,
    nominalRatio: NOMINAL,
    saleCost: 0.25,
  } as Partial<LendingTerms> as LendingTerms;
  for (const course of courses) booked.addCourse(course.place, course, terms, sums, seriesOf(0));

  type Course = (typeof courses)[number];
  const soldOf = ({ saleSteps, saleFactors }: Course) =>
    sumOf(saleSteps.map((step, i) => NOMINAL * collateralOf(step) * saleFactors[i]));
  const lossOf = ({ lossStep, lossCollateral, lossDebt }: Course) =>
    lossStep === NO_STEP
      ? 0
      : Math.max(0, 2 * lossDebt - 0.75 * NOMINAL * collateralOf(lossStep) * lossCollateral);
  const missedOf = ({ endStep }: Course) => (endStep === NO_STEP ? 0 : STEPS - endStep);
  const perLoan = (amountOf: (course: Course) => number) =>
    VALUES.map((_, k) => sumOf(courses.filter(({ place }) => place === k).map(amountOf)));
  const { squares, lending } = sums;
  if (squares === undefined || lending === undefined) throw new Error('a small book has all sums');
  for (const [name, column, amountOf] of [
    ['marginCalls', sums.marginCalls, () => 1],
    ['liquidations', sums.liquidations, each => Number(each.liquidated)],
    ['closeouts', sums.closeouts, each => Number(each.closedOut)],
    ['missedSteps', sums.missedSteps, missedOf],
    ['squared missedSteps', squares.missedSteps, each => missedOf(each) ** 2],
    ['lossUnits', sums.lossUnits, each => lossOf(each) * UNITS_PER_LOAN_VALUE],
    ['lossPaths', squares.lossPaths, each => Number(lossOf(each) > 0)],
    ['squared losses', squaresOf(squares.lossHigh, squares.lossLow), each => lossOf(each) ** 2],
    ['earlyEnds', squares.earlyEnds, each => Number(missedOf(each) > 0)],
    ['salePaths', lending.salePaths, each => Number(each.saleSteps.length > 0)],
    ['sales', lending.sales, each => each.saleSteps.length],
    ['saleSquares', lending.saleSquares, each => each.saleSteps.length ** 2],
    ['soldUnits', lending.soldUnits, each => soldOf(each) * AMOUNT_UNITS],
    ['squared sales', squaresOf(lending.soldHigh, lending.soldLow), each => soldOf(each) ** 2],
    ['topUpPaths', lending.topUpPaths, each => Number(each.topUps > 0)],
    ['topUpUnits', lending.topUpUnits, each => each.topUpAmount * AMOUNT_UNITS],
    ['squared topUps', squaresOf(lending.topUpHigh, lending.topUpLow), each => each.topUpAmount ** 2],
  ] as [string, ArrayLike<number>, (course: Course) => number][])
    expect(Array.from(column), name).toEqual(perLoan(amountOf));

  const usdOf = (course: Course, share: number) => VALUES[course.place] * share;
  expect(booked.loss).toBe(sumOf(courses.map(each => usdOf(each, lossOf(each)))));
  expect(losses).toEqual(
    courses.filter(each => lossOf(each) > 0).map(each => [each.place, usdOf(each, lossOf(each))]),
  );
  expect(booked.forcedSales).toBe(courses.filter(({ saleSteps }) => saleSteps.length > 0).length);
  expect(booked.toppedUp * UNIT).toBe(sumOf(courses.map(each => usdOf(each, each.topUpAmount))));
  expect(sumOf([...booked.soldAt]) * UNIT).toBe(sumOf(courses.map(each => usdOf(each, soldOf(each)))));
  expect(sales).toEqual(
    courses.flatMap(({ place, saleSteps, saleFactors }) =>
      saleSteps.map((step, i) => [place, place + 1, step - 1, saleFactors[i]]),
    ),
  );
  // A sale at the start counts to the first step.
  const first = courses.flatMap(each =>
    each.saleSteps.map((step, i) =>
      step <= 1 ? usdOf(each, NOMINAL * collateralOf(step) * each.saleFactors[i]) : 0,
    ),
  );
  expect(booked.soldAt[0] * UNIT).toBe(sumOf(first));
});

it('Sales of one loan and of a range of loans are the same, with losses below one dollar', () => {
  const outcomes = [true, false].map(isRange => {
    const { booked, losses, sales, sums } = bookings();
    const values = seriesOf(0);
    const differences = new DifferenceSums(BOOK);
    for (const [index, liquidated] of [
      [3, true],
      [0, false],
    ] as const) {
      if (isRange) booked.sellRange(0, 2, index, STEPS, liquidated, sums, differences, values);
      else for (const place of [0, 1]) booked.sell(place, index, STEPS, liquidated, sums, values);
    }
    differences.moveTo(sums);
    const sold = sales.flatMap(([from, end, ...rest]) =>
      Array.from({ length: end - from }, (_, i) => [from + i, ...rest]),
    );
    return { losses, sold, sums, soldAt: booked.soldAt, loss: booked.loss, forcedSales: booked.forcedSales };
  });
  expect(outcomes[0]).toEqual(outcomes[1]);
  const { losses, sold, sums } = outcomes[0];
  // At indices 5 and 2, two steps later, 2 - 0.75 x 1.5 C is left of the debt.
  const shares = [5, 2].map(index => 2 - 1.125 * collateralOf(index));
  expect(losses).toEqual(shares.flatMap(share => [0, 1].map(place => [place, share * VALUES[place]])));
  expect(sold).toEqual([5, 2].flatMap(index => [0, 1].map(place => [place, index, 1])));
  expect([...sums.missedSteps]).toEqual([43, 43, 0]);
  expect([...(sums.squares?.lossPaths ?? [])]).toEqual([2, 2, 0]);
});

it('A path has a loss in the counts from half a unit of its sum on', () => {
  const { booked, sums } = bookings();
  const terms = {
    steps: STEPS,
    nominalRatio: NOMINAL,
    saleCost: 0.25,
  } as Partial<LendingTerms> as LendingTerms;
  const lossPaths = [0.24, 0.25, 1].map(units => {
    // The debt is 2, and nothing was sold.
    const course = { ...emptyCourse(), lossStep: 1, lossDebt: units / UNITS_PER_LOAN_VALUE };
    booked.addCourse(1, course, terms, sums, seriesOf(0));
    return sums.squares?.lossPaths[1];
  });
  expect(lossPaths).toEqual([0, 1, 2]);
});
