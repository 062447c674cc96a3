/** Books with the terms of real loans: every engine against loans written down one by one, path by path. */
import { afterAll, describe, expect, it } from 'vitest';
import { type BookFollower, pathsOf } from '#src/core/book/book-follower.js';
import { AMOUNT_UNITS, emptySums, loanSums, UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { type PreparedBook, prepareBook } from '#src/core/book/prepared-book.js';
import { type BookProduct, columnsOfBook } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { simdBook } from '#src/core/simd/book.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { referenceBook } from '#src/engine/reference/book.js';
import { cpuEngineOn } from '#src/engine/threads/cpu-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { openWasmEngine } from '#src/engine/wasm/wasm-engine.js';
import { plainLendingPath } from '../support/plain/book-lending.ts';
import type { PlainLending } from '../support/plain/lending.ts';
import { plainPrices } from '../support/plain/paths.ts';
import { randomLendingBook, randomStartBook } from '../support/random-lending.ts';

type Plan = ReturnType<typeof randomLendingBook>;

const kernel = instantiateKernel(readKernel());
const pool = openThreadPool(2);
afterAll(() => pool.close());

const PATHS = 12;
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
  ['such loans of few baskets', randomStartBook(7, PATHS, { assets: 3, loans: 60, baskets: 6, term: 97 })],
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
    const book = prepareBook(product, plan.scenarios.assets);
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

describe('a book with the terms of real loans', () => {
  const [, plan] = SHAPES[1];

  it.each([['reference', cpuEngineOn(pool)] as const, ['SIMD', openWasmEngine(pool)] as const] as const)(
    'adds up the same over threads on the %s',
    async (name, engine) => {
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
    },
  );
});
