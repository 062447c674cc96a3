/** Value at risk on every engine in single precision against the double-precision reference, path by path and in its tails. */
import { describe, expect, it } from 'vitest';
import type { Tail, ValueAtRiskOutcome } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { engineCases, engineForTests, inParts, SINGLE_ENGINES } from '../support/engines.ts';
import { expectSameInSlices, expectStopOnAbort } from '../support/gpu.ts';
import { lowerTails } from '../support/lower-tails.ts';
import {
  DEVICE_ROOM,
  expectWithinContract,
  largestDifference,
  logRatioTolerance,
} from '../support/parity.ts';
import {
  Dice,
  randomGarch,
  randomGbm,
  randomPortfolio,
  randomValueAtRiskPlan,
} from '../support/random-plans.ts';
import { sharedReference, sharedSimd } from '../support/threads.ts';

const reference = sharedReference(2);

/** No multiple of the paths that an engine runs side by side. */
const PATHS = 5001;
const VALUES = ['collateral', 'loan', 'netExposure'] as const;

type ValueAtRiskPlan = SimulationPlan<ValueAtRiskProduct>;

/** Any number of assets and horizons. */
function planOf(seed: number, assets: number, horizons: number): ValueAtRiskPlan {
  const dice = new Dice(seed);
  return {
    seed,
    paths: PATHS,
    scenarios: randomGbm(dice, assets),
    product: {
      kind: 'value-at-risk',
      portfolio: randomPortfolio(dice, assets),
      collateralValue: 1e6,
      loanValue: 7e5,
      // A draw group has four steps, the SIMD kernel takes 48 at a time, and a stream has 96.
      horizonYears: Float64Array.from({ length: horizons }, (_, k) => ((k + 1) * (k + 2)) / 2 / 8760),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.9, 0.95, 0.99),
    },
  };
}

const SEEDS = [1, 2, 3, 4, 5, 6];
const PLANS = {
  reference: [],
  simd: [
    ...SEEDS.map(seed => randomValueAtRiskPlan(seed, PATHS)),
    ...[1, 3, 4, 5, 47, 48, 49, 97, 130].map((horizons, i) => planOf(10 + i, 1 + (i % 5), horizons)),
    planOf(30, 32, 3),
  ],
  // Pipelines are compiled per number of assets and the software driver is slow: few numbers of assets, twice the paths.
  gpu: SEEDS.map(seed => randomValueAtRiskPlan(seed, 2 * PATHS)),
} as const;

const describePlan = ({ seed, scenarios, product }: ValueAtRiskPlan) =>
  JSON.stringify({ seed, assets: scenarios.assets, ...product, horizonSteps: undefined });

/** Pairs of tails of the same value, horizon and quantile. */
function* pairs(got: ValueAtRiskOutcome, wanted: ValueAtRiskOutcome) {
  for (const [k, horizon] of wanted.horizons.entries()) {
    for (const value of VALUES) {
      for (const [i, tail] of horizon[value].entries()) {
        yield {
          got: got.horizons[k][value][i],
          wanted: tail,
          value,
          told: `${value}, horizon ${k}, level ${i}`,
        };
      }
    }
  }
}

for (const { engine } of engineCases(SINGLE_ENGINES, 'value-at-risk', ['gbm'])) {
  describe(`value at risk on ${engine.name}`, { tags: engine.tags }, () => {
    const plans: readonly ValueAtRiskPlan[] = PLANS[engine.name];
    const single = engineForTests(engine);

    for (const { part, tags, some } of inParts(engine, plans))
      it(`follows the paths of the reference ${part}`, { tags }, async () => {
        for (const plan of some) {
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          expect(Object.keys(got)).toEqual(Object.keys(wanted));
          for (const [field, values] of Object.entries(wanted)) {
            const spread = Math.sqrt(values.reduce((sum, x) => sum + Math.log(x) ** 2, 0) / values.length);
            const steps = 1 + Number(field.split('.')[1]);
            const difference = largestDifference(got[field], values, Math.log);
            expect(difference, `${field}; ${describePlan(plan)}`).toBeLessThan(
              logRatioTolerance(spread, steps),
            );
          }
        }
      });

    for (const { part, tags, some } of inParts(engine, plans, 3))
      it(`has the tails of the reference ${part}`, { tags }, async () => {
        for (const plan of some) {
          const other = { ...plan, seed: plan.seed + 100 };
          const [got, wanted] = await Promise.all([single.run(other), reference.run(other)]);
          for (const pair of pairs(got, wanted)) {
            const { collateralValue, loanValue } = plan.product;
            const scale = pair.value === 'collateral' ? collateralValue : loanValue;
            const told = `${pair.told}; ${describePlan(other)}`;
            // The contract allows 1e-4; the draws differ by less than a hundredth of it.
            expectWithinContract(100 * pair.got.quantile, 100 * pair.wanted.quantile, scale, told);
            expectWithinContract(100 * pair.got.tailMean, 100 * pair.wanted.tailMean, scale, told);
            expect(pair.got.tailMean, told).toBeLessThanOrEqual(pair.got.quantile);
            expectWithinContract(100 * pair.got.level, 100 * pair.wanted.level, scale, told);
          }
        }
      });

    it('computes quantiles and tail means of its values as exactly as double precision', async () => {
      for (const seed of SEEDS) {
        const plan = randomValueAtRiskPlan(200 + seed, 2 * PATHS);
        const { collateralValue, loanValue, quantiles } = plan.product;
        const [outcome, records] = await Promise.all([single.run(plan), single.trace(plan)]);
        for (const [k, horizon] of outcome.horizons.entries()) {
          const sides = [
            { tails: horizon.collateral, unit: collateralValue, relative: records[`collateral.${k}`] },
            { tails: horizon.loan, unit: loanValue, relative: records[`loan.${k}`] },
          ];
          for (const { tails, unit, relative } of sides) {
            const wanted = lowerTails(
              relative.map(x => unit * x),
              quantiles,
            );
            for (const [i, tail] of tails.entries()) {
              const told = `horizon ${k}, level ${quantiles[i]}; ${describePlan(plan)}`;
              // The order statistics are exact; the sums are to 2^-32 of the largest gain per value.
              expect(Math.abs(tail.quantile - wanted[i].quantile), told).toBeLessThan(1e-14 * unit + 1e-12);
              const difference = tail.tailMean - wanted[i].tailMean;
              expect(Math.abs(difference), told).toBeLessThan(1e-9 * unit);
            }
          }
        }
      }
    });

    it('has figures for samples of one and two, and for quantiles next to 0 and 1', async () => {
      for (const paths of [1, 2, 3, 1000]) {
        const base = randomValueAtRiskPlan(17, paths);
        const quantiles = Float64Array.of(1e-9, 1e-4, 0.5, 0.9999, 1 - 1e-9);
        const plan = { ...base, product: { ...base.product, quantiles } };
        const [outcome, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
        for (const pair of pairs(outcome, wanted)) {
          const scale = 0.02 * plan.product.loanValue;
          const told = `${pair.told}, ${paths} paths`;
          expectWithinContract(pair.got.quantile, pair.wanted.quantile, scale, told);
          expectWithinContract(pair.got.tailMean, pair.wanted.tailMean, scale, told);
        }
      }
    });

    it('has figures for a collateral and a loan of the same asset, and for assets that do not move', async () => {
      const base = randomValueAtRiskPlan(21, 500);
      const one = Float64Array.of(1);
      const product = {
        ...base.product,
        portfolio: { collateralWeights: one, loanWeights: one },
        collateralValue: 1000,
        loanValue: 1000,
      };
      for (const sigma of [0, 1e-6, 0.8]) {
        const volatility = Float64Array.of(sigma);
        const scenarios = {
          kind: 'gbm' as const,
          assets: 1,
          annualVolatility: volatility,
          factor: volatility,
        };
        const { horizons } = await single.run({ ...base, scenarios, product });
        for (const { collateral, loan, netExposure } of horizons) {
          expect(collateral).toEqual(loan);
          for (const { quantile, tailMean } of netExposure) {
            expect([quantile, tailMean].map(Math.abs)).toEqual([0, 0]);
          }
          const still = (tail: Tail) => tail.quantile === 1000 && tail.tailMean === 1000;
          expect(collateral.every(still)).toBe(sigma === 0);
        }
      }
    });

    it('resolves a calm portfolio far below the spacing of single precision', async () => {
      // A hundredth of a per cent per year: values a day ahead lie within 1e-5 of 1, where numbers are 6e-8 apart.
      const base = randomValueAtRiskPlan(22, 2 * PATHS);
      const volatility = Float64Array.of(1e-4);
      const plan: ValueAtRiskPlan = {
        ...base,
        scenarios: { kind: 'gbm', assets: 1, annualVolatility: volatility, factor: volatility },
        product: {
          ...base.product,
          portfolio: { collateralWeights: Float64Array.of(1), loanWeights: Float64Array.of(1) },
          horizonYears: Float64Array.of(1 / 365),
        },
      };
      const [outcome, expected] = await Promise.all([single.run(plan), reference.run(plan)]);
      const moves = 1e-4 * Math.sqrt(1 / 365) * plan.product.collateralValue;
      for (const { got, wanted, told } of pairs(outcome, expected)) {
        // Relative to the moves: the draws agree to 1e-6.
        expect(Math.abs(got.quantile - wanted.quantile), told).toBeLessThan(5e-6 * moves);
        expect(Math.abs(got.tailMean - wanted.tailMean), told).toBeLessThan(5e-6 * moves);
      }
    });

    it('resolves small gains: a basket of stablecoins has as many values as paths', async () => {
      const plan = planOf(40, 2, 1);
      const calm: ValueAtRiskPlan = {
        ...plan,
        scenarios: {
          kind: 'gbm',
          assets: 2,
          annualVolatility: Float64Array.of(0.002, 0.001),
          factor: Float64Array.of(0.002, 0, 0.0005, Math.sqrt(0.001 ** 2 - 0.0005 ** 2)),
        },
        product: {
          ...plan.product,
          portfolio: { collateralWeights: Float64Array.of(0.5, 0.5), loanWeights: Float64Array.of(0, 1) },
        },
      };
      const [got, wanted] = await Promise.all([single.trace(calm), reference.trace(calm)]);
      for (const [field, values] of Object.entries(wanted)) {
        expect(new Set(got[field]).size, field).toBeGreaterThan(0.999 * PATHS);
        for (let p = 0; p < PATHS; p++) {
          const gain = values[p] - 1;
          const difference = Math.abs(got[field][p] - values[p]);
          // The draws differ by 1.6e-6 at most, of which a gain has the part of its own size and of a typical one.
          const bound = DEVICE_ROOM * 5e-6 * (Math.abs(gain) + 2e-5);
          expect(difference, `${field} of path ${p}`).toBeLessThan(bound);
        }
      }
    });

    it('is supported for constant volatility only', () => {
      const plan = randomValueAtRiskPlan(1, 10);
      expect(single.supports(plan)).toBe(true);
      const garch = randomGarch(new Dice(1), plan.scenarios.assets);
      expect(single.supports({ ...plan, scenarios: garch })).toBe(false);
    });
  });
}

describe('value at risk on the SIMD kernel in chunks', () => {
  it('does not depend on the number of threads, nor do the first paths on the others', async () => {
    const one = sharedSimd(1);
    const two = sharedSimd(2);
    const plan = { ...planOf(50, 3, 5), paths: 40_000 };
    expect(await one.run(plan)).toEqual(await two.run(plan));
    const more = await two.trace(plan);
    const fewer = await two.trace({ ...plan, paths: 1003 });
    for (const [field, values] of Object.entries(fewer)) {
      expect(values, field).toEqual(more[field].subarray(0, 1003));
    }
  });
});

describe('value at risk on the GPU in slices', { tags: ['slow'] }, () => {
  it('has the same outcome for any workgroup, block of paths, time slice and batch of horizons', async () => {
    const years = Float64Array.from({ length: 30 }, (_, k) => (k + 1) / 365);
    const quantiles = Float64Array.from({ length: 14 }, (_, i) => 0.03 + 0.07 * i);
    const base = randomValueAtRiskPlan(302, 1500);
    const plan = { ...base, product: { ...base.product, horizonYears: years, quantiles } };
    const dispatches: DispatchOptions[] = [
      { workgroupSize: 64 },
      { maxPaths: 700 },
      // At most 24 horizons in a dispatch: the log prices are put down and taken up.
      { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
      // One or seven horizons in memory at a time.
      { valueBytes: 12 * plan.paths },
      { valueBytes: 7 * 12 * plan.paths },
    ];
    await expectSameInSlices(dispatches, async engine => [await engine.run(plan), await engine.trace(plan)]);
  });

  it('stops on an abort', async () => {
    await expectStopOnAbort(randomValueAtRiskPlan(6, 5_000_000), randomValueAtRiskPlan(6, 64));
  });
});
