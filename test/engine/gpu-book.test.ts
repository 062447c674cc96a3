/**
 * Books of loans on the GPU: against the reference path by path, against loans one by one, and in their tails.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, PathRecords } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { BOOK_COLUMNS, type BookProduct } from '#src/core/plan/product/book.js';
import type { LoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { isNearlyRiskless } from '#src/core/plan/single-precision.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { HEAVY_TAILS, heavyTailed } from '../support/heavy-tails.ts';
import { logRatioTolerance } from '../support/parity.ts';
import { plainPrices } from '../support/plain/paths.ts';
import { bookOf, randomBook } from '../support/random-books.ts';
import { Dice, randomGarch, randomGbm } from '../support/random-plans.ts';

const cpu = openReferenceEngine({ threads: 2 });
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => cpu.close());

type BookPlan = SimulationPlan<BookProduct>;

const AMOUNTS = ['loss', 'unsold', 'sold', 'peakDay'] as const;
const COUNTS = ['calledLoans', 'forcedSales'] as const;

const loanNumbers = ({ loanValue }: BookProduct) => [...loanValue.keys()];
const totalOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/** Loans of a path that come so near a threshold that rounding may decide. */
function undecided({ product, scenarios }: BookPlan, prices: readonly (readonly number[])[], bound: number) {
  const { assets } = scenarios;
  return loanNumbers(product).filter(k => {
    const row = product.basket[k] * assets;
    const side = (weights: Float64Array, t: number) =>
      prices[t].reduce((sum, price, i) => sum + weights[row + i] * price, 0);
    const n = product.nominalRatio[k];
    const { marginCallRatio, liquidationRatio, recoveryRatio } = product;
    const thresholds = [marginCallRatio[k], liquidationRatio[k], recoveryRatio[k], 1].map(m =>
      Math.log(m / n),
    );
    for (let t = 1; t <= product.termSteps[k]; t++) {
      const x = Math.log(side(product.collateralWeights, t) / side(product.loanWeights, t));
      if (thresholds.some(threshold => Math.abs(x - threshold) < bound)) return true;
    }
    return false;
  });
}

/** Holds every path together; gives the number of those on which a loan took another way, each of which rounding explains. */
function expectSamePaths(plan: BookPlan, onGpu: PathRecords, onCpu: PathRecords, told: string): number {
  const { product, paths } = plan;
  const rounding = logRatioTolerance(1, product.steps);
  // Debt and collateral of every loan carry the error of a price; there are up to three times the loan value of both.
  const bound = 4 * rounding * totalOf(product.loanValue);
  let differing = 0;
  for (let p = 0; p < paths; p++) {
    const counts = COUNTS.map(name => Math.abs(onGpu[name][p] - onCpu[name][p]));
    const amounts = AMOUNTS.map(name => Math.abs(onGpu[name][p] - onCpu[name][p]));
    if (Math.max(...counts) === 0 && Math.max(...amounts) <= bound) continue;
    differing++;
    const near = undecided(plan, plainPrices(plan, p, product.steps), rounding);
    const explained = near.reduce((sum, k) => sum + product.loanValue[k], 0);
    const inputs = `path ${p}, counts ${counts}, amounts ${amounts}, near ${near}; ${told}`;
    expect(Math.max(...counts), inputs).toBeLessThanOrEqual(near.length);
    expect(Math.max(...amounts), inputs).toBeLessThanOrEqual(bound + 4 * explained);
  }
  return differing;
}

const modelScenarios = (model: string, assets: number): Scenarios => {
  if (model === 'gbm') return randomGbm(new Dice(40 + assets), assets);
  if (model === 'garch') return randomGarch(new Dice(40 + assets), assets);
  return heavyTailed(model as (typeof HEAVY_TAILS)[number], assets, 11);
};

describe.each(['gbm', 'garch', ...HEAVY_TAILS])('a book under %s', model => {
  const PATHS = 300;
  /** Assets, loans and the longest term: one quad of assets and two, a term inside a day and one beyond a block of draws. */
  const CASES = [
    [2, 5, 31],
    [3, 16, 110],
    [6, 24, 130],
  ] as const;

  it.each(CASES)(
    'of %i assets and %i loans over %i steps has the figures of the reference',
    async (assets, loans, term) => {
      const shape = { assets, loans, baskets: Math.ceil(loans / 2), term, uncalled: true };
      const plan: BookPlan = {
        ...randomBook(7 * assets, PATHS, shape),
        scenarios: modelScenarios(model, assets),
      };
      const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
      const told = JSON.stringify({ model, assets, loans, term });
      // Some loan-paths in a million lie within rounding of a threshold.
      const most = Math.ceil(4e-6 * PATHS * loans * term);
      expect(expectSamePaths(plan, onGpu, onCpu, told), told).toBeLessThanOrEqual(most);
      if (loans > 5) expect(onCpu.calledLoans.some(count => count > 0)).toBe(true);
    },
  );
});

/** Thirty loans on four assets. */
function gbmPlan(paths: number, more: Partial<BookProduct> = {}): BookPlan {
  const plan = randomBook(9, paths, { assets: 4, loans: 30, baskets: 12, term: 200 });
  return { ...plan, product: { ...plan.product, ...more } };
}

describe('a book on the GPU', () => {
  it('cures calls in days that lie wholly within the time to top up', async () => {
    const { product } = gbmPlan(1);
    const plan = gbmPlan(300, { topUpSteps: product.topUpSteps.map(() => 150) });
    const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
    expect(expectSamePaths(plan, onGpu, onCpu, 'long to top up')).toBeLessThanOrEqual(8);
    // Most calls are cured: fewer loans are sold than are called.
    const [called, sold] = [totalOf(onCpu.calledLoans), totalOf(onCpu.forcedSales)];
    expect(called).toBeGreaterThan(500);
    expect(sold).toBeLessThan(0.7 * called);
  });

  it('counts a day from its first hour to its last, and of every asset what is sold in it', async () => {
    const { product } = gbmPlan(1);
    // A small fall sells half of them, a larger one the others: in the first hour, and a day later.
    const plan = gbmPlan(300, {
      marginCallRatio: product.nominalRatio.map(n => 0.999 * n),
      liquidationRatio: product.nominalRatio.map((n, k) => (k % 2 === 0 ? 0.99 : 0.93) * n),
      recoveryRatio: product.nominalRatio.map(n => 1.2 * n),
      topUpSteps: product.topUpSteps.map(() => 100),
      saleDelaySteps: 0,
    });
    const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
    expect(expectSamePaths(plan, onGpu, onCpu, 'sold early')).toBeLessThanOrEqual(20);
    expect(totalOf(onCpu.forcedSales)).toBeGreaterThan(4000);
    const [run, wanted] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
    const value = totalOf(product.loanValue);
    wanted.tails.forEach(({ peakDayByAsset }, q) => {
      for (const [a, amount] of peakDayByAsset.entries())
        expect(Math.abs(run.tails[q].peakDayByAsset[a] - amount), `asset ${a}`).toBeLessThan(1e-4 * value);
    });
  });

  it('keeps the squares of its loans as the reference does', async () => {
    const plan = gbmPlan(2000);
    const [{ loans: onGpu }, { loans: onCpu }] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
    let lost = 0;
    for (const k of loanNumbers(plan.product)) {
      const term = plan.product.termSteps[k];
      // A loan-path in a million ends otherwise, of the 60,000 of this plan none or one.
      for (const [name, most] of [
        ['missedSteps', term * term],
        ['unsoldPaths', 1],
        ['lossPaths', 1],
      ] as const)
        expect(
          Math.abs(onGpu.squares![name][k] - onCpu.squares![name][k]),
          `${name} of loan ${k}`,
        ).toBeLessThanOrEqual(most);
      for (const name of ['unsold', 'loss'] as const) {
        const [got, wanted] = [onGpu.squares![name][k], onCpu.squares![name][k]];
        // A share x is right to some 2e-6 of the loan value (`logRatioTolerance`), its square to 2 x as much.
        const room = 2 * Math.sqrt(wanted * plan.paths) * 2e-6;
        expect(Math.abs(got - wanted), `${name} of loan ${k}`).toBeLessThan(room + plan.paths * 2 ** -40);
        lost += wanted;
      }
    }
    expect(lost).toBeGreaterThan(1);
  });

  it('tells the share of its paths that is done, slice by slice', async () => {
    const told: number[] = [];
    const engine = await openTestGpuEngine({ sliceMilliseconds: 1e-6, maxPaths: 100, parallelPaths: 100 });
    await engine.run(gbmPlan(300), { onProgress: share => told.push(share) });
    expect(told.length).toBeGreaterThan(3);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told[0]).toBeGreaterThan(0);
    expect(told[0]).toBeLessThan(0.5);
    expect(told.at(-1)).toBe(1);
  });

  it('gives the same outcome however its run is cut', async () => {
    const plan = gbmPlan(300, { quantiles: Float64Array.of(0.5, 0.9, 0.99) });
    const outcome = await gpu.run(plan);
    const dispatches: DispatchOptions[] = [
      { workgroupSize: 8 },
      { maxPaths: 100 },
      // Prices in pieces, then eight loans at a time.
      { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
      { sliceMilliseconds: 1e-6, maxPaths: 96, parallelPaths: 96 },
      // Blocks of few paths.
      { valueBytes: 2 ** 16 },
    ];
    for (const dispatch of dispatches) {
      const engine = await openTestGpuEngine(dispatch);
      expect(await engine.run(plan), JSON.stringify(dispatch)).toEqual(outcome);
    }
    expect(await gpu.trace(plan)).toEqual({ ...outcome.columns });
  });

  it('shares an atom of its loss equally among the paths at it', async () => {
    // One loan that loses on a few paths: half of the tail of 0.5 has no loss at all.
    const plan = gbmPlan(400, { quantiles: Float64Array.of(0.2, 0.5) });
    const alone: BookPlan = { ...plan, product: bookOf(plan.product, [3]) };
    const [onGpu, onCpu] = [await gpu.run(alone), await cpu.run(alone)];
    onCpu.tails.forEach(({ contributions }, q) => {
      const bound = 1e-5 * alone.product.loanValue[0];
      expect(Math.abs(onGpu.tails[q].contributions[0] - contributions[0])).toBeLessThan(bound);
    });
  });

  it('has the sums, contributions and figures of the reference', async () => {
    const plan = gbmPlan(1500);
    const [onGpu, onCpu] = [await gpu.run(plan), await cpu.run(plan)];
    const value = totalOf(plan.product.loanValue);
    for (const k of loanNumbers(plan.product)) {
      for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const)
        expect(Math.abs(onGpu.loans[name][k] - onCpu.loans[name][k]), `${name} of ${k}`).toBeLessThanOrEqual(
          1,
        );
      const missed = Math.abs(onGpu.loans.missedSteps[k] - onCpu.loans.missedSteps[k]);
      expect(missed, `missed steps of ${k}`).toBeLessThanOrEqual(plan.product.steps);
      // Of each path within the rounding of its prices.
      for (const name of ['unsoldUnits', 'lossUnits'] as const)
        expect(
          Math.abs(onGpu.loans[name][k] - onCpu.loans[name][k]) / plan.paths,
          `${name} of ${k}`,
        ).toBeLessThan(1e-5 * 2 ** 32);
      expect(Math.abs(onGpu.loans.worstCcr[k] / onCpu.loans.worstCcr[k] - 1), `worst of ${k}`).toBeLessThan(
        1e-5,
      );
      onCpu.tails.forEach(({ contributions }, q) => {
        const difference = Math.abs(onGpu.tails[q].contributions[k] - contributions[k]);
        expect(difference, `contribution of ${k}`).toBeLessThan(1e-5 * value);
      });
    }
    for (const name of BOOK_COLUMNS) {
      const scale = name === 'calledLoans' || name === 'forcedSales' ? 30 : value;
      const flat = ({ mean, quantiles, tailMeans }: (typeof onCpu.summaries)[typeof name]) => [
        mean,
        ...quantiles,
        ...tailMeans,
      ];
      const expected = flat(onCpu.summaries[name]);
      flat(onGpu.summaries[name]).forEach((figure, i) => {
        expect(Math.abs(figure - expected[i]), `${name}, figure ${i}`).toBeLessThan(1e-4 * scale);
      });
    }
    onCpu.tails.forEach(({ peakDayByAsset, lossByAsset }, q) => {
      for (const a of peakDayByAsset.keys()) {
        expect(Math.abs(onGpu.tails[q].peakDayByAsset[a] - peakDayByAsset[a])).toBeLessThan(1e-4 * value);
        expect(Math.abs(onGpu.tails[q].lossByAsset[a] - lossByAsset[a])).toBeLessThan(1e-4 * value);
      }
    });
    expect([...onGpu.collateralByAsset]).toEqual([...onCpu.collateralByAsset]);
  });

  it('stops when it is aborted', async () => {
    const engine = await openTestGpuEngine({ sliceMilliseconds: 5 });
    const plan = gbmPlan(1_000_000, { steps: 8760, termSteps: new Uint32Array(30).fill(8700) });
    const abort = new AbortController();
    const stopped = expect(engine.run(plan, abort)).rejects.toThrow('stopped by the test');
    // The two take turns: with the answer of the small one the large one is under way.
    await engine.run(gbmPlan(8));
    abort.abort(new Error('stopped by the test'));
    await stopped;
  });
});

describe('a book of one loan', () => {
  const TERM = 220;
  const loan = { nominalRatio: 1.25, marginCallRatio: 1.2, liquidationRatio: 1.08, recoveryRatio: 1.24 };

  /** The same loan alone and in a book, on the same paths. */
  function both(scenarios: Scenarios, collateral: readonly number[], debt: readonly number[]) {
    const portfolio = {
      collateralWeights: Float64Array.from(collateral),
      loanWeights: Float64Array.from(debt),
    };
    const common = { seed: 21, paths: 2000, scenarios };
    const alone: SimulationPlan<LoanProduct> = {
      ...common,
      product: { kind: 'loan', portfolio, steps: TERM, topUpSteps: 24, ...loan },
    };
    const column = (value: number) => Float64Array.of(value);
    const book: BookPlan = {
      ...common,
      product: {
        kind: 'book',
        steps: TERM,
        saleDelaySteps: 0,
        saleCost: 0.01,
        daySteps: 24,
        quantiles: Float64Array.of(0.95),
        ...portfolio,
        basket: Uint32Array.of(0),
        termSteps: Uint32Array.of(TERM),
        topUpSteps: Uint32Array.of(24),
        loanValue: column(1000),
        nominalRatio: column(loan.nominalRatio),
        marginCallRatio: column(loan.marginCallRatio),
        liquidationRatio: column(loan.liquidationRatio),
        recoveryRatio: column(loan.recoveryRatio),
      },
    };
    return { alone, book };
  }

  // A pair under GBM is one walk where it is alone: the same path, other last digits.
  it.each([
    ['a pair', 'student-t', [1, 0], [0, 1]],
    ['a pair the other way round', 'filtered-historical', [0, 1], [1, 0]],
    ['baskets', 'student-t', [0.6, 0.4, 0], [0, 0.1, 0.9]],
    ['baskets of five assets', 'gbm', [0.2, 0.2, 0.3, 0.3, 0], [0, 0, 0, 0, 1]],
  ] as const)(
    'ends as that loan on the GPU, to the path: %s under %s',
    async (_, model, collateral, debt) => {
      const { alone, book } = both(modelScenarios(model, collateral.length), collateral, debt);
      const [single, { loans, paths }] = [await gpu.run(alone), await gpu.run(book)];
      expect(single.liquidations + single.closeouts).toBeGreaterThan(0);
      const { marginCalls, liquidations, closeouts, underwater, openSteps, worstCcr } = single;
      expect(
        [loans.marginCalls, loans.liquidations, loans.closeouts, loans.underwater].map(([count]) => count),
      ).toEqual([marginCalls, liquidations, closeouts, underwater]);
      expect(loans.missedSteps[0]).toBe(paths * TERM - openSteps);
      expect(loans.worstCcr[0]).toBe(worstCcr);
      // That of the loan alone is kept to 2^-23.
      expect(Math.abs(loans.unsoldUnits[0] / 2 ** 32 - single.loss)).toBeLessThan(paths * 2 ** -23);
    },
  );

  it('whose baskets hold almost the same takes the ways of the reference', async () => {
    const scenarios: Scenarios = {
      kind: 'gbm',
      assets: 3,
      annualVolatility: Float64Array.of(0.6, 0.7, 0.9),
      factor: Float64Array.of(0.6, 0, 0, 0.35, 0.7 * Math.sqrt(0.75), 0, 0.45, 0.27, 0.9 * Math.sqrt(0.66)),
    };
    const share = 0.0004;
    const { alone, book } = both(scenarios, [1 - share, share, 0], [1, 0, 0]);
    expect(isNearlyRiskless(alone)).toBe(true);
    const tight = {
      nominalRatio: 1.00001,
      marginCallRatio: 1,
      liquidationRatio: 0.99995,
      recoveryRatio: 1.00001,
    };
    const product: BookProduct = {
      ...book.product,
      ...Object.fromEntries(Object.entries(tight).map(([name, value]) => [name, Float64Array.of(value)])),
    };
    const plan = { ...book, paths: 5000, product };
    const [onGpu, onCpu] = [await gpu.trace(plan), await cpu.trace(plan)];
    const differing = [...onCpu.calledLoans.keys()].filter(p =>
      COUNTS.some(name => onGpu[name][p] !== onCpu[name][p]),
    );
    // As for a loan alone (gpu-riskless.test.ts): 40 paths in a million.
    expect(differing.length, `paths ${differing}`).toBeLessThanOrEqual(1);
    expect(totalOf(onCpu.forcedSales)).toBeGreaterThan(100);
    expect(totalOf(onCpu.forcedSales)).toBeLessThan(4900);
  });
});
