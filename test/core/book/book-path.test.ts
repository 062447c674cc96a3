/** The book on one path, against a program that follows every loan through every step. */

import { describe, expect, it, vi } from 'vitest';
import { BookPath } from '#src/core/book/book-path.js';
import { emptySums, loanSums, UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { SignedBasket } from '#src/core/book/signed-basket.js';
import { type BookProduct, bookUnit } from '#src/core/plan/product/book.js';
import { type BookLoanOnPath, bookOnPath } from '#src/core/rules/book.js';
import { BOOK_AMOUNTS, BOOK_COUNTS } from '../../support/book-parity.ts';
import { everyNth } from '../../support/engines.ts';

/** A small generator with a seed; a failure names its seed. */
function randomOf(seed: number) {
  let state = (seed * 2654435761 + 1) >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    uniform,
    between: (low: number, high: number) => low + (high - low) * uniform(),
    whole: (low: number, high: number) => low + Math.floor((high - low + 1) * uniform()),
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
type Random = ReturnType<typeof randomOf>;

/** @param even prices and ratios on a coarse grid, so that equality happens often */
function randomPrices(
  random: Random,
  assets: number,
  steps: number,
  volatility: number,
  even: boolean,
): number[][] {
  const prices = [new Array<number>(assets).fill(1)];
  for (let t = 0; t < steps; t++)
    prices.push(
      prices[t].map(price => {
        if (!even) return price * Math.exp(volatility * random.normal());
        return Math.max(0.125, price + 0.125 * random.whole(-1, 1));
      }),
    );
  return prices;
}

/** @param longest term, steps */
function randomBook(
  random: Random,
  assets: number,
  loans: number,
  even: boolean,
  longest: number,
): BookProduct {
  const baskets = random.whole(1, loans);
  const weights = (most: number) => {
    const row = new Array<number>(assets).fill(0);
    const held = random.whole(1, Math.min(most, assets));
    for (let i = 0; i < held; i++) row[random.whole(0, assets - 1)] += 1 / held;
    return row;
  };
  const ofLoans = (pick: (k: number) => number) => Array.from({ length: loans }, (_, k) => pick(k));
  const ratio = even ? () => random.whole(4, 12) / 8 : () => random.between(0.6, 1.6);
  const termsOfLoan = () => {
    const liquidation = ratio();
    const call = liquidation + (even ? random.whole(1, 3) / 8 : random.between(0.001, 0.4));
    const recovery = liquidation + (even ? random.whole(1, 6) / 8 : random.between(0.001, 0.8));
    return { liquidation, call, recovery, topUp: random.whole(0, 40) };
  };
  // In some books all loans have terms of their own, in others many differ in N only.
  const kinds = Array.from({ length: random.whole(0, 3) }, termsOfLoan);
  const ratios = ofLoans(() => 0).map(() => {
    const kind = kinds.length === 0 ? termsOfLoan() : kinds[random.whole(0, kinds.length - 1)];
    const { call } = kind;
    // A power of two: M / N is then exact, and both programs compare the same numbers.
    const nominal = even
      ? 2 ** (Math.ceil(Math.log2(call)) + random.whole(0, 1))
      : call + random.between(0, 0.6);
    return { ...kind, nominal };
  });
  const terms = [random.whole(1, longest), random.whole(1, longest), 144, 24].filter(t => t <= longest);
  const termSteps = Uint32Array.from(ofLoans(() => terms[random.whole(0, terms.length - 1)]));
  const saleDelaySteps = random.whole(0, Math.min(longest, 30));
  return {
    kind: 'book',
    steps: Math.max(...termSteps) + saleDelaySteps,
    saleDelaySteps,
    saleCost: even ? 0.125 * random.whole(0, 2) : random.between(0, 0.1),
    daySteps: [24, 1][random.whole(0, 1)],
    quantiles: Float64Array.of(0.9),
    collateralWeights: Float64Array.from(Array.from({ length: baskets }, () => weights(3)).flat()),
    loanWeights: Float64Array.from(Array.from({ length: baskets }, () => weights(2)).flat()),
    basket: Uint32Array.from(ofLoans(() => random.whole(0, baskets - 1))),
    termSteps,
    topUpSteps: Uint32Array.from(ratios, each => each.topUp),
    loanValue: Float64Array.from(ofLoans(() => (even ? 1024 * random.whole(1, 4) : random.between(1, 1e6)))),
    nominalRatio: Float64Array.from(ratios, each => each.nominal),
    marginCallRatio: Float64Array.from(ratios, each => each.call),
    liquidationRatio: Float64Array.from(ratios, each => each.liquidation),
    recoveryRatio: Float64Array.from(ratios, each => each.recovery),
  };
}

/** Runs both programs on the same random books and paths. @returns their differences */
function differences(
  seed: number,
  { even, most = 40, longest = 200 }: { even: boolean; most?: number; longest?: number },
): { faults: string[]; sales: number; calls: number } {
  const random = randomOf(seed);
  const assets = random.whole(1, 5);
  const loans = random.whole(1, most);
  const product = randomBook(random, assets, loans, even, longest);
  const book = prepareBook(product, assets);
  const follower = new BookPath(product, book, assets);
  const sums = emptySums(loans, book.groupTerm.length);
  follower.begin(sums);
  const volatility = random.between(0.002, 0.05);
  const paths = 6;
  const faults: string[] = [];
  const expectNear = (name: string, got: number, want: number, tolerance = 0) => {
    if (!(Math.abs(got - want) <= tolerance)) faults.push(`seed ${seed}: ${name} is ${got}, plain ${want}`);
  };
  const plain = Array.from({ length: paths }, (_, p) => {
    const prices = randomPrices(random, assets, product.steps, volatility, even);
    follower.path.prices.forEach((column, i) => {
      for (let t = 0; t < column.length; t++) column[t] = prices[t + 1][i];
    });
    const pathLoss = new Float64Array(loans);
    const sales: [number, number][] = [];
    follower.follow(0, sums, {
      loss: (place, usd) => {
        pathLoss[book.byCall[place]] += usd;
      },
      sale: (first, end, index) => {
        for (const k of book.byCall.subarray(first, end)) sales.push([k, index]);
      },
    });
    // No call is answered, so that nothing depends on seed and path.
    const expected = bookOnPath(product, 0, p, prices);
    // Sums of some tens of doubles in another order, and figures rounded to the book's unit.
    const tolerance = (scale: number) => 1e-12 * scale + loans * bookUnit(product);
    for (const name of BOOK_COUNTS) expectNear(`${name} of path ${p}`, follower[name], expected[name]);
    for (const name of BOOK_AMOUNTS)
      expectNear(`${name} of path ${p}`, follower[name], expected[name], tolerance(Math.abs(expected[name])));
    expected.loans.forEach(({ loss, sales: ownSales }, k) => {
      const loan = `loan ${k} on path ${p}`;
      expectNear(
        `loss of ${loan}`,
        pathLoss[k],
        loss * product.loanValue[k],
        tolerance(product.loanValue[k]),
      );
      const index = sales.find(([sold]) => sold === k)?.[1] ?? -1;
      expectNear(`sale of ${loan}`, index, (ownSales[0]?.step ?? 0) - 1);
    });
    return expected;
  });
  follower.finish(sums);
  const { worstCcr, squares, ...columns } = loanSums(sums, product, book);
  if (squares === undefined) throw new Error('a small book has squares');
  for (let k = 0; k < loans; k++) {
    const total = (pick: (loan: BookLoanOnPath) => number) =>
      plain.reduce((sum, path) => sum + pick(path.loans[k]), 0);
    const missed = ({ endStep }: BookLoanOnPath) => product.termSteps[k] - endStep;
    const square = (pick: (loan: BookLoanOnPath) => number) => total(loan => pick(loan) ** 2);
    const expectLoan = (name: string, got: number, want: number, tolerance = 0) =>
      expectNear(`${name} of loan ${k}`, got, want, tolerance);
    // Rounded on each path.
    const rounding = paths / UNITS_PER_LOAN_VALUE;
    // Rounded to 2^-48 on each path, from shares with the rounding of sums of some doubles.
    const squareRounding = (want: number) => paths * 2 ** -48 + 1e-12 * want;
    for (const [column, member] of [
      ['marginCalls', 'marginCall'],
      ['liquidations', 'liquidation'],
      ['closeouts', 'closeout'],
      ['underwater', 'underwater'],
    ] as const)
      expectLoan(
        column,
        columns[column][k],
        total(loan => Number(loan[member])),
      );
    expectLoan('missedSteps', columns.missedSteps[k], total(missed));
    expectLoan('squared missedSteps', squares.missedSteps[k], square(missed));
    expectLoan(
      'earlyEnds',
      squares.earlyEnds[k],
      total(loan => Number(missed(loan) > 0)),
    );
    expectLoan(
      'unsoldPaths',
      squares.unsoldPaths[k],
      total(loan => Number(loan.unsoldFraction > 0)),
    );
    const isLoss = (loan: BookLoanOnPath) => Math.min(1, Math.round(loan.loss * UNITS_PER_LOAN_VALUE));
    expectLoan('lossPaths', squares.lossPaths[k], total(isLoss));
    const unsold = columns.unsoldUnits[k] / UNITS_PER_LOAN_VALUE;
    expectLoan(
      'unsold',
      unsold,
      total(loan => loan.unsoldFraction),
      rounding,
    );
    expectLoan(
      'loss',
      columns.lossUnits[k] / UNITS_PER_LOAN_VALUE,
      total(loan => loan.loss),
      rounding,
    );
    for (const [name, want] of [
      ['unsold', square(loan => loan.unsoldFraction)],
      ['loss', square(loan => loan.loss)],
    ] as const)
      expectLoan(`squared ${name}`, squares[name][k], want, squareRounding(want));
    const worst = Math.min(...plain.map(path => path.loans[k].worstCcr));
    expectLoan('worst CCR', worstCcr[k], worst, 1e-14 * worst);
  }
  return {
    faults,
    sales: plain.reduce((sum, path) => sum + path.forcedSales, 0),
    calls: plain.reduce((sum, path) => sum + path.calledLoans, 0),
  };
}

/** Loans of 1 USD against one asset at N = 1, closed out in the hour of their call; prices by hour. */
function closedOutAtOnce(steps: number, calls: readonly number[], daySteps: number): BookProduct {
  const loans = calls.length;
  const all = (value: number) => Float64Array.from({ length: loans }, () => value);
  return {
    kind: 'book',
    steps,
    saleDelaySteps: 0,
    saleCost: 0,
    daySteps,
    quantiles: Float64Array.of(0.5),
    collateralWeights: Float64Array.of(1, 0),
    loanWeights: Float64Array.of(0, 1),
    basket: new Uint32Array(loans),
    termSteps: new Uint32Array(loans).fill(steps),
    topUpSteps: new Uint32Array(loans),
    loanValue: all(1),
    nominalRatio: all(1),
    marginCallRatio: Float64Array.from(calls),
    liquidationRatio: all(1 / 64),
    recoveryRatio: all(1),
  };
}

function sales(prices: readonly number[], calls: readonly number[], daySteps: number) {
  const product = closedOutAtOnce(prices.length, calls, daySteps);
  const book = prepareBook(product, 2);
  const path = new BookPath(product, book, 2);
  path.path.prices[0].set(prices);
  path.path.prices[1].fill(1);
  const sums = emptySums(calls.length, book.groupTerm.length);
  path.begin(sums);
  path.follow(0, sums);
  return { peakDay: path.peakDay, peakStart: path.peakStart, sold: path.sold };
}

describe('The peak day of a book', () => {
  it('is the earliest where two days sell as much', () => {
    expect(sales([0.5, 0.5, 0.25, 0.5], [0.75, 0.375], 1)).toEqual({
      peakDay: 0.5,
      peakStart: 0,
      sold: 0.75,
    });
    // One loan sold at 1/2 in the first hour, and two at 1/4 later.
    const calls = [0.75, 0.375, 0.375];
    expect(sales([0.5, 0.5, 0.25, 0.5], calls, 1)).toEqual({ peakDay: 0.5, peakStart: 0, sold: 1 });
    expect(sales([0.5, 2, 2, 0.25], calls, 2)).toEqual({ peakDay: 0.5, peakStart: 0, sold: 1 });
  });

  it('excludes the first hour after the end of its window', () => {
    // 1/2 in the first hour and 1/4 in the third: never more than 1/2 in two hours.
    expect(sales([0.5, 0.5, 0.25, 0.25], [0.75, 0.375], 2)).toEqual({
      peakDay: 0.5,
      peakStart: 0,
      sold: 0.75,
    });
  });
});

describe('A book on one path', () => {
  const seeds = Array.from({ length: 150 }, (_, seed) => seed);
  for (const { books, even } of [
    { books: 'random books', even: false },
    { books: 'books whose prices meet their thresholds exactly', even: true },
  ])
    for (const { part, tags, some } of everyNth(5, seeds))
      it(`has the figures of its loans one by one: ${books}, ${part}`, { tags }, () => {
        const results = some.map(seed => differences(seed, { even }));
        expect(results.flatMap(({ faults }) => faults).slice(0, 10)).toEqual([]);
        // The books have many calls, and not all lead to a sale.
        const sales = results.reduce((sum, result) => sum + result.sales, 0);
        const calls = results.reduce((sum, result) => sum + result.calls, 0);
        expect(sales).toBeGreaterThan((1000 * some.length) / seeds.length);
        expect(calls).toBeGreaterThan(sales);
      });

  it('looks at a loan with baskets of its own where its ratio may be below its call, or its lowest so far', () => {
    const product = closedOutAtOnce(48, [1.5], 24);
    const book = prepareBook(product, 2);
    const path = new BookPath(product, book, 2);
    const sums = emptySums(1, book.groupTerm.length);
    path.begin(sums);
    path.path.prices[1].fill(1);
    const open = vi.spyOn(SignedBasket.prototype, 'open');
    const looksAt = (price: number) => {
      path.path.prices[0].fill(price);
      open.mockClear();
      path.follow(0, sums);
      return open.mock.calls.length > 0;
    };
    try {
      // The call is at 1.5.
      expect([2, 2.02, 1.8, 1.9, 1.6, 1.7, 1.4, 1.52, 1.48].map(looksAt)).toEqual([
        ...[true, false, true, false, true, false],
        ...[true, false, true],
      ]);
    } finally {
      open.mockRestore();
    }
    expect([...sums.worstRatio]).toEqual([1.4]);
  });

  // A lowest ratio that is the call, the edge of water or the ratio of the start is common here.
  it('has the figures of its loans one by one: up to three loans over up to four steps', () => {
    const some = Array.from({ length: 400 }, (_, seed) => seed);
    const results = some.map(seed => differences(seed, { even: true, most: 3, longest: 4 }));
    expect(results.flatMap(({ faults }) => faults).slice(0, 10)).toEqual([]);
    expect(results.filter(({ calls }) => calls > 0).length).toBeGreaterThan(some.length / 5);
  });
});
