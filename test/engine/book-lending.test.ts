/** Books with the terms of real loans: every engine against loans written down one by one, path by path. */
import { afterAll, describe, expect, it } from 'vitest';
import { type BookFollower, PricedBook, pathsOf } from '#src/core/book/book-follower.js';
import { AMOUNT_UNITS, emptySums, loanSums, UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { type PreparedBook, prepareBook, type SingleLoanGroups } from '#src/core/book/prepared-book.js';
import { type BookProduct, bookUnit, columnsOfBook } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { referenceBook } from '#src/core/reference/book.js';
import { SIMD_GROUPS, simdBook } from '#src/core/simd/book.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { PacketPrices } from '#src/core/simd/packet-prices.js';
import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { plainLendingPath } from '../support/plain/book-lending.ts';
import type { PlainLending } from '../support/plain/lending.ts';
import { plainPrices } from '../support/plain/paths.ts';
import { randomLendingBook, randomStartBook } from '../support/random-lending.ts';

type Plan = ReturnType<typeof randomLendingBook>;

const kernel = instantiateKernel(readKernel());
const pool = openThreadPool(2);
afterAll(() => pool.close());

const PATHS = 12;
/** The same loans with the term of the longest, and without interest: those of the same baskets share their ratio. */
function ofOneTerm({ product, ...plan }: Plan): Plan {
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

const SHAPES: readonly [string, Plan][] = [
  [
    'loans with baskets of their own',
    randomLendingBook(1, PATHS, { assets: 5, loans: 60, baskets: 60, term: 200 }),
  ],
  ['loans of few baskets', randomLendingBook(2, PATHS, { assets: 4, loans: 80, baskets: 5, term: 130 })],
  [
    'loans of which some are never called',
    randomLendingBook(3, PATHS, { assets: 4, loans: 50, baskets: 9, term: 100, uncalled: true }),
  ],
  [
    'loans that are sold at once',
    randomLendingBook(4, PATHS, { assets: 3, loans: 60, baskets: 60, term: 97, saleDelaySteps: 0 }),
  ],
  [
    'loans that have interest, or are called or liquidated at the start, and no rules of their own',
    randomStartBook(5, PATHS, { assets: 5, loans: 120, baskets: 120, term: 200 }),
  ],
  [
    'such loans that are sold at once',
    randomStartBook(6, PATHS, { assets: 3, loans: 120, baskets: 120, term: 97, saleDelaySteps: 0 }),
  ],
  [
    'loans of few baskets and one term',
    ofOneTerm(randomLendingBook(9, PATHS, { assets: 4, loans: 80, baskets: 5, term: 130 })),
  ],
  [
    'loans of few baskets that begin so',
    randomStartBook(7, PATHS, { assets: 3, loans: 60, baskets: 6, term: 97 }),
  ],
];

const ENGINES: Readonly<
  Record<string, (plan: SimulationPlan<BookProduct>, book: PreparedBook) => BookFollower>
> = {
  reference: referenceBook,
  SIMD: (plan, book) => simdBook(kernel, plan, book),
};

/** Sums per loan of one path, and its figures. */
function pathOf({ product, scenarios }: Plan, book: PreparedBook, follower: BookFollower, path: number) {
  const sums = emptySums(product.loanValue.length, book.groupTerm.length, true);
  const columns: Record<string, number> = {};
  follower.follow(pathsOf({ first: path, count: 1 }), sums, (_, figures) => {
    for (const column of columnsOfBook(product)) columns[column] = figures[column];
  });
  expect(scenarios.assets).toBeGreaterThan(0);
  return { loans: loanSums(sums, product, book), columns };
}

const total = (amounts: readonly { readonly usd: number }[]) =>
  amounts.reduce((sum, { usd }) => sum + usd, 0);

/** What a loan of the engines should be, by name. */
function wanted(loan: PlainLending, term: number) {
  return {
    marginCalls: Number(loan.marginCall),
    liquidations: Number(loan.liquidation),
    closeouts: Number(loan.closeout),
    underwater: Number(loan.underwater),
    missedSteps: term - loan.endStep,
    sales: loan.sales.length,
    topUpPaths: Number(loan.topUps.length > 0),
    loss: loan.loss,
    unsold: loan.unsoldFraction,
    sold: total(loan.sales),
    topUp: total(loan.topUps),
    worstCcr: loan.worstCcr,
  };
}

describe.each(Object.keys(ENGINES))('the %s engine', name => {
  it.each(SHAPES)('follows %s as they read', (_, plan) => {
    const { product } = plan;
    const book = prepareBook(product, plan.scenarios.assets, name === 'SIMD' ? SIMD_GROUPS : 'together');
    const follower = ENGINES[name](plan, book);
    const isReference = name === 'reference';
    // Amounts of single precision differ by the rounding of prices, and by what a step of a sum makes of it.
    const close = isReference ? 1e-7 : 1e-4;
    const near = isReference ? 1e-11 : 1e-5;
    const seen = { called: 0, sales: 0, topUps: 0, partial: 0, losses: 0 };
    let compared = 0;
    for (let p = 0; p < PATHS; p++) {
      const { loans, columns } = pathOf(plan, book, follower, p);
      const plain = plainLendingPath(product, plan.seed, p, plainPrices(plan, p, product.steps));
      const isNear = (loan: PlainLending) => loan.nearest < near;
      plain.loans.forEach((loan, k) => {
        if (isNear(loan)) return;
        compared++;
        const got: Record<string, number> = {
          marginCalls: loans.marginCalls[k],
          liquidations: loans.liquidations[k],
          closeouts: loans.closeouts[k],
          underwater: loans.underwater[k],
          missedSteps: loans.missedSteps[k],
          loss: loans.lossUnits[k] / UNITS_PER_LOAN_VALUE,
          unsold: loans.unsoldUnits[k] / UNITS_PER_LOAN_VALUE,
          worstCcr: loans.worstCcr[k],
        };
        const want: Record<string, number> = wanted(loan, product.termSteps[k]);
        const { lending } = loans;
        if (lending !== undefined && (lending.sales[k] > 0 || lending.topUpPaths[k] > 0)) {
          got.sales = lending.sales[k];
          got.topUpPaths = lending.topUpPaths[k];
          got.sold = lending.sold[k];
          got.topUp = lending.topUp[k];
        }
        for (const figure of Object.keys(got)) {
          // A figure that is above 0 on one side alone is at a threshold of its own.
          const differs = Math.abs(got[figure] - want[figure]) > close * Math.max(1, want[figure]);
          if (differs) expect(`loan ${k} path ${p}: ${figure} ${got[figure]}`).toBe(`${want[figure]}`);
        }
        if (loan.marginCall) seen.called++;
        if (loan.sales.length > 1) seen.partial++;
        seen.sales += loan.sales.length;
        seen.topUps += loan.topUps.length;
        if (loan.loss > 0) seen.losses++;
      });
      if (plain.loans.some(isNear)) continue;
      for (const column of [
        'loss',
        'unsold',
        'calledLoans',
        'forcedSales',
        'sold',
        'peakDay',
        'toppedUp',
      ] as const) {
        const scale = Math.max(1, Math.abs(plain[column]));
        expect(Math.abs(columns[column] - plain[column]) / scale, `${column} of path ${p}`).toBeLessThan(
          close,
        );
      }
    }
    expect(compared).toBeGreaterThan(0.9 * PATHS * product.loanValue.length);
    const { called, sales, losses } = seen;
    const happened = plan.product.lending.saleRatio.some(ratio => ratio > 0)
      ? seen
      : { called, sales, losses };
    for (const [what, count] of Object.entries(happened)) expect(count, what).toBeGreaterThan(0);
  });
});

/** Every figure of a path and every event, with sums per loan in the order of the places. */
function everythingOf(plan: Plan, book: PreparedBook, follower: BookFollower, path: number) {
  const { product } = plan;
  const sums = emptySums(product.loanValue.length, book.groupTerm.length, true);
  const columns: Record<string, number> = {};
  const told: [loan: number, ...what: unknown[]][] = [];
  follower.follow(
    pathsOf({ first: path, count: 1 }),
    sums,
    (_, figures) => {
      for (const column of columnsOfBook(product)) columns[column] = figures[column];
    },
    () => ({
      loss: (place, usd) => told.push([book.byCall[place], 'loss', usd]),
      sale(first, end, index, factor) {
        for (let place = first; place < end; place++) told.push([book.byCall[place], 'sale', index, factor]);
      },
    }),
  );
  // Loans come in the order of their groups, and the events of one in that of time.
  told.sort((a, b) => a[0] - b[0]);
  return { loans: loanSums(sums, product, book), columns, told };
}

/** Loans that are below L from the first step on, and of which each sale restores hardly anything. */
function soldInParts(): Plan {
  const plan = randomLendingBook(8, PATHS, { assets: 3, loans: 6, baskets: 6, term: 97, saleDelaySteps: 0 });
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

describe('the kernel', () => {
  const inParts: [string, Plan] = ['loans that are sold in many parts', soldInParts()];

  it.each([...SHAPES, inParts])('has on its own prices all that the reference books, for %s', (_, plan) => {
    const { product, scenarios, seed } = plan;
    const apart = prepareBook(product, scenarios.assets, 'apart');
    const byKernel = simdBook(kernel, plan, apart);
    const got = Array.from({ length: PATHS }, (_unused, p) => everythingOf(plan, apart, byKernel, p));
    // The kernel has one plan at a time.
    const prices = new PacketPrices(kernel, scenarios, seed, product.steps);
    const plainly = new PricedBook(product, apart, scenarios.assets, prices, seed);
    const together = prepareBook(product, scenarios.assets, 'together');
    const byGroups = new PricedBook(product, together, scenarios.assets, prices, seed);
    for (let p = 0; p < PATHS; p++) {
      for (const wanted of [
        everythingOf(plan, apart, plainly, p),
        everythingOf(plan, together, byGroups, p),
      ]) {
        expect(got[p].told, `events of path ${p}`).toEqual(wanted.told);
        expect(got[p].loans, `sums of path ${p}`).toEqual(wanted.loans);
        for (const [column, value] of Object.entries(wanted.columns)) {
          // Loans may be added in another order.
          const room = 1e-12 * value + product.loanValue.length * bookUnit(product);
          expect(Math.abs(got[p].columns[column] - value), `${column} of path ${p}`).toBeLessThan(room);
        }
      }
    }
  });

  it('tells the events of a path in pieces where there is no room for all of them', () => {
    const { product, scenarios, ...plan } = inParts[1];
    const book = prepareBook(product, scenarios.assets, 'apart');
    const counted = new Proxy(kernel, {
      get: (target, name) =>
        name === 'exports' ? { ...target.exports, followBook } : Reflect.get(target, name),
    });
    let calls = 0;
    const followBook: typeof kernel.exports.followBook = (...told) => {
      calls += 1;
      return kernel.exports.followBook(...told);
    };
    const follower = simdBook(counted, { ...plan, product, scenarios }, book);
    const { told } = everythingOf({ ...plan, product, scenarios }, book, follower, 0);
    // Room for a sale at each step of one loan, and for a sale and a loss of each.
    expect(told.length).toBeGreaterThan(2 * product.loanValue.length + product.steps + 2);
    expect(calls).toBeGreaterThan(1);
  });

  it('has loans of the same baskets and rules of their own in groups of their own', () => {
    const { product, scenarios } = ofOneTerm(SHAPES[1][1]);
    const byRules = (groups: SingleLoanGroups) =>
      prepareBook(product, scenarios.assets, groups).singleFromCall.reduce((sum, is) => sum + is, 0);
    expect(byRules('together')).toBeLessThan(5);
    expect(byRules('apart')).toBeGreaterThan(30);
  });
});

describe('a book with the terms of real loans', () => {
  const [, plan] = SHAPES[1];

  it.each([
    ['reference', referenceEngineOn(pool)] as const,
    ['SIMD', openSimdThreads(pool)] as const,
  ] as const)('adds up the same over threads on the %s', async (name, engine) => {
    const outcome = await engine.run(plan);
    const book = prepareBook(plan.product, plan.scenarios.assets);
    const sums = emptySums(plan.product.loanValue.length, book.groupTerm.length, true);
    const follower = ENGINES[name](plan, book);
    const losses: number[] = [];
    follower.follow(pathsOf({ first: 0, count: plan.paths }), sums, (_i, { loss }) => losses.push(loss));
    const alone = loanSums(sums, plan.product, book);
    expect(outcome.loans).toEqual(alone);
    expect([...outcome.columns.loss]).toEqual(losses);
    expect(outcome.columns.toppedUp?.some(usd => usd > 0)).toBe(true);
    expect(alone.lending?.sold.some(sold => sold * AMOUNT_UNITS > 0)).toBe(true);
  });
});
