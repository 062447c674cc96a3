/** Books by the WebAssembly kernel against the double-precision reference, loan by loan and path by path. */
import { afterAll, describe, expect, it } from 'vitest';
import { PricedBook, pathsOf } from '#src/core/book/book-follower.js';
import { emptySums, UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { BOOK_COLUMNS, type BookProduct, bookUnit } from '#src/core/plan/product/book.js';
import type { LoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { referenceBook } from '#src/core/reference/book.js';
import { simdBook } from '#src/core/simd/book.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { PacketPrices } from '#src/core/simd/packet-prices.js';
import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { HEAVY_TAILS, heavyTailed } from '../support/heavy-tails.ts';
import { logRatioTolerance } from '../support/parity.ts';
import { plainBookPath } from '../support/plain/book.ts';
import { plainPrices } from '../support/plain/paths.ts';
import { randomBook } from '../support/random-books.ts';
import { randomLoanPlan } from '../support/random-plans.ts';

const kernel = instantiateKernel(readKernel());
const pool = openThreadPool(2);
const reference = referenceEngineOn(pool);
const fast = openSimdThreads(pool);
afterAll(() => pool.close());

type Plan = ReturnType<typeof randomBook>;

const PATHS = 41;
const SHAPES: readonly [string, Plan][] = [
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

const COUNTS = ['marginCalls', 'liquidations', 'closeouts', 'underwater', 'missedSteps'] as const;

/** Sums per loan of one path, and its figures. */
function pathOf(plan: Plan, follower: ReturnType<typeof referenceBook>, path: number) {
  const book = prepareBook(plan.product, plan.scenarios.assets);
  const sums = emptySums(plan.product.loanValue.length, book.groupTerm.length);
  const columns: Record<string, number> = {};
  follower.follow(pathsOf({ first: path, count: 1 }), sums, (_, figures) => {
    for (const column of BOOK_COLUMNS) columns[column] = figures[column];
  });
  return { sums, columns };
}

/** How near ln(C/L) of a loan comes to one of its thresholds along a path. */
function nearestThreshold({ product, ...plan }: Plan, path: number, k: number): number {
  const n = plan.scenarios.assets;
  const prices = plainPrices({ ...plan, product }, path, product.steps);
  const value = (weights: Float64Array, t: number) =>
    prices[t].reduce((sum, price, i) => sum + weights[product.basket[k] * n + i] * price, 0);
  const thresholds = [
    product.marginCallRatio[k],
    product.liquidationRatio[k],
    product.recoveryRatio[k],
    1,
  ].map(ratio => Math.log(ratio / product.nominalRatio[k]));
  let nearest = Number.POSITIVE_INFINITY;
  for (let t = 1; t <= product.termSteps[k]; t++) {
    const x = Math.log(value(product.collateralWeights, t) / value(product.loanWeights, t));
    for (const threshold of thresholds) nearest = Math.min(nearest, Math.abs(x - threshold));
  }
  return nearest;
}

/** Models beside GBM, on four assets. */
const OTHER_MODELS: readonly (readonly [string, Scenarios])[] = [
  ['garch', randomLoanPlan(garchSeed(), 'garch', 1).scenarios],
  ...HEAVY_TAILS.map(model => [model, heavyTailed(model, 4, 11)] as const),
];

/** A seed whose plan has four assets. */
function garchSeed(): number {
  let seed = 3;
  while (randomLoanPlan(seed, 'garch', 1).scenarios.assets !== 4) seed++;
  return seed;
}

describe('a book by the kernel', () => {
  it.each(OTHER_MODELS)('is followed on the prices of %s', (_, scenarios) => {
    const plan = { ...randomBook(7, PATHS, { assets: 4, loans: 3, baskets: 3, term: 150 }), scenarios };
    const { steps } = plan.product;
    const prices = new PacketPrices(kernel, scenarios, plan.seed, steps);
    const got = Array.from({ length: 4 }, () => new Float64Array(steps));
    for (const path of [0, 1, 6, 7]) {
      prices.simulate(path, got);
      const wanted = plainPrices(plan, path, steps);
      for (const [i, column] of got.entries()) {
        for (const [t, price] of column.entries()) {
          const told = `asset ${i} of path ${path} at step ${t + 1}`;
          // Tables are right to 1e-6 of a variance or a drift, and singles to as much over this term.
          expect(Math.abs(Math.log(price / wanted[t + 1][i])), told).toBeLessThan(1e-5);
        }
      }
    }
  });

  it.each(SHAPES)(
    'takes the decisions of the reference for %s, but for ratios within rounding',
    (_, plan) => {
      const { product, scenarios } = plan;
      const book = prepareBook(product, scenarios.assets);
      const byKernel = simdBook(kernel, plan, book);
      const byReference = referenceBook(plan, book);
      const spread = Math.max(...scenarios.annualVolatility) * Math.sqrt(product.steps / 8760);
      const tolerance = logRatioTolerance(spread, product.steps);
      let same = 0;
      for (let p = 0; p < PATHS; p++) {
        const got = pathOf(plan, byKernel, p).sums;
        const wanted = pathOf(plan, byReference, p).sums;
        for (const [place, k] of book.byCall.entries()) {
          const told = `loan ${k} of path ${p}`;
          if (COUNTS.some(name => got[name][place] !== wanted[name][place])) {
            expect(nearestThreshold(plan, p, k), told).toBeLessThan(tolerance);
            continue;
          }
          same += 1;
          // Relative to the loan: prices differ by the tolerance, the debt is of the size of the largest price.
          for (const name of ['lossUnits', 'unsoldUnits'] as const)
            expect(
              Math.abs(got[name][place] - wanted[name][place]) / UNITS_PER_LOAN_VALUE,
              `${name} of ${told}`,
            ).toBeLessThan(10 * tolerance);
        }
        got.worstRatio.forEach((ratio, g) => {
          expect(Math.abs(Math.log(ratio / wanted.worstRatio[g])), `group ${g} of path ${p}`).toBeLessThan(
            tolerance,
          );
        });
      }
      expect(same).toBeGreaterThan(0.999 * PATHS * product.loanValue.length);
    },
  );

  it.each(SHAPES)('has on its own prices the figures of the reference, for %s', (_, plan) => {
    const { product, scenarios, seed } = plan;
    const book = prepareBook(product, scenarios.assets);
    const byKernel = simdBook(kernel, plan, book);
    const got = Array.from({ length: PATHS }, (_, p) => pathOf(plan, byKernel, p));
    // The kernel has one plan at a time.
    const prices = new PacketPrices(kernel, scenarios, seed, product.steps);
    const plainly = new PricedBook(product, book, scenarios.assets, prices);
    let called = 0;
    for (let p = 0; p < PATHS; p++) {
      const { sums, columns } = pathOf(plan, plainly, p);
      for (const name of [...COUNTS, 'lossUnits', 'unsoldUnits', 'worstRatio', 'squares'] as const)
        expect(got[p].sums[name], `${name} of path ${p}`).toEqual(sums[name]);
      for (const name of BOOK_COLUMNS) {
        // Loans may be added in another order.
        const room = 1e-12 * columns[name] + product.loanValue.length * bookUnit(product);
        expect(Math.abs(got[p].columns[name] - columns[name]), `${name} of path ${p}`).toBeLessThan(room);
      }
      called += columns.calledLoans;
    }
    expect(called).toBeGreaterThan(0);
  });

  it('has the losses and sales of the plain program', () => {
    const [, plan] = SHAPES[0];
    const { product, scenarios } = plan;
    const byKernel = simdBook(kernel, plan, prepareBook(product, scenarios.assets));
    let sold = 0;
    for (let p = 0; p < PATHS; p++) {
      const { columns } = pathOf(plan, byKernel, p);
      const plain = plainBookPath(product, plainPrices(plan, p, product.steps));
      expect(columns.calledLoans, `path ${p}`).toBe(plain.calledLoans);
      expect(columns.forcedSales, `path ${p}`).toBe(plain.forcedSales);
      // Prices differ by some 1e-6 of themselves, and a loss is a difference of debt and sale.
      for (const name of ['loss', 'unsold', 'sold', 'peakDay'] as const)
        expect(Math.abs(columns[name] - plain[name]), `${name} of path ${p}`).toBeLessThan(
          2e-5 * (plain.sold + plain.unsold + 1),
        );
      sold += plain.forcedSales;
    }
    expect(sold).toBeGreaterThan(PATHS);
  });

  it('gives the same outcome for any number of threads, and the first paths of more', async () => {
    const plan = { ...SHAPES[0][1], paths: 3001 };
    const single = openThreadPool(1);
    const alone = openSimdThreads(single);
    try {
      expect(await alone.run(plan)).toEqual(await fast.run(plan));
    } finally {
      await alone.close();
    }
    const more = await fast.trace(plan);
    const fewer = await fast.trace({ ...plan, paths: 1002 });
    for (const [field, values] of Object.entries(fewer))
      expect(values, field).toEqual(more[field].subarray(0, 1002));
  });

  it('has the figures of the reference within the contract between the engines', async () => {
    const plan = { ...SHAPES[0][1], paths: 4000 };
    const [byKernel, byReference] = await Promise.all([fast.run(plan), reference.run(plan)]);
    const value = plan.product.loanValue.reduce((sum, each) => sum + each, 0);
    for (const [name, summary] of Object.entries(byReference.summaries)) {
      const got = byKernel.summaries[name as (typeof BOOK_COLUMNS)[number]];
      const scale = name === 'calledLoans' || name === 'forcedSales' ? 80 : value;
      expect(Math.abs(got.mean - summary.mean), name).toBeLessThan(1e-5 * scale);
      summary.tailMeans.forEach((mean, q) => {
        expect(Math.abs(got.tailMeans[q] - mean), `${name}, level ${q}`).toBeLessThan(1e-4 * scale);
      });
    }
  });

  it('of one loan on a basket takes the paths of the loan alone', async () => {
    const { product, ...plan } = randomBook(7, 20_000, { assets: 4, loans: 1, baskets: 1, term: 200 });
    const collateralWeights = Float64Array.of(0.5, 0.3, 0.2, 0);
    const loanWeights = Float64Array.of(0, 0, 0.4, 0.6);
    const ratios = {
      topUpSteps: Uint32Array.of(24),
      nominalRatio: Float64Array.of(1.2),
      marginCallRatio: Float64Array.of(1.1),
      liquidationRatio: Float64Array.of(1.07),
      recoveryRatio: Float64Array.of(1.15),
    };
    const terms: BookProduct = { ...product, ...ratios, collateralWeights, loanWeights };
    const loan: SimulationPlan<LoanProduct> = {
      ...plan,
      product: {
        kind: 'loan',
        portfolio: { collateralWeights, loanWeights },
        steps: terms.termSteps[0],
        topUpSteps: terms.topUpSteps[0],
        nominalRatio: terms.nominalRatio[0],
        marginCallRatio: terms.marginCallRatio[0],
        liquidationRatio: terms.liquidationRatio[0],
        recoveryRatio: terms.recoveryRatio[0],
      },
    };
    const [ofBook, alone] = await Promise.all([fast.run({ ...plan, product: terms }), fast.run(loan)]);
    for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const) {
      expect(alone[name], name).toBeGreaterThan(100);
      // Rounding decides over a few paths in a million.
      expect(Math.abs(ofBook.loans[name][0] - alone[name]), name).toBeLessThanOrEqual(1);
    }
    expect(Math.abs(ofBook.loans.worstCcr[0] / alone.worstCcr - 1)).toBeLessThan(1e-5);
  });
});
