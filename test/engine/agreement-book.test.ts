/**
 * Books on every engine: against the reference path by path and in their figures, against their loans one by one, and
 * the parts of their tails.
 */
import { describe, expect, it } from 'vitest';
import { BOOK_COLUMNS, bookUnit } from '#src/core/plan/product/book.js';
import type { Scenarios } from '#src/core/plan/simulation-plan.js';
import { withThresholds } from '../support/any-terms.ts';
import { PLAIN_BOOKS, thirtyLoans } from '../support/book-cases.ts';
import {
  BOOK_AMOUNTS,
  BOOK_COUNTS,
  type BookPlan,
  expectSameBookPaths,
  expectSummaries,
  loanNumbers,
  totalOf,
} from '../support/book-parity.ts';
import {
  ENGINES,
  engineCases,
  engineForTests,
  inParts,
  SINGLE_ENGINES,
  type TestEngine,
} from '../support/engines.ts';
import { HEAVY_TAILS, heavyTailed, kindOfHeavyTail } from '../support/heavy-tails.ts';
import { expectWithinContract } from '../support/parity.ts';
import { bookOf, randomBook } from '../support/random-books.ts';
import { Dice, randomGarch, randomGbm } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = 300;
/** Assets, loans and the longest term: one quad of assets and two, a term inside a day and one beyond a block of draws. */
const SHAPES = [
  [2, 5, 31],
  [3, 16, 110],
  [6, 24, 130],
] as const;
const MODELS: readonly ('gbm' | 'garch' | (typeof HEAVY_TAILS)[number])[] = ['gbm', 'garch', ...HEAVY_TAILS];

function modelScenarios(model: (typeof MODELS)[number], assets: number): Scenarios {
  if (model === 'gbm') return randomGbm(new Dice(40 + assets), assets);
  if (model === 'garch') return randomGarch(new Dice(40 + assets), assets);
  return heavyTailed(model, assets, 11);
}

function hasModel(engine: TestEngine, model: (typeof MODELS)[number]): boolean {
  return engine.has('book', model === 'gbm' || model === 'garch' ? model : kindOfHeavyTail(model));
}

/** Books of which half the loans have thresholds of liquidation by asset: on baskets, and on nearly equal ones. */
const BY_ASSET = ([1, 1e-3] as const).map(calm => {
  const { product, scenarios, ...plan } = randomBook(8, 60, { assets: 6, loans: 40, baskets: 40, term: 120 });
  const scaled = (values: Float64Array) => values.map(value => calm * value);
  const { annualVolatility, factor } = scenarios;
  const near = (ratios: Float64Array) => ratios.map(ratio => ratio ** calm);
  const { nominalRatio, marginCallRatio, liquidationRatio, recoveryRatio } = product;
  const ratios = {
    nominalRatio: near(nominalRatio),
    marginCallRatio: near(marginCallRatio),
    liquidationRatio: near(liquidationRatio),
    recoveryRatio: near(recoveryRatio),
  };
  return [
    `thresholds by asset at ${calm} of the volatility`,
    {
      ...plan,
      scenarios: { ...scenarios, annualVolatility: scaled(annualVolatility), factor: scaled(factor) },
      product: withThresholds(new Dice(8), { ...product, ...ratios }, 6, calm),
    },
  ] as const;
});

/** By definition: the mean of the worst n (1 - q) paths, the last in part. */
function tailMean(column: Float64Array, quantile: number): number {
  const sorted = column.toSorted();
  const size = column.length * (1 - quantile);
  let left = size;
  let sum = 0;
  for (let i = column.length - 1; left > 1e-9; i--) {
    sum += Math.min(1, left) * sorted[i];
    left -= Math.min(1, left);
  }
  return sum / size;
}

for (const engine of SINGLE_ENGINES) {
  describe(`A book on ${engine.name}, as on the reference`, { tags: engine.tags }, () => {
    const single = engineForTests(engine);

    const traces = (plan: BookPlan) => Promise.all([single.trace(plan), reference.trace(plan)]);
    const outcomes = (plan: BookPlan) => Promise.all([single.run(plan), reference.run(plan)]);

    const underModels = MODELS.filter(model => hasModel(engine, model)).flatMap(model =>
      SHAPES.map(shape => ({ model, shape })),
    );
    for (const { part, tags, some } of inParts(engine, underModels))
      it(`has the same figures on every path, under every model, ${part}`, { tags }, async () => {
        for (const {
          model,
          shape: [assets, loans, term],
        } of some) {
          const shape = { assets, loans, baskets: Math.ceil(loans / 2), term, uncalled: true };
          const plan: BookPlan = {
            ...randomBook(7 * assets, PATHS, shape),
            scenarios: modelScenarios(model, assets),
          };
          const [got, wanted] = await traces(plan);
          const inputs = JSON.stringify({ model, assets, loans, term });
          // Some loan-paths in a million lie within rounding of a threshold.
          const most = Math.ceil(4e-6 * PATHS * loans * term);
          expect(expectSameBookPaths(plan, got, wanted, inputs), inputs).toBeLessThanOrEqual(most);
          if (loans > 5)
            expect(
              wanted.calledLoans.some(count => count > 0),
              inputs,
            ).toBe(true);
        }
      });

    // The software driver compiles for each number of assets: those of other tests of this file.
    const books = [...PLAIN_BOOKS, ...BY_ASSET].filter(
      ([, { scenarios }]) => engine.name !== 'gpu' || [2, 3, 4, 6].includes(scenarios.assets),
    );
    for (const { part, tags, some } of inParts(engine, books, 3))
      it(`has the same figures on every path, of loans of every kind, ${part}`, { tags }, async () => {
        for (const [name, plan] of some) {
          const [got, wanted] = await traces(plan);
          const { product, paths } = plan;
          const most = Math.ceil(4e-6 * paths * product.loanValue.length * product.steps);
          expect(expectSameBookPaths(plan, got, wanted, name), name).toBeLessThanOrEqual(most);
        }
      });

    it('cures calls in days that are entirely within the time to top up', async () => {
      const { product } = thirtyLoans(1);
      const plan = thirtyLoans(300, { topUpSteps: product.topUpSteps.map(() => 150) });
      const [got, wanted] = await traces(plan);
      expect(expectSameBookPaths(plan, got, wanted, 'long to top up')).toBeLessThanOrEqual(8);
      // Most calls are cured: fewer loans are sold than are called.
      const [called, sold] = [totalOf(wanted.calledLoans), totalOf(wanted.forcedSales)];
      expect(called).toBeGreaterThan(500);
      expect(sold).toBeLessThan(0.7 * called);
    });

    it('counts a day from its first hour to its last, with the sales of every asset in it', async () => {
      const { product } = thirtyLoans(1);
      // A small fall sells half of the loans in the first hour, a larger one the others a day later.
      const plan = thirtyLoans(300, {
        marginCallRatio: product.nominalRatio.map(n => 0.999 * n),
        liquidationRatio: product.nominalRatio.map((n, k) => (k % 2 === 0 ? 0.99 : 0.93) * n),
        recoveryRatio: product.nominalRatio.map(n => 1.2 * n),
        topUpSteps: product.topUpSteps.map(() => 100),
        saleDelaySteps: 0,
      });
      const [got, wanted] = await traces(plan);
      expect(expectSameBookPaths(plan, got, wanted, 'sold early')).toBeLessThanOrEqual(20);
      expect(totalOf(wanted.forcedSales)).toBeGreaterThan(4000);
      const [run, expected] = await outcomes(plan);
      const value = totalOf(product.loanValue);
      expected.tails.forEach(({ peakDayByAsset }, q) => {
        for (const [a, amount] of peakDayByAsset.entries())
          expect(Math.abs(run.tails[q].peakDayByAsset[a] - amount), `asset ${a}`).toBeLessThan(1e-4 * value);
      });
    });

    it('has the same squares of its loans', { tags: ['slow'] }, async () => {
      const plan = thirtyLoans(2000);
      const [{ loans: got }, { loans: wanted }] = await outcomes(plan);
      let lost = 0;
      for (const k of loanNumbers(plan.product)) {
        const term = plan.product.termSteps[k];
        // A loan-path in a million ends otherwise, of the 60,000 of this plan none or one.
        for (const [name, most] of [
          ['missedSteps', term * term],
          ['unsoldPaths', 1],
          ['lossPaths', 1],
          ['earlyEnds', 1],
        ] as const)
          expect(
            Math.abs(got.squares![name][k] - wanted.squares![name][k]),
            `${name} of loan ${k}`,
          ).toBeLessThanOrEqual(most);
        for (const name of ['unsold', 'loss'] as const) {
          const [square, expected] = [got.squares![name][k], wanted.squares![name][k]];
          // A share x is right to some 2e-6 of the loan value (`logRatioTolerance`), its square to 2 x as much.
          const room = 2 * Math.sqrt(expected * plan.paths) * 2e-6;
          expect(Math.abs(square - expected), `${name} of loan ${k}`).toBeLessThan(
            room + plan.paths * 2 ** -40,
          );
          lost += expected;
        }
      }
      expect(lost).toBeGreaterThan(1);
    });

    it('splits an atom of its loss equally among its paths', async () => {
      // One loan that loses on a few paths: half of the tail of 0.5 has no loss at all.
      const plan = thirtyLoans(400, { quantiles: Float64Array.of(0.2, 0.5) });
      const alone: BookPlan = { ...plan, product: bookOf(plan.product, [3]) };
      const [got, wanted] = await outcomes(alone);
      wanted.tails.forEach(({ contributions }, q) => {
        const bound = 1e-5 * alone.product.loanValue[0];
        expect(Math.abs(got.tails[q].contributions[0] - contributions[0])).toBeLessThan(bound);
      });
    });

    it('has the same sums, contributions and figures', async () => {
      const plan = thirtyLoans(1500);
      const [got, wanted] = await outcomes(plan);
      const value = totalOf(plan.product.loanValue);
      for (const k of loanNumbers(plan.product)) {
        for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const)
          expect(Math.abs(got.loans[name][k] - wanted.loans[name][k]), `${name} of ${k}`).toBeLessThanOrEqual(
            1,
          );
        const missed = Math.abs(got.loans.missedSteps[k] - wanted.loans.missedSteps[k]);
        expect(missed, `missed steps of ${k}`).toBeLessThanOrEqual(plan.product.steps);
        // Of each path within the rounding of its prices.
        for (const name of ['unsoldUnits', 'lossUnits'] as const)
          expect(
            Math.abs(got.loans[name][k] - wanted.loans[name][k]) / plan.paths,
            `${name} of ${k}`,
          ).toBeLessThan(1e-5 * 2 ** 32);
        expect(Math.abs(got.loans.worstCcr[k] / wanted.loans.worstCcr[k] - 1), `worst of ${k}`).toBeLessThan(
          1e-5,
        );
        wanted.tails.forEach(({ contributions }, q) => {
          const difference = Math.abs(got.tails[q].contributions[k] - contributions[k]);
          expect(difference, `contribution of ${k}`).toBeLessThan(1e-5 * value);
        });
      }
      expectSummaries(got, wanted, plan);
      wanted.tails.forEach(({ peakDayByAsset, lossByAsset }, q) => {
        for (const a of peakDayByAsset.keys()) {
          expect(Math.abs(got.tails[q].peakDayByAsset[a] - peakDayByAsset[a])).toBeLessThan(1e-4 * value);
          expect(Math.abs(got.tails[q].lossByAsset[a] - lossByAsset[a])).toBeLessThan(1e-4 * value);
        }
      });
      expect([...got.collateralByAsset]).toEqual([...wanted.collateralByAsset]);
    });

    // The software driver would take a minute.
    if (engine.name === 'gpu') return;

    it('has the same figures of many paths', { tags: ['slow'] }, async () => {
      const plan = { ...PLAIN_BOOKS[0][1], paths: 4000 };
      const [got, wanted] = await outcomes(plan);
      expectSummaries(got, wanted, plan, 1e-5);
    });
  });
}

for (const { engine } of engineCases(ENGINES, 'book', ['gbm'])) {
  describe(`A book on ${engine.name}`, { tags: engine.tags }, () => {
    const tested = engineForTests(engine);

    it('has on every path the figures of its loans one by one, to the last unit', async () => {
      const plan = thirtyLoans(100);
      const { product } = plan;
      // A unit is a power of two: a loan that is alone has finer ones, and rounds less.
      const whole = bookUnit(product);
      const book = await tested.trace(plan);
      const sums = Object.fromEntries(BOOK_COLUMNS.map(name => [name, new Float64Array(plan.paths)]));
      for (const k of product.loanValue.keys()) {
        const alone = await tested.trace({ ...plan, product: bookOf(product, [k]) });
        for (const name of BOOK_COLUMNS) for (const p of sums[name].keys()) sums[name][p] += alone[name][p];
      }
      for (let p = 0; p < plan.paths; p++) {
        for (const name of BOOK_COUNTS) expect(book[name][p], `${name} of path ${p}`).toBe(sums[name][p]);
        for (const name of ['loss', 'unsold', 'sold'] as const) {
          const difference = Math.abs(book[name][p] - sums[name][p]);
          expect(difference, `${name} of path ${p}`).toBeLessThanOrEqual(4 * 30 * whole);
        }
        expect(book.peakDay[p], `path ${p}`).toBeLessThanOrEqual(book.sold[p]);
      }
      expect(sums.loss.some(loss => loss > 0)).toBe(true);
    });

    it('loses k times the loss of one loan with k equal loans, path by path', async () => {
      const plan = thirtyLoans(300);
      const { nominalRatio } = plan.product;
      const fragile = nominalRatio.indexOf(Math.min(...nominalRatio));
      const equal = (times: number) =>
        tested.trace({ ...plan, product: bookOf(plan.product, Array<number>(times).fill(fragile)) });
      const [single, many] = [await equal(1), await equal(16)];
      for (const name of BOOK_COUNTS)
        expect([...many[name]], name).toEqual([...single[name].map(count => 16 * count)]);
      // Sixteen times the loan value has units sixteen times as large, which amounts are rounded to. In double precision
      // the loss of equal loans is rounded alike, as sixteen is a power of two.
      const room = 16 * 16 * bookUnit(bookOf(plan.product, [fragile]));
      for (const name of BOOK_AMOUNTS)
        for (const [p, value] of single[name].entries()) {
          const difference = Math.abs(many[name][p] - 16 * value);
          const isExact = name === 'loss' && engine.name !== 'gpu';
          expect(difference, `${name} of path ${p}`).toBeLessThanOrEqual(isExact ? 0 : room);
        }
      expect(single.sold.some(sold => sold > 0)).toBe(true);
      expect(single.loss.some(loss => loss > 0)).toBe(true);
    });

    it('has contributions that add up to the tail mean of its loss, and assets to that of its peak day', async () => {
      const plan = thirtyLoans(1000, { quantiles: Float64Array.of(0.99, 0.5, 0.9) });
      const { columns, summaries, tails } = await tested.run(plan);
      tails.forEach(({ quantile, contributions, lossByAsset, peakDayByAsset }, q) => {
        for (const [column, parts] of [
          ['loss', contributions],
          ['loss', lossByAsset],
          ['peakDay', peakDayByAsset],
        ] as const) {
          const mean = summaries[column].tailMeans[q];
          const inputs = `${column}, q ${quantile}`;
          expect(mean, inputs).toBeGreaterThan(0);
          expect(Math.abs(totalOf(parts) / mean - 1), inputs).toBeLessThan(1e-9);
          const wanted = tailMean(columns[column], quantile);
          if (engine.name === 'gpu') expectWithinContract(mean, wanted, 0, inputs);
          else expect(Math.abs(mean / wanted - 1), inputs).toBeLessThan(1e-9);
        }
      });
    });
  });
}
