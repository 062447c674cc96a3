/** The books that tests run over the engines. */
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { Scenarios } from '#src/core/plan/simulation-plan.js';
import type { BookPlan } from './book-parity.ts';
import { randomBook } from './random-books.ts';
import { randomLendingBook, randomStartBook } from './random-lending.ts';
import { Dice, randomGbm } from './random-plans.ts';

export type GbmBook = ReturnType<typeof randomBook>;
export type LendingBook = ReturnType<typeof randomLendingBook>;

/** A name, and a plan of few paths. */
export type BookCase<P = GbmBook> = readonly [string, P];

const PATHS = 41;
export const PLAIN_BOOKS: readonly BookCase[] = [
  ['loans with baskets of their own', randomBook(1, PATHS, { assets: 6, loans: 80, baskets: 80, term: 240 })],
  ['loans of few baskets', randomBook(2, PATHS, { assets: 4, loans: 80, baskets: 7, term: 131 })],
  [
    'loans of which some are never called',
    randomBook(3, PATHS, { assets: 5, loans: 60, baskets: 60, term: 100, uncalled: true }),
  ],
  ['loans of an hour', randomBook(4, PATHS, { assets: 3, loans: 30, baskets: 30, term: 1 })],
  [
    'loans that are sold at once',
    randomBook(5, PATHS, { assets: 2, loans: 40, baskets: 40, term: 97, saleDelaySteps: 0 }),
  ],
  ['loans on 32 assets', randomBook(6, PATHS, { assets: 32, loans: 40, baskets: 40, term: 49 })],
];

const LENDING_PATHS = 12;
/** Books with the terms of real loans. */
export const LENDING_BOOKS: readonly BookCase<LendingBook>[] = [
  [
    'loans with baskets of their own',
    randomLendingBook(1, LENDING_PATHS, { assets: 5, loans: 60, baskets: 60, term: 200 }),
  ],
  [
    'loans of few baskets',
    randomLendingBook(2, LENDING_PATHS, { assets: 4, loans: 80, baskets: 5, term: 130 }),
  ],
  [
    'loans of which some are never called',
    randomLendingBook(3, LENDING_PATHS, { assets: 4, loans: 50, baskets: 9, term: 100, uncalled: true }),
  ],
  [
    'loans that are sold at once',
    randomLendingBook(4, LENDING_PATHS, { assets: 3, loans: 60, baskets: 60, term: 97, saleDelaySteps: 0 }),
  ],
  [
    'loans that have interest, or are called or liquidated at the start, and no rules of their own',
    randomStartBook(5, LENDING_PATHS, { assets: 5, loans: 120, baskets: 120, term: 200 }),
  ],
  [
    'such loans that are sold at once',
    randomStartBook(6, LENDING_PATHS, { assets: 3, loans: 120, baskets: 120, term: 97, saleDelaySteps: 0 }),
  ],
  [
    'loans of few baskets and one term',
    ofOneTerm(randomLendingBook(9, LENDING_PATHS, { assets: 4, loans: 80, baskets: 5, term: 130 })),
  ],
  [
    'loans of few baskets that begin so',
    randomStartBook(7, LENDING_PATHS, { assets: 3, loans: 60, baskets: 6, term: 97 }),
  ],
  [
    'loans that end under water without a call',
    lentBeyondValue(
      randomLendingBook(10, LENDING_PATHS, { assets: 3, loans: 40, baskets: 8, term: 60, uncalled: true }),
    ),
  ],
];

/** The same loans, those with M below 1 with less collateral than debt. */
function lentBeyondValue({ product, ...plan }: LendingBook): LendingBook {
  const { marginCallRatio, lending } = product;
  const isUncalled = (k: number) => marginCallRatio[k] < 1;
  return {
    ...plan,
    product: {
      ...product,
      nominalRatio: product.nominalRatio.map((n, k) => (isUncalled(k) ? 0.98 : n)),
      lending: { ...lending, start: lending.start.map((start, k) => (isUncalled(k) ? k % 2 : start)) },
    },
  };
}

/** The same loans with the term of the longest, and without interest: those of the same baskets share their ratio. */
export function ofOneTerm({ product, ...plan }: LendingBook): LendingBook {
  const { termSteps, lending } = product;
  return {
    ...plan,
    product: {
      ...product,
      termSteps: termSteps.map(() => Math.max(...termSteps)),
      lending: { ...lending, debtGrowth: lending.debtGrowth.map(() => 1) },
    },
  };
}

/** Loans that are below L from the first step on, and of which each sale restores hardly anything. */
export function soldInParts(): LendingBook {
  const plan = randomLendingBook(8, LENDING_PATHS, {
    assets: 3,
    loans: 6,
    baskets: 6,
    term: 97,
    saleDelaySteps: 0,
  });
  const { product } = plan;
  const all = <T extends Float64Array | Uint32Array>(list: T, value: number) => list.map(() => value) as T;
  const { lending } = product;
  return {
    ...plan,
    product: {
      ...product,
      nominalRatio: all(product.nominalRatio, 1.15),
      marginCallRatio: all(product.marginCallRatio, 1.2),
      recoveryRatio: all(product.recoveryRatio, 1.2),
      liquidationRatio: all(product.liquidationRatio, 1.199),
      lending: {
        ...lending,
        start: all(lending.start, 0),
        debtGrowth: all(lending.debtGrowth, 1),
        saleCost: all(lending.saleCost, 0.01),
        saleRatio: all(lending.saleRatio, 1.2),
        saleShare: all(lending.saleShare, 0.0005),
      },
    },
  };
}

/** Loans that are called many times on a path: what an answer or a sale restores is hardly above what calls, cures and sells. */
export function calledOften(): LendingBook {
  const shape = { assets: 3, loans: 150, baskets: 150, term: 150, saleDelaySteps: 2 };
  const plan = randomLendingBook(10, LENDING_PATHS, shape);
  const { product } = plan;
  const { lending, marginCallRatio, liquidationRatio } = product;
  const dice = new Dice(11);
  const recoveryRatio = marginCallRatio.map(m => m + dice.between(-0.02, 0.05));
  // A sale at a cost c restores a ratio above 1 / (1 - c).
  const restored = (k: number) =>
    Math.max(marginCallRatio[k], recoveryRatio[k], 1.03) + dice.between(0.001, 0.04);
  return {
    ...plan,
    product: {
      ...product,
      recoveryRatio,
      liquidationRatio: marginCallRatio.map((m, k) =>
        Math.max(liquidationRatio[k], m - dice.between(0.02, 0.1)),
      ),
      nominalRatio: marginCallRatio.map(m => m + dice.between(0, 0.05)),
      topUpSteps: product.topUpSteps.map(() => dice.pick([2, 5, 24, 60])),
      lending: {
        ...lending,
        start: lending.start.map(() => 0),
        saleCost: lending.saleCost.map(() => dice.pick([0, 0.02])),
        answerShare: lending.answerShare.map(() => dice.pick([0.5, 0.9])),
        answerDelay: lending.answerDelay.map(() => dice.whole(1, 2)),
        answerRatio: marginCallRatio.map((_, k) => (k % 3 === 0 ? 0 : restored(k))),
        saleRatio: marginCallRatio.map((_, k) => (k % 2 === 0 ? 0 : restored(k))),
        // After a rise, the sale of nearly all repays the debt.
        saleShare: lending.saleShare.map(() => dice.pick([0.05, 0.2, 0.985])),
      },
    },
  };
}

/**
 * The loans of a book on three assets whose prices move by a factor of 2, 1/2 or 1 every hour, exact in every precision. Thresholds are
 * such ratios: most are met exactly.
 */
export function onPowersOfTwo({ product, ...plan }: BookPlan): BookPlan {
  const assets = 3;
  const dice = new Dice(plan.seed);
  const list = (value: (k: number) => number) => product.loanValue.map((_, k) => value(k));
  const baskets = () =>
    Float64Array.from(
      Array.from({ length: product.collateralWeights.length / assets }, () => {
        const row = [0, 0, 0];
        const parts = dice.whole(1, 2);
        for (let i = 0; i < parts; i++) row[dice.whole(0, assets - 1)] += 1 / parts;
        return row;
      }).flat(),
    );
  const nominalRatio = list(() => dice.pick([1, 2]));
  const liquidationRatio = list(k => nominalRatio[k] * dice.pick([0.125, 0.25, 0.5, 1]));
  const marginCallRatio = list(k => liquidationRatio[k] * dice.pick([1.5, 2, 4]));
  const recoveryRatio = list(k => nominalRatio[k] * dice.pick([0.25, 0.5, 1, 2]));
  const { lending } = product;
  /** Above every threshold, and above the debt after a cost of a quarter. */
  const restored = (ratio: number, k: number) =>
    ratio > 0 ? 2 * Math.max(1, marginCallRatio[k], recoveryRatio[k]) : 0;
  return {
    ...plan,
    scenarios: {
      kind: 'bootstrap',
      assets,
      stepsPerRow: 1,
      blockRows: 2,
      rows: Float64Array.from({ length: 12 * assets }, () => dice.whole(-1, 1) * Math.LN2),
      drift: new Float64Array(assets),
      deviation: new Float64Array(assets),
      factor: new Float64Array(assets * assets),
    },
    product: {
      ...product,
      saleCost: 0.25,
      collateralWeights: baskets(),
      loanWeights: baskets(),
      nominalRatio,
      liquidationRatio,
      marginCallRatio,
      recoveryRatio,
      ...(lending && {
        lending: {
          ...lending,
          saleCost: list(() => dice.pick([0, 0.25])),
          answerRatio: lending.answerRatio.map(restored),
          saleRatio: lending.saleRatio.map(restored),
        },
      }),
    },
  };
}

/** Thirty loans on four assets. */
export function thirtyLoans(paths: number, more: Partial<BookProduct> = {}): BookPlan {
  const plan = randomBook(9, paths, { assets: 4, loans: 30, baskets: 12, term: 200 });
  return { ...plan, product: { ...plan.product, ...more } };
}

const ASSETS = 3;
const LOANS = 60;
const TERM = 240;
const DELAY = 24;

/** Two volatile assets and a steadier one; loans of ten baskets, some of them fragile. */
const TEN_BASKETS: BookProduct = {
  kind: 'book',
  steps: TERM + DELAY,
  saleDelaySteps: DELAY,
  saleCost: 0.02,
  daySteps: 24,
  quantiles: Float64Array.of(0.9, 0.99),
  collateralWeights: Float64Array.from(
    Array.from({ length: 10 }, (_, b) => (b % 2 === 0 ? [1, 0, 0] : [0.1 * b, 1 - 0.1 * b, 0])).flat(),
  ),
  loanWeights: Float64Array.from(Array.from({ length: 10 }, () => [0, 0, 1]).flat()),
  basket: Uint32Array.from({ length: LOANS }, (_, k) => k % 10),
  termSteps: Uint32Array.from({ length: LOANS }, (_, k) => (k % 3 === 0 ? TERM : TERM / 2)),
  topUpSteps: Uint32Array.from({ length: LOANS }, (_, k) => 12 * (k % 3)),
  loanValue: Float64Array.from({ length: LOANS }, (_, k) => 1000 * (k + 1)),
  nominalRatio: Float64Array.from({ length: LOANS }, (_, k) => 1.25 + 0.01 * k),
  marginCallRatio: Float64Array.from({ length: LOANS }, () => 1.2),
  liquidationRatio: Float64Array.from({ length: LOANS }, () => 1.05),
  recoveryRatio: Float64Array.from({ length: LOANS }, () => 1.3),
};

const TEN_BASKETS_GBM: Scenarios = {
  kind: 'gbm',
  assets: ASSETS,
  annualVolatility: Float64Array.of(1.2, 0.9, 0.02),
  factor: Float64Array.of(1.2, 0, 0, 0.45, Math.sqrt(0.9 ** 2 - 0.45 ** 2), 0, 0, 0, 0.02),
};

export const tenBaskets = (paths: number): BookPlan => ({
  seed: 11,
  paths,
  scenarios: TEN_BASKETS_GBM,
  product: TEN_BASKETS,
});

/** The same loans along windows of history. */
export const tenBasketsOfHistory = (paths: number): BookPlan => ({
  ...tenBaskets(paths),
  scenarios: {
    kind: 'historical',
    assets: ASSETS,
    lead: TERM + DELAY,
    prices: Array.from({ length: ASSETS }, (_, i) =>
      Float64Array.from({ length: TERM + DELAY + paths }, (_unused, t) =>
        i === 2 ? 1 : 100 * Math.exp(0.25 * Math.sin(t / (17 + 9 * i)) + 0.1 * Math.cos(t / 3)),
      ),
    ),
  },
});

/** Loans with baskets of their own of up to six assets, some of them on both sides. */
export function ownBaskets(paths: number): BookPlan {
  const assets = 6;
  const loans = 80;
  const dice = new Dice(5);
  const basket = (members: number) => {
    const row = new Float64Array(assets);
    for (let i = 0; i < members; i++) row[dice.whole(0, assets - 1)] += dice.between(0.1, 1);
    const total = row.reduce((sum, weight) => sum + weight, 0);
    return [...row.map(weight => weight / total)];
  };
  const rows = (members: () => number) =>
    Float64Array.from(Array.from({ length: loans }, () => basket(members())).flat());
  const product: BookProduct = {
    ...TEN_BASKETS,
    collateralWeights: rows(() => dice.whole(1, 6)),
    loanWeights: rows(() => dice.whole(1, 3)),
    basket: Uint32Array.from({ length: loans }, (_, k) => k),
    termSteps: Uint32Array.from({ length: loans }, () => dice.whole(1, TERM)),
    topUpSteps: Uint32Array.from({ length: loans }, () => dice.pick([0, 5, 24, 400])),
    loanValue: Float64Array.from({ length: loans }, () => dice.between(1, 1e6)),
    nominalRatio: Float64Array.from({ length: loans }, () => dice.between(1.1, 1.6)),
    // Some with M below 1, which can be under water without a call.
    marginCallRatio: Float64Array.from({ length: loans }, (_, k) =>
      k % 5 === 0 ? 0.9 : dice.between(1, 1.2),
    ),
    liquidationRatio: Float64Array.from({ length: loans }, (_, k) =>
      k % 5 === 0 ? 0.85 : dice.between(0.9, 1),
    ),
    recoveryRatio: Float64Array.from({ length: loans }, () => dice.between(1, 1.4)),
  };
  return { seed: 3, paths, scenarios: randomGbm(dice, assets), product };
}

/** The book with credit figures, over half of its steps; every third loan is not discounted. */
export function withCredit<P extends BookPlan>(plan: P) {
  const { product } = plan;
  const credit = {
    horizonSteps: Math.ceil(product.steps / 2),
    logDiscount: product.loanValue.map((_, k) => -2e-4 * (k % 3)),
  };
  return { ...plan, product: { ...product, credit } };
}
