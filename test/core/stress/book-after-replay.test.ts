/** The book that is left after a replay, from the states of its loans. */
import { describe, expect, it } from 'vitest';
import { LOAN_START } from '#src/core/plan/book-lending.js';
import { BOOK, type BookProduct } from '#src/core/plan/product/book.js';
import { bookAfterReplay } from '#src/core/stress/book-after-replay.js';
import { shockBook } from '#src/core/stress/book-shock.js';
import { REPLAY_END, type ReplayedLoans, replayBook } from '#src/core/stress/replay-book.js';

const LOANS = 4;
const all = (value: number) => new Float64Array(LOANS).fill(value);
const [USUAL] = BOOK.usual.terms(2) as readonly BookProduct[];
/** Four loans: of 100 hours each on baskets of two assets, the last on baskets of its own. */
const PRODUCT = {
  ...USUAL,
  steps: 106,
  saleDelaySteps: 6,
  daySteps: 24,
  basket: Uint32Array.of(1, 1, 1, 0),
  collateralWeights: Float64Array.of(1, 0, 0.5, 0.5),
  loanWeights: Float64Array.of(0, 1, 0, 1),
  termSteps: Uint32Array.of(100, 100, 60, 60),
  topUpSteps: Uint32Array.of(30, 30, 30, 30),
  loanValue: Float64Array.of(1000, 2000, 3000, 4000),
  nominalRatio: all(2),
  marginCallRatio: all(1.5),
  liquidationRatio: all(1.2),
  recoveryRatio: all(1.6),
  lending: {
    debtGrowth: Float64Array.of(1, 1.21, 1, 1),
    saleCost: all(0.01),
    start: Uint32Array.of(0, 0, 0, 0),
    startDeadline: Uint32Array.of(1, 1, 1, 1),
    startAnswer: Uint32Array.of(0, 0, 0, 0),
    answerShare: all(0.5),
    answerDelay: Uint32Array.of(12, 12, 12, 12),
    answerRatio: Float64Array.of(1.7, 0, 1.7, 1.7),
    nameHigh: Uint32Array.of(1, 2, 3, 4),
    nameLow: Uint32Array.of(5, 6, 7, 8),
    oneDraw: Uint32Array.of(0, 1, 0, 1),
    saleRatio: all(0),
    saleShare: all(1),
  },
};
const HOURS = 50;
const RELATIVES = [
  Float64Array.from({ length: 120 }, (_, t) => (t < HOURS ? 1 : 0.8)),
  Float64Array.from({ length: 120 }, (_, t) => (t < HOURS ? 1 : 1.1)),
];
const INPUT = { product: PRODUCT, relatives: RELATIVES, hours: HOURS, seed: 1 };

const replayed = (end: readonly number[], deadlineSteps: readonly number[]): ReplayedLoans =>
  ({
    end: Uint32Array.from(end),
    deadlineSteps: Uint32Array.from(deadlineSteps),
    collateralFactor: Float64Array.of(1, 1.5, 1, 1),
    debtFactor: Float64Array.of(1, 0.8, 1, 1),
  }) as Partial<ReplayedLoans> as ReplayedLoans;
const { open, called, ordered, ended } = REPLAY_END;

const shares = (...values: number[]) => values.map(value => expect.closeTo(value, 14));

describe('The book after a replay', () => {
  it('has the open and the called loans with their values, terms and calls, by the hour', () => {
    const left = bookAfterReplay(INPUT, replayed([called, open, called, ended], [20, 0, 25, 0]), 1);
    expect([...(left?.loans ?? [])]).toEqual([0, 1, 2]);
    const { product } = left ?? {};
    // The basket of the last loan is gone.
    expect([...(product?.basket ?? [])]).toEqual([0, 0, 0]);
    expect([...(product?.collateralWeights ?? [])]).toEqual(shares(0.4 / 0.95, 0.55 / 0.95));
    expect(product?.loanWeights).toEqual(Float64Array.of(0, 1));
    expect(product).toMatchObject({ steps: 50 + 6, saleDelaySteps: 6, daySteps: 24 });
    expect([...(product?.termSteps ?? [])]).toEqual([50, 50, 10]);
    expect([...(product?.topUpSteps ?? [])]).toEqual([30, 30, 30]);
    // Half of the term of the second has grown its debt by the root of 1.21.
    // USD of the end: the price of the debt has risen to 1.1, the value of the collateral is 0.95 of that before.
    expect(product?.loanValue[0]).toBeCloseTo(1000 * 1.1, 10);
    expect(product?.loanValue[1]).toBeCloseTo(2000 * 0.8 * 1.1 * 1.1, 10);
    expect(product?.nominalRatio[1]).toBeCloseTo((2 * 1.5 * 0.95) / (0.8 * 1.1 * 1.1), 12);
    expect(product?.lending?.debtGrowth[1]).toBeCloseTo(1.1, 12);
    const { lending } = product ?? {};
    expect([...(lending?.start ?? [])]).toEqual([LOAN_START.called, LOAN_START.none, LOAN_START.called]);
    expect([...(lending?.startDeadline ?? [])]).toEqual([20, 1, 25]);
    // Called 10 and 5 hours before the end: answers come after 12; without a ratio none comes.
    expect([...(lending?.startAnswer ?? [])]).toEqual([2, 0, 7]);
    expect([...(lending?.nameHigh ?? []), ...(lending?.nameLow ?? []), ...(lending?.oneDraw ?? [])]).toEqual([
      1, 2, 3, 5, 6, 7, 0, 1, 0,
    ]);
  });

  it('has steps of days on a daily grid, at least one of each', () => {
    const left = bookAfterReplay(INPUT, replayed([called, ended, called, open], [20, 0, 18, 0]), 24);
    const { product } = left ?? {};
    expect([...(left?.loans ?? [])]).toEqual([0, 2, 3]);
    expect([...(product?.basket ?? [])]).toEqual([1, 1, 0]);
    expect([...(product?.collateralWeights ?? [])]).toEqual(shares(1, 0, 0.4 / 0.95, 0.55 / 0.95));
    expect([...(product?.termSteps ?? [])]).toEqual([2, 1, 1]);
    expect(product).toMatchObject({ steps: 3, saleDelaySteps: 1, daySteps: 1 });
    expect([...(product?.topUpSteps ?? [])]).toEqual([2, 2, 2]);
    expect([...(product?.lending?.startDeadline ?? [])]).toEqual([1, 1, 1]);
    expect([...(product?.lending?.answerDelay ?? [])]).toEqual([1, 1, 1]);
    // An answer that was due 12 hours after a call at hour 38 came at the end.
    expect([...(product?.lending?.startAnswer ?? [])]).toEqual([1, 0, 0]);
  });

  it('is none where no loan goes on', () => {
    expect(bookAfterReplay(INPUT, replayed([ended, ordered, ended, ended], [0, 0, 0, 0]), 1)).toBeUndefined();
    expect([
      ...(bookAfterReplay(INPUT, replayed([ended, ended, ended, open], [0, 0, 0, 0]), 1)?.loans ?? []),
    ]).toEqual([3]);
  });
});

describe('A replay', () => {
  it('has the ratio of each loan that goes on, and of all loans within their terms', () => {
    const { loans, ccr, peakDay } = replayBook(INPUT);
    // Half of either asset, or the first alone, against the second; the last is below 1.5.
    expect(loans.ccr[0]).toBeCloseTo((2 * 0.95) / 1.1, 10);
    expect(loans.ccr[1]).toBeCloseTo((2 * 0.95) / 1.1 / 1.1, 10);
    expect(loans.ccr[3]).toBeCloseTo((2 * 0.8) / 1.1, 10);
    expect([...loans.end]).toEqual(
      [open, open, open, called].map((end, k) => (loans.ccr[k] < 1.5 ? called : end)),
    );
    const value = [1000, 2000, 3000, 4000];
    const collateral = value.reduce((sum, usd, k) => sum + 2 * usd * (k === 3 ? 0.8 : 0.95), 0);
    const debt = value.reduce((sum, usd, k) => sum + usd * 1.1 * (k === 1 ? 1.1 : 1), 0);
    expect(ccr).toHaveLength(HOURS + 1);
    expect(ccr[0]).toBeCloseTo(2, 12);
    expect(ccr[HOURS]).toBeCloseTo(collateral / debt, 10);
    expect(peakDay).toBe(0);
  });

  it('counts sales at the start to the first hour', () => {
    const shocked = shockBook({ ...PRODUCT, saleDelaySteps: 0 }, [0.5, 1]);
    expect([...(shocked.lending?.start ?? [])]).toEqual([
      LOAN_START.open,
      LOAN_START.open,
      LOAN_START.open,
      LOAN_START.liquidated,
    ]);
    const still = RELATIVES.map(column => new Float64Array(column.length).fill(1));
    const { loans, peakDay } = replayBook({ ...INPUT, product: shocked, relatives: still });
    expect(loans.sold[3]).toBeCloseTo(2 * 4000 * 0.5, 8);
    expect(peakDay).toBeCloseTo(4000, 8);
    expect(loans.ccr[3]).toBe(0);
    expect(loans.end[3]).toBe(ended);
  });
});
