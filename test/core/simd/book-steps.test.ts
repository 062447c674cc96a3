/**
 * The days and steps of a path at which the kernel looks for the loans of a book. Prices, bounds and the coefficients of the
 * sums are drawn without regard to each other, so that a step at which it should not look would change a result.
 */
import { expect, it } from 'vitest';
import { followPaths, pathsOf } from '#src/core/book/book-follower.js';
import { emptySums } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { LOAN_START } from '#src/core/plan/book-lending.js';
import { SimdBook } from '#src/core/simd/book.js';
import { kernel } from '../../support/book-followers.ts';
import { randomBook } from '../../support/random-books.ts';
import { Dice } from '../../support/random-plans.ts';

const ASSETS = 7;
const LOANS = 40;
/** Places of kernel/book-loans.ts and kernel/book-terms.ts, in words. */
const TERMS = 16;
const TERM_ASSET = 4;
const CALL = 5;
const UNDERWATER = 6;
const COLLATERAL_SINGLE = 8;
const LOAN_SINGLE = 9;

interface Term {
  readonly asset: number;
  /** Weights of both sides; drawn coefficients of the sums for a call and for the edge of water; drawn weights in single precision. */
  readonly c: number;
  readonly l: number;
  readonly call: number;
  readonly under: number;
  readonly single: readonly [c: number, l: number];
}

/** Lets the kernel follow loans along drawn prices. */
function followed(seed: number, dice: Dice) {
  const steps = dice.pick([23, 24, 25, 145, 384, 385, 900]);
  const shape = { assets: ASSETS, loans: LOANS, baskets: LOANS, term: steps, saleDelaySteps: 0 };
  const { product: usual, scenarios } = randomBook(seed, kernel.lanes, shape);
  const all = (value: number) => new Uint32Array(LOANS).fill(value);
  const none = new Float64Array(LOANS);
  const product = {
    ...usual,
    nominalRatio: usual.nominalRatio.map(() => dice.between(0.7, 1.1)),
    lending: {
      debtGrowth: none.map(() => dice.pick([1, 1.4, 0.7])),
      saleCost: none.map(() => usual.saleCost),
      start: all(LOAN_START.none),
      startDeadline: all(0),
      startAnswer: all(0),
      answerShare: none,
      answerDelay: all(1),
      answerRatio: none,
      nameHigh: all(0),
      nameLow: all(0),
      oneDraw: all(0),
      saleRatio: none,
      saleShare: none.map(() => 1),
    },
  };
  const book = prepareBook(product, ASSETS);
  const single = (low: number, high: number) => Math.fround(dice.between(low, high));
  const drawn = () => Math.fround(Math.exp(dice.between(-0.7, 0.7)));
  const days = Math.ceil(steps / 24);
  const rowsOf = (rows: number, width: number) =>
    Array.from({ length: kernel.lanes }, () =>
      Array.from({ length: rows }, () => Array.from({ length: width }, drawn)),
    );
  /** By lane, row and step, day, or one for the path. */
  const [prices, dayBounds, pathBounds] = [
    rowsOf(ASSETS, steps),
    rowsOf(2 * ASSETS, days),
    rowsOf(2 * ASSETS, 1),
  ];
  const byPlace: Term[][] = [];
  let placed: number[] = [];
  let loansAt = 0;
  const exports: typeof kernel.exports = {
    ...kernel.exports,
    placePrices(...places) {
      placed = places;
      kernel.exports.placePrices(...places);
    },
    placeBook(...places) {
      loansAt = places[0];
      kernel.exports.placeBook(...places);
    },
    simulatePrices() {
      const [at, row, daysAt, dayRow, boundsAt] = placed;
      for (let lane = 0; lane < kernel.lanes; lane++) {
        for (const [i, values] of prices[lane].entries())
          kernel.singles.set(values, (at + (lane * ASSETS + i) * row) / 4);
        for (const [i, values] of dayBounds[lane].entries())
          kernel.singles.set(values, (daysAt + (lane * 2 * ASSETS + i) * dayRow) / 4);
        for (const [i, [bound]] of pathBounds[lane].entries())
          kernel.singles[(boundsAt + i * kernel.vectorBytes) / 4 + lane] = bound;
      }
    },
    beginBook(...terms) {
      kernel.exports.beginBook(...terms);
      const words = kernel.exports.TERM_BYTES.value / 4;
      for (let place = 0; place < LOANS; place++) {
        const loan = (loansAt + place * kernel.exports.BOOK_LOAN_BYTES.value) / 4;
        // Most coefficients are above 0: few days are open.
        const [lowest, share] = [dice.between(-1, 0), dice.between(0.5, 1.5)];
        byPlace[place] = Array.from({ length: kernel.integers[loan + TERMS + 1] }, (_, i) => {
          const at = kernel.integers[loan + TERMS] / 4 + i * words;
          const [call, under] = [single(lowest, 1), single(lowest, 1)];
          const weights = [single(0, 1), single(0, share)] as const;
          kernel.singles[at + CALL] = call;
          kernel.singles[at + UNDERWATER] = under;
          kernel.singles[at + COLLATERAL_SINGLE] = weights[0];
          kernel.singles[at + LOAN_SINGLE] = weights[1];
          const [c, l] = [kernel.doubles[at / 2], kernel.doubles[at / 2 + 1]];
          return { asset: kernel.integers[at + TERM_ASSET], c, l, call, under, single: weights };
        });
      }
    },
  };
  const drawnKernel = new Proxy(kernel, {
    get: (target, name) => (name === 'exports' ? exports : Reflect.get(target, name)),
  });
  const sums = emptySums(LOANS, LOANS, true);
  for (let g = 0; g < LOANS; g++) sums.worstRatio[g] = dice.pick([0, 0, dice.between(0.3, 1.5)]);
  const before = sums.worstRatio.slice();
  const plan = { seed, paths: kernel.lanes, scenarios, product };
  followPaths(
    new SimdBook(drawnKernel, plan, book),
    sums,
    pathsOf({ first: 0, count: kernel.lanes }),
    () => {},
  );
  return { product, book, sums, before, byPlace, prices, dayBounds, pathBounds, steps };
}

const rangeOf = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

it.each(rangeOf(0, 30))('The kernel looks where bounds and sums are below zero (seed %i)', seed => {
  const dice = new Dice(seed);
  const { product, book, sums, before, byPlace, prices, dayBounds, pathBounds, steps } = followed(seed, dice);
  let calls = 0;
  for (let place = 0; place < LOANS; place++) {
    const k = book.byCall[place];
    const terms = byPlace[place];
    const term = product.termSteps[k];
    const topUp = product.topUpSteps[k];
    const { callAt, underAt, liquidationAt, recoveryAt } = book;
    const boundOf = (a: readonly number[], bounds: readonly (readonly number[])[], at: number) =>
      terms.reduce((sum, { asset }, i) => sum + a[i] * bounds[a[i] < 0 ? ASSETS + asset : asset][at], 0);
    const perStep = Math.log(product.lending.debtGrowth[k]) / term;
    const growthAt = (t: number) => Math.exp(perStep * (t + 1));
    const mostGrowth = Math.max(1, growthAt(term - 1));
    const ofThreshold = (x: number) => terms.map(({ c, l }) => c - x * mostGrowth * l);
    const ofCall = terms.map(({ call }) => call);
    const ofWater = terms.map(({ under }) => under);
    const wanted = { marginCalls: 0, liquidations: 0, closeouts: 0, underwater: 0, missedSteps: 0 };
    let worst = before[place];
    // Selected for all paths of the packet at once.
    const open = ofThreshold(Math.max(worst, callAt[place]));
    for (let lane = 0; lane < prices.length; lane++) {
      if (!(boundOf(open, pathBounds[lane], 0) < 0)) continue;
      const priceOf = ({ asset }: Term, t: number) => prices[lane][asset][t];
      const sumOf = (weight: (term: Term) => number, t: number) =>
        terms.reduce((sum, each) => sum + weight(each) * priceOf(each, t), 0);
      const ratioAt = (t: number) => sumOf(each => each.c, t) / (sumOf(each => each.l, t) * growthAt(t));
      const isDayOpen = (a: readonly number[], day: number) => boundOf(a, dayBounds[lane], day) < 0;
      const isStepOpen = (a: readonly number[], t: number) =>
        terms.reduce((sum, each, i) => sum + a[i] * priceOf(each, t), 0) < 0;
      const firstBelow = (a: readonly number[], x: number, from: number) =>
        rangeOf(from, term).find(
          t => isDayOpen(a, Math.floor(t / 24)) && isStepOpen(a, t) && ratioAt(t) < x,
        ) ?? term;
      const lowestFrom = (from: number) => {
        let lowest = worst;
        if (!(boundOf(ofThreshold(worst), pathBounds[lane], 0) < 0)) return worst;
        // Bounds are compared for sixteen days at once.
        for (let run = Math.floor(from / 384) * 384; run < term; run += 384) {
          const a = ofThreshold(lowest);
          for (const t of rangeOf(Math.max(from, run), Math.min(run + 384, term)))
            if (isDayOpen(a, Math.floor(t / 24))) lowest = Math.min(lowest, ratioAt(t));
        }
        return lowest;
      };
      const [call, under, known] = [callAt[place], underAt[place], worst];
      if (known > call) {
        worst = lowestFrom(0);
        if (!(worst < known && worst < call)) continue;
      }
      const first = firstBelow(ofCall, call, 0);
      if (first === term) continue;
      calls += 1;
      wanted.marginCalls += 1;
      const sell = (t: number, kind: 'liquidations' | 'closeouts') => {
        wanted[kind] += 1;
        wanted.missedSteps += term - (t + 1);
      };
      for (let index = first; index < term; ) {
        const isLiquidated = ratioAt(index) < liquidationAt[place];
        if (isLiquidated || topUp === 0) {
          sell(index, isLiquidated ? 'liquidations' : 'closeouts');
          break;
        }
        const deadline = index + topUp;
        const [low, high] = [liquidationAt[place], recoveryAt[place]];
        const last = Math.min(deadline, term - 1);
        const ends = [growthAt(index + 1), growthAt(last)];
        const [most, least] = [low * Math.max(...ends), high * Math.min(...ends)];
        const left = rangeOf(index + 1, last + 1).find(t => {
          const [c, l] = [sumOf(each => each.single[0], t), sumOf(each => each.single[1], t)];
          return !(c > most * l && c < least * l) && (ratioAt(t) < low || ratioAt(t) >= high);
        });
        if (left === undefined && deadline < term) sell(deadline, 'closeouts');
        else if (left !== undefined && ratioAt(left) < low) sell(left, 'liquidations');
        if (left === undefined || ratioAt(left) < low) break;
        index = firstBelow(ofCall, call, left);
      }
      const isUnder = boundOf(ofWater, pathBounds[lane], 0) < 0 && firstBelow(ofWater, under, first) < term;
      if (isUnder) wanted.underwater += 1;
      if (known <= call && (isUnder || known > under)) worst = lowestFrom(first);
    }
    const got = Object.fromEntries(
      (Object.keys(wanted) as (keyof typeof wanted)[]).map(name => [name, sums[name][place]]),
    );
    const told = `seed ${seed}: loan ${place} of ${term} steps, path of ${steps}, worst before ${before[place]}`;
    expect(got, told).toEqual(wanted);
    expect(sums.worstRatio[place], told).toBeCloseTo(worst, 10);
  }
  expect(calls).toBeGreaterThan(LOANS / 20);
});
