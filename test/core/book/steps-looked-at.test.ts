/**
 * The steps at which the searches of a ratio look: those of blocks, days and quarters of days whose bounds are below
 * the threshold. Bounds are drawn without regard to the prices, so that a step at which a search should not look would
 * change its result.
 */
import { describe, expect, it } from 'vitest';
import { DebtGrowth } from '#src/core/book/debt-growth.js';
import { LazyRatio } from '#src/core/book/lazy-ratio.js';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { SignedBasket } from '#src/core/book/signed-basket.js';
import { signedTerms, sparseWeights } from '#src/core/book/signed-terms.js';
import * as baskets from '../../support/book-ratios.ts';
import { Dice } from '../../support/random-plans.ts';

const ASSETS = 7;
/** The last basket has four assets of collateral before those of its debt. */
const COLLATERAL = [...baskets.COLLATERAL, [0, 0.3, 0.3, 0.3, 0.3, 0, 0]];
const LOAN = [...baskets.LOAN, [0, 0, 0, 0, 0, 0.6, 0.6]];
/** Two blocks of six days, and half a day of a third. */
const STEPS = 300;
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

/** Counts the quotients of a search. */
class CountedBasket extends SignedBasket {
  quotients = 0;
  override at(index: number): number {
    this.quotients++;
    return super.at(index);
  }
}

const indices = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

function madeOf(seed: number) {
  const dice = new Dice(seed);
  // Units of weights and prices, which leave the ratios as they are.
  const [unit, price] = [dice.pick([1e-15, 1, 1e15]), dice.pick([1e-15, 1, 1e15])];
  const path = new PriceExtremes(ASSETS, STEPS);
  for (const values of [path.flat, path.quarterBounds, path.dayBounds, path.blockBounds, path.pathBounds])
    for (let i = 0; i < values.length; i++) values[i] = price * Math.exp(dice.between(-0.7, 0.7));
  path.highest = 2.1 * price;
  const basket = seed % COLLATERAL.length;
  const [collateral, loan] = [COLLATERAL, LOAN].map(rows => rows.map(row => row.map(w => w * unit)));
  const [c, l] = [collateral[basket], loan[basket]];
  const sides = [collateral, loan].map(rows => sparseWeights(Float64Array.from(rows.flat()), ASSETS));
  const perStep = dice.pick([0, 1e-3, -1e-3]);
  const growth = perStep === 0 ? undefined : new DebtGrowth(perStep, path.days);
  const steps = dice.pick([STEPS, 145, 144, 150, 162, dice.whole(1, STEPS)]);
  const growths = (from: number, to: number) => indices(from, to).map(t => growth?.at(t) ?? 1);
  const sumOf = (weights: readonly number[], values: Float64Array, row: number, at: number) => {
    const width = values === path.flat ? STEPS : values.length / ASSETS / 2;
    return weights.reduce((sum, w, i) => sum + w * values[(row + i) * width + at], 0);
  };
  return {
    dice,
    path,
    sides,
    basket,
    growth,
    steps,
    inputs: `seed ${seed}: unit ${unit}, price ${price}, basket ${basket}, growth ${perStep}, ${steps} steps`,
    mostGrowth: (from: number, to: number) => Math.max(...growths(from, to)),
    leastGrowth: (from: number, to: number) => Math.min(...growths(from, to)),
    collateralOf: (values: Float64Array, at: number) => sumOf(c, values, 0, at),
    /** @param row of the first asset: lower bounds and prices begin at 0, upper bounds at `ASSETS` */
    loanOf: (values: Float64Array, at: number, row = 0) => sumOf(l, values, row, at),
    /** The lowest, or highest, sum of (c_i - x l_i) S_i that bounds allow. */
    boundOf: (x: number, bounds: Float64Array, at: number, isHighest = false) => {
      const a = c.map((w, i) => w - x * l[i]);
      const [positive, negative] = [a.map(w => Math.max(0, w)), a.map(w => Math.min(0, w))];
      const [rowOfPositive, rowOfNegative] = isHighest ? [ASSETS, 0] : [0, ASSETS];
      return sumOf(positive, bounds, rowOfPositive, at) + sumOf(negative, bounds, rowOfNegative, at);
    },
    sumAt: (x: number, t: number) => sumOf(c, path.flat, 0, t) - x * sumOf(l, path.flat, 0, t),
    ratioAt: (t: number) =>
      sumOf(c, path.flat, 0, t) / (sumOf(l, path.flat, 0, t) * (growth === undefined ? 1 : growth.at(t))),
  };
}

describe('A search by signs of sums', () => {
  it.each(SEEDS)('divides where no bound and no sum decides (seed %i)', seed => {
    const { dice, path, sides, basket, growth, steps, inputs, ...of } = madeOf(seed);
    const signed = new CountedBasket(path, signedTerms(sides[0], sides[1]));
    // The terms of a larger basket are of no use for this one.
    signed.open(2, 1, STEPS);
    const { quarterBounds, dayBounds, blockBounds, pathBounds } = path;
    const quotientsOf = (search: () => void) => {
      signed.quotients = 0;
      search();
      return signed.quotients;
    };
    const threshold = dice.between(0.6, 1.5);
    const most = threshold * Math.max(1, of.mostGrowth(0, steps - 1));
    expect(signed.open(basket, threshold, steps, growth), inputs).toBe(of.boundOf(most, pathBounds, 0) < 0);
    const looked = indices(0, steps - 1).filter(
      t =>
        of.boundOf(most, blockBounds, Math.floor(t / 144)) < 0 &&
        of.boundOf(most, dayBounds, Math.floor(t / 24)) < 0 &&
        of.boundOf(most, quarterBounds, Math.floor(t / 6)) < 0 &&
        of.sumAt(most, t) < 0,
    );
    const found: number[] = [];
    const quotients = quotientsOf(() => {
      for (let t = signed.firstBelow(0); t < steps && found.length < steps; t = signed.firstBelow(t + 1))
        found.push(t);
    });
    expect(found, inputs).toEqual(looked.filter(t => of.ratioAt(t) < threshold));
    expect(quotients, inputs).toBe(growth === undefined ? 0 : looked.length);

    for (let k = 0; k < 8; k++) {
      const [ratio, from] = [dice.between(0.3, 1.5), dice.whole(0, steps - 1)];
      const to = dice.whole(from, Math.min(steps - 1, from + 60));
      const searched = `${inputs}; ratio ${ratio} from ${from} to ${to}`;
      const [highest, least] = [ratio * of.mostGrowth(from, to), ratio * of.leastGrowth(from, to)];
      const endOf = (t: number | undefined) => t ?? to + 1;
      const days = indices(Math.floor(from / 24), Math.floor(to / 24));
      expect(signed.mayFallBelow(ratio, from, to), searched).toBe(
        days.some(d => of.boundOf(highest, dayBounds, d) < 0),
      );

      const mayRise = indices(from, to).filter(
        t => of.boundOf(least, quarterBounds, Math.floor(t / 6), true) >= 0 && of.sumAt(least, t) >= 0,
      );
      const risen = endOf(mayRise.find(t => of.ratioAt(t) >= ratio));
      const toRise = quotientsOf(() => expect(signed.firstNotBelow(ratio, from, to), searched).toBe(risen));
      expect(toRise, searched).toBe(mayRise.filter(t => t <= risen).length);

      const [low, high] = [0.7 * ratio, 1.3 * ratio];
      const mayLeave = indices(from, to).filter(
        t => of.sumAt(0.7 * highest, t) <= 0 || of.sumAt(1.3 * least, t) >= 0,
      );
      const left = endOf(mayLeave.find(t => of.ratioAt(t) < low || of.ratioAt(t) >= high));
      const toLeave = quotientsOf(() =>
        expect(signed.firstOutside(low, high, from, to), searched).toBe(left),
      );
      expect(toLeave, searched).toBe(mayLeave.filter(t => t <= left).length);
    }
  });
});

describe('A search by the day', () => {
  it.each(SEEDS)('looks at the days that their bounds leave open (seed %i)', seed => {
    const { dice, path, sides, basket, growth, steps, inputs, ...of } = madeOf(seed);
    const { dayBounds, blockBounds } = path;
    const lazy = new LazyRatio(path, sides[0], sides[1]);
    const threshold = dice.between(0.3, 1.2);
    const days = indices(0, Math.ceil(steps / 24) - 1);
    const isOpen = (day: number) => {
      const block = Math.floor(day / 6);
      const lastDay = Math.min(days.length, (block + 1) * 6) - 1;
      const growths = of.mostGrowth(block * 144, lastDay * 24 + 23);
      const loan = of.loanOf(blockBounds, block, ASSETS) * growths;
      return of.collateralOf(blockBounds, block) < threshold * loan;
    };
    const lowOf = (day: number) => {
      const loan = of.loanOf(dayBounds, day, ASSETS) * of.mostGrowth(day * 24, day * 24 + 23);
      return isOpen(day) ? of.collateralOf(dayBounds, day) / loan : Number.POSITIVE_INFINITY;
    };
    const stepsOf = (day: number) => indices(day * 24, Math.min(steps, (day + 1) * 24) - 1);
    for (const always of [false, true])
      for (const lower of [1, dice.between(0.6, 1)]) {
        const opened = lazy.open(basket, steps, threshold, growth, always);
        expect(opened, inputs).toBe(days.some(isOpen));
        if (!opened && !always) continue;
        const x = lower * threshold;
        const searched = `${inputs}; opened for ${threshold}, searched for ${x}, always ${always}`;
        const below = days
          .filter(d => lowOf(d) < x)
          .flatMap(stepsOf)
          .filter(t => of.ratioAt(t) < x);
        const least = days.reduce(
          (least, d) => (lowOf(d) < least ? Math.min(least, ...stepsOf(d).map(of.ratioAt)) : least),
          x,
        );
        const minimum = lazy.minimumBelow(x);
        if (least < x) expect(minimum / least, searched).toBeCloseTo(1, 12);
        else expect(minimum, searched).toBe(Number.POSITIVE_INFINITY);
        const found: number[] = [];
        for (let t = lazy.firstBelow(x, 0); t < steps && found.length < steps; t = lazy.firstBelow(x, t + 1))
          found.push(t);
        expect(found, searched).toEqual(below);
        lazy.open(basket, steps, threshold, growth, always);
        for (const _ of [1, 2]) expect(lazy.isBelow(x), searched).toBe(below.length > 0);
      }
  });
});

it('A bound within rounding of a threshold excludes nothing, and one beyond it does', () => {
  const path = new PriceExtremes(2, STEPS);
  for (const bounds of [path.quarterBounds, path.dayBounds, path.blockBounds, path.pathBounds])
    bounds.fill(1);
  path.prices[0].fill(0.5);
  path.prices[1].fill(1);
  path.highest = 1;
  const [collateral, loan] = [
    [1, 0],
    [0, 1],
  ].map(row => sparseWeights(Float64Array.from(row), 2));
  const lazy = new LazyRatio(path, collateral, loan);
  const signed = new SignedBasket(path, signedTerms(collateral, loan));
  const below = [1 - 1e-13, 1 - 1e-11].map(threshold => [
    lazy.open(0, STEPS, threshold),
    signed.open(0, threshold, STEPS),
    signed.firstBelow(0) < STEPS,
    signed.mayFallBelow(threshold, 0, STEPS - 1),
  ]);
  // The ratio is 1 / 2.
  expect(signed.firstOutside(0.5 * (1 + 1e-13), 1, 0, STEPS - 1)).toBe(0);
  expect(signed.firstOutside(0.1, 0.5 * (1 - 1e-13), 0, STEPS - 1)).toBe(0);
  expect(below).toEqual([
    [true, true, true, true],
    [false, false, false, false],
  ]);
  path.blockBounds.fill(0.5, 0, path.blocks);
  const days = [1 - 1e-13, 1 - 1e-11].map(threshold => {
    lazy.open(0, STEPS, threshold);
    return [lazy.isBelow(threshold), lazy.firstBelow(threshold, 0)];
  });
  expect(days).toEqual([
    [true, 0],
    [false, STEPS],
  ]);
  path.prices[0].fill(2);
  path.quarterBounds.fill(1);
  const risen = [1 + 1e-13, 1 + 1e-11].map(ratio => signed.firstNotBelow(ratio, 0, STEPS - 1));
  expect(risen).toEqual([0, STEPS]);
});
