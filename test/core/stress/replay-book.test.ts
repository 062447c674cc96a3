/** A book along one path of hours, against the rules step by step. */

import { describe, expect, it } from 'vitest';
import { isByAsset } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import { type BookLoanOnPath, bookLoansOnPath, usdOf } from '#src/core/rules/book.js';
import { bookAfterReplay } from '#src/core/stress/book-after-replay.js';
import { lendingOf, shockBook } from '#src/core/stress/book-shock.js';
import { REPLAY_END, REPLAY_PATH, replayBook } from '#src/core/stress/replay-book.js';
import { stressBook } from '#src/core/stress/stressed-book.js';
import { withThresholds } from '../../support/any-terms.ts';
import { nearestOfLoan } from '../../support/book-parity.ts';
import { randomLendingBook } from '../../support/random-lending.ts';
import { Dice } from '../../support/random-plans.ts';

const SHAPE = { assets: 3, loans: 80, baskets: 20, term: 120, saleDelaySteps: 12 };

/** Prices of hour 0 on over the first, falling on the whole. */
function randomPath(seed: number, assets: number, points: number): Float64Array[] {
  const dice = new Dice(seed);
  return Array.from({ length: assets }, () => {
    let price = 1;
    return Float64Array.from({ length: points }, (_, t) => {
      if (t > 0) price *= Math.exp(dice.between(-0.035, 0.031));
      return price;
    });
  });
}

/** Every loan of the book by the rules, up to an hour. */
function plainLoans(product: BookProduct, seed: number, relatives: readonly Float64Array[], until: number) {
  const prices = Array.from(relatives[0], (_, t) => relatives.map(column => column[t]));
  return bookLoansOnPath(product, seed, REPLAY_PATH, prices, until);
}

/** Whether no rounding of a threshold decides on the states of a loan. */
const isSure = (product: BookProduct, loan: BookLoanOnPath, k: number) =>
  nearestOfLoan(product, loan, k) > 1e-9;

describe('A book along one path of hours', () => {
  const cases = Array.from({ length: 12 }, (_, seed) => ({
    seed,
    hours: [1, 7, 48, 96, 119, 400][seed % 6],
  }));

  it.each(cases)('follows the rules at every step: seed $seed, $hours hours', ({ seed, hours }) => {
    const { product: plainBook } = randomLendingBook(seed, 1, SHAPE);
    // Every second book has liquidation LTVs by asset.
    const product = seed % 2 === 0 ? plainBook : withThresholds(new Dice(seed), plainBook, SHAPE.assets);
    const relatives = randomPath(seed, SHAPE.assets, Math.max(hours, SHAPE.term) + 13);
    const { loans, ccr, peakDay } = replayBook({ product, relatives, hours, seed });
    const plain = plainLoans(product, seed, relatives, hours);
    const value = product.loanValue;
    plain.forEach((each, k) => {
      if (!isSure(product, each, k)) return;
      const inputs = `loan ${k}`;
      expect([loans.called[k], loans.closedOut[k], loans.liquidated[k]], inputs).toEqual([
        Number(each.marginCall),
        Number(each.closeout),
        Number(each.liquidation),
      ]);
      expect(loans.loss[k], inputs).toBeCloseTo(each.loss * value[k], 4);
      expect(loans.sold[k] / value[k], inputs).toBeCloseTo(usdOf(each.sales), 9);
      expect(loans.toppedUp[k] / value[k], inputs).toBeCloseTo(usdOf(each.topUps), 9);
      if (each.goesOn !== undefined) {
        const { deadline } = each.goesOn;
        const called = deadline !== undefined;
        expect(loans.end[k], inputs).toBe(called ? REPLAY_END.called : REPLAY_END.open);
        expect(loans.deadlineSteps[k], inputs).toBe(called ? deadline - hours : 0);
        expect(loans.collateralFactor[k] * product.nominalRatio[k], inputs).toBeCloseTo(each.unitsLeft, 9);
        expect(loans.debtFactor[k], inputs).toBeCloseTo(each.debtLeft, 9);
      } else expect([REPLAY_END.ordered, REPLAY_END.ended], inputs).toContain(loans.end[k]);
    });
    const sales = plain.flatMap(({ sales: own }, k) =>
      own.map(({ step, usd }) => ({ step: Math.max(1, step), usd: usd * value[k] })),
    );
    const windows = sales.map(({ step: last }) =>
      sales.filter(({ step }) => step > last - 24 && step <= last).reduce((sum, { usd }) => sum + usd, 0),
    );
    if (plain.every((each, k) => isSure(product, each, k)))
      expect(peakDay).toBeCloseTo(Math.max(0, ...windows), 3);
    expect(ccr).toHaveLength(hours + 1);
    const growth = lendingOf(product).debtGrowth;
    const worthAt = (weights: Float64Array, k: number, t: number) =>
      relatives.reduce(
        (sum, prices, a) => sum + weights[product.basket[k] * SHAPE.assets + a] * prices[t],
        0,
      );
    for (let t = 0; t <= hours; t++) {
      const running = [...value.keys()].filter(k => t <= product.termSteps[k]);
      const sum = (of: (k: number) => number) => running.reduce((usd, k) => usd + value[k] * of(k), 0);
      const collateral = sum(k => product.nominalRatio[k] * worthAt(product.collateralWeights, k, t));
      const debt = sum(k => worthAt(product.loanWeights, k, t) * growth[k] ** (t / product.termSteps[k]));
      expect(ccr[t], `hour ${t}`).toBeCloseTo(running.length === 0 ? 0 : collateral / debt, 10);
    }
  });

  it('draws its answers on a path number that no simulation uses', () => {
    expect(REPLAY_PATH).toBe(0xffffffff);
  });

  it('leaves a book with the collateral and debt of its loans at the end', () => {
    const hours = 30;
    const product = withThresholds(new Dice(5), randomLendingBook(5, 1, SHAPE).product, SHAPE.assets);
    const relatives = randomPath(5, SHAPE.assets, SHAPE.term + 13);
    const input = { product, relatives, hours, seed: 5 };
    const { loans } = replayBook(input);
    const left = bookAfterReplay(input, loans, 1);
    const plain = plainLoans(product, 5, relatives, hours);
    expect(left).toBeDefined();
    if (left === undefined) return;
    expect(left.loans.length).toBeGreaterThan(5);
    const after = left.product;
    const { debtGrowth } = lendingOf(product);
    const none = new Float64Array(0);
    left.loans.forEach((k, i) => {
      const growth = debtGrowth[k] ** (hours / product.termSteps[k]);
      const { unitsLeft, debtLeft } = plain[k];
      const at = (weights: Float64Array) =>
        relatives.reduce((sum, prices, a) => sum + weights[product.basket[k] * 3 + a] * prices[hours], 0);
      const debt = product.loanValue[k] * debtLeft * growth * at(product.loanWeights);
      const collateral = product.loanValue[k] * unitsLeft * at(product.collateralWeights);
      expect(worth(after, after.loanWeights, i), `loan ${k}`).toBeCloseTo(debt, 4);
      expect(after.nominalRatio[i] * worth(after, after.collateralWeights, i), `loan ${k}`).toBeCloseTo(
        collateral,
        4,
      );
      if (isByAsset(lendingOf(product), k)) {
        const secured = product.loanValue[k] * unitsLeft * at(product.liquidationWeights ?? none);
        expect(isByAsset(lendingOf(after), i), `loan ${k}`).toBe(true);
        expect(
          after.nominalRatio[i] * worth(after, after.liquidationWeights ?? none, i),
          `loan ${k}`,
        ).toBeCloseTo(secured, 4);
      }
      expect(after.termSteps[i]).toBe(product.termSteps[k] - hours);
      expect(after.loanValue[i], `loan ${k}`).toBeCloseTo(debt, 4);
      const grown = product.loanValue[k] * debtGrowth[k] * debtLeft * at(product.loanWeights);
      expect(after.loanValue[i] * lendingOf(after).debtGrowth[i], `loan ${k}`).toBeCloseTo(grown, 4);
    });
  });

  it('counts days where the following paths have steps of days', () => {
    const { product } = randomLendingBook(6, 1, SHAPE);
    const relatives = randomPath(6, SHAPE.assets, SHAPE.term + 13);
    const input = { product, relatives, hours: 10, seed: 6 };
    const left = bookAfterReplay(input, replayBook(input).loans, 24);
    expect(left).toBeDefined();
    left?.loans.forEach((k, i) => {
      expect(left.product.termSteps[i]).toBe(Math.max(1, Math.round((product.termSteps[k] - 10) / 24)));
      expect(left.product.topUpSteps[i]).toBe(Math.ceil(product.topUpSteps[k] / 24));
    });
    expect(left?.product).toMatchObject({ daySteps: 1, saleDelaySteps: 1 });
  });
});

describe('A scenario of a book', () => {
  const { product } = randomLendingBook(9, 1, SHAPE);
  const flat = Array.from({ length: SHAPE.assets }, () => new Float64Array(SHAPE.term + 13).fill(1));
  const input = {
    hourly: product,
    onGrid: product,
    gridHours: 1 as const,
    factors: undefined,
    seed: 9,
    maturityHours: Float64Array.from(product.termSteps),
  };

  it('leaves the book unchanged without a shock and a replay', () => {
    const { left, replayed, atOnce } = stressBook({ ...input, replay: undefined });
    expect(replayed).toBeUndefined();
    expect(left?.product).toEqual(product);
    expect(atOnce.start).toEqual(lendingOf(product).start);
  });

  it('changes only the age of uncalled loans when prices stand still for an hour', () => {
    const { left, replayed } = stressBook({ ...input, replay: { relatives: flat, hours: 1 } });
    const lending = lendingOf(product);
    const uncalled = Array.from(left?.loans ?? []).filter(
      k => lending.start[k] === 0 && lending.debtGrowth[k] === 1,
    );
    expect(uncalled.length).toBeGreaterThan(10);
    for (const k of uncalled) {
      const place = left?.loans.indexOf(k) ?? -1;
      expect(left?.product.loanValue[place]).toBe(product.loanValue[k]);
      expect(left?.product.nominalRatio[place]).toBe(product.nominalRatio[k]);
      expect(replayed?.loans.loss[k]).toBe(0);
    }
  });

  it('lives through a replay without a maturity, and has its whole term after it', () => {
    const hours = SHAPE.term;
    const { termSteps } = product;
    const ends = Float64Array.from(
      termSteps,
      (steps, k) => [Number.POSITIVE_INFINITY, steps + 30, steps][k % 3],
    );
    const { left, replayed } = stressBook({
      ...input,
      maturityHours: ends,
      replay: { relatives: flat, hours },
    });
    const growth = lendingOf(product).debtGrowth;
    expect(replayed?.followedHours).toBe(hours);
    expect(Array.from(replayed?.loans.matured ?? [])).toEqual(Array.from(ends, end => Number(end < hours)));
    const kept = new Set<number>();
    left?.loans.forEach((k, place) => {
      kept.add(k % 3);
      const steps = left.product.termSteps[place];
      expect(steps, `loan ${k}`).toBe(Math.max(1, Math.min(termSteps[k], ends[k] - hours)));
      const grown = lendingOf(left.product).debtGrowth[place];
      expect(grown, `loan ${k}`).toBeCloseTo(
        growth[k] ** ((Math.min(ends[k], termSteps[k] + hours) - hours) / termSteps[k]),
        9,
      );
    });
    expect(kept).toContain(0);
    const alone = stressBook({ ...input, maturityHours: ends, replay: { relatives: flat, hours: 1 } });
    expect(alone.replayed?.loans.matured.some(Boolean)).toBe(false);
  });

  it('is cut where no loan lives to the end of a replay', () => {
    const { replayed } = stressBook({ ...input, replay: { relatives: flat, hours: SHAPE.term + 5 } });
    expect(replayed?.followedHours).toBe(product.termSteps.reduce((a, b) => Math.max(a, b)));
  });

  it('multiplies collateral and debt by its shock, and calls and liquidates by the new ratios', () => {
    const factors = [0.7, 0.9, 1];
    const { atOnce } = stressBook({ ...input, factors, replay: undefined });
    [...product.loanValue.keys()].forEach(k => {
      const worthThen = (weights: Float64Array) =>
        factors.reduce((sum, factor, a) => sum + weights[product.basket[k] * 3 + a] * factor, 0);
      const ccr =
        (product.nominalRatio[k] * worthThen(product.collateralWeights)) / worthThen(product.loanWeights);
      const [M, L] = [product.marginCallRatio[k], product.liquidationRatio[k]];
      const wasCalled = lendingOf(product).start[k] === 2;
      const expected = ccr < L ? 3 : wasCalled || ccr < M ? 2 : 1;
      if (Math.abs(ccr / L - 1) > 1e-9 && Math.abs(ccr / M - 1) > 1e-9)
        expect(atOnce.start[k], `loan ${k}`).toBe(expected);
      expect(atOnce.collateral[k] / atOnce.debt[k], `loan ${k}`).toBeCloseTo(ccr, 9);
    });
  });
});

/** A side of a loan at the first prices, USD. */
const worth = (product: BookProduct, weights: Float64Array, k: number) =>
  product.loanValue[k] *
  weights.subarray(product.basket[k] * 3, product.basket[k] * 3 + 3).reduce((a, b) => a + b, 0);

it('A book without the terms of real loans is neither shocked nor replayed', () => {
  const { lending: _, ...product } = randomLendingBook(1, 1, SHAPE).product;
  expect(() => shockBook(product, [1, 1, 1])).toThrow(
    'A book that is shocked or replayed has its lending terms.',
  );
});
