/**
 * Value at risk on the GPU against the CPU reference, path by path and tail by tail.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tail, ValueAtRiskOutcome } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { lowerTails } from '#src/core/stats/tail.js';
import { openCpuEngine } from '#src/engine/threads/cpu-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { expectWithinContract, largestDifference, logRatioTolerance } from '../support/parity.ts';
import { Dice, randomGarch, randomValueAtRiskPlan } from '../support/random-plans.ts';

const cpu = openCpuEngine({ threads: 2 });
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => cpu.close());

const PATHS = 10_000;
const SEEDS = [1, 2, 3, 4, 5, 6];
const VALUES = ['collateral', 'loan', 'netExposure'] as const;

type ValueAtRiskPlan = SimulationPlan<ValueAtRiskProduct>;

function describePlan({ scenarios, product }: ValueAtRiskPlan): string {
  return JSON.stringify({ assets: scenarios.assets, ...product, horizonSteps: undefined });
}

/** Pairs of tails of the same value, horizon and quantile. */
function* pairs(onGpu: ValueAtRiskOutcome, onCpu: ValueAtRiskOutcome) {
  for (const [k, horizon] of onCpu.horizons.entries()) {
    for (const value of VALUES) {
      for (const [i, tail] of horizon[value].entries()) {
        yield {
          onGpu: onGpu.horizons[k][value][i],
          onCpu: tail,
          value,
          told: `${value}, horizon ${k}, level ${i}`,
        };
      }
    }
  }
}

describe('value at risk', () => {
  it('simulates the same paths on both engines', async () => {
    for (const seed of SEEDS) {
      const plan = randomValueAtRiskPlan(seed, PATHS);
      const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
      expect(Object.keys(onGpu)).toEqual(Object.keys(onCpu));
      for (const [field, values] of Object.entries(onCpu)) {
        const spread = Math.sqrt(values.reduce((sum, x) => sum + Math.log(x) ** 2, 0) / PATHS);
        // A few steps only; what differs are the draws and the exponential.
        const bound = logRatioTolerance(spread, 1);
        expect(
          largestDifference(onGpu[field], values, Math.log),
          `${field} of ${describePlan(plan)}`,
        ).toBeLessThan(bound);
      }
    }
  });

  it('has the same tails on both engines', async () => {
    for (const seed of SEEDS) {
      const plan = randomValueAtRiskPlan(100 + seed, PATHS);
      const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
      for (const pair of pairs(onGpu, onCpu)) {
        const { collateralValue, loanValue } = plan.product;
        const scale = pair.value === 'collateral' ? collateralValue : loanValue;
        const told = `${pair.told}; ${describePlan(plan)}`;
        // The contract allows 1e-4; a hundredth of it is left for what the draws differ by.
        const { onGpu: got, onCpu: wanted } = pair;
        expectWithinContract(100 * got.quantile, 100 * wanted.quantile, scale, told);
        expectWithinContract(100 * got.tailMean, 100 * wanted.tailMean, scale, told);
        expect(got.tailMean, told).toBeLessThanOrEqual(got.quantile);
      }
    }
  });

  it('takes quantile and tail mean of its own values as exactly as double precision does', async () => {
    for (const seed of SEEDS) {
      const plan = randomValueAtRiskPlan(200 + seed, PATHS);
      const { collateralValue, loanValue, quantiles } = plan.product;
      const [outcome, records] = await Promise.all([gpu.run(plan), gpu.trace(plan)]);
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

  it('does not depend on how its run is cut', async () => {
    const years = Float64Array.from({ length: 30 }, (_, k) => (k + 1) / 365);
    const quantiles = Float64Array.from({ length: 14 }, (_, i) => 0.03 + 0.07 * i);
    const base = randomValueAtRiskPlan(302, 1500);
    const plan = { ...base, product: { ...base.product, horizonYears: years, quantiles } };
    const outcome = await gpu.run(plan);
    const records = await gpu.trace(plan);
    const dispatches: DispatchOptions[] = [
      { workgroupSize: 64 },
      { maxPaths: 700 },
      // At most 24 horizons in a dispatch: the log prices are put down and taken up.
      { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
      // One, two or seven horizons in memory at a time.
      { valueBytes: 1 },
      { valueBytes: 12 * 1500 * 2 },
      { valueBytes: 12 * 1500 * 7 },
    ];
    for (const dispatch of dispatches) {
      const engine = await openTestGpuEngine(dispatch);
      expect(await engine.run(plan), JSON.stringify(dispatch)).toEqual(outcome);
      expect(await engine.trace(plan), JSON.stringify(dispatch)).toEqual(records);
    }
  });

  it('takes samples of one and two, and quantiles next to 0 and 1', async () => {
    for (const paths of [1, 2, 3, 1000]) {
      const base = randomValueAtRiskPlan(17, paths);
      const quantiles = Float64Array.of(1e-9, 1e-4, 0.5, 0.9999, 1 - 1e-9);
      const plan = { ...base, product: { ...base.product, quantiles } };
      const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
      for (const pair of pairs(onGpu, onCpu)) {
        const scale = 0.02 * plan.product.loanValue;
        const told = `${pair.told}, ${paths} paths`;
        expectWithinContract(pair.onGpu.quantile, pair.onCpu.quantile, scale, told);
        expectWithinContract(pair.onGpu.tailMean, pair.onCpu.tailMean, scale, told);
      }
    }
  });

  it('takes collateral and loan that are the same asset, and assets that do not move', async () => {
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
      const scenarios = { kind: 'gbm' as const, assets: 1, annualVolatility: volatility, factor: volatility };
      const { horizons } = await gpu.run({ ...base, scenarios, product });
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
    const base = randomValueAtRiskPlan(22, PATHS);
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
    const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
    const moves = 1e-4 * Math.sqrt(1 / 365) * plan.product.collateralValue;
    for (const { onGpu: got, onCpu: wanted, told } of pairs(onGpu, onCpu)) {
      // Relative to the moves: the draws agree to 1e-6.
      expect(Math.abs(got.quantile - wanted.quantile), told).toBeLessThan(5e-6 * moves);
      expect(Math.abs(got.tailMean - wanted.tailMean), told).toBeLessThan(5e-6 * moves);
    }
  });

  it('is for constant volatility only', () => {
    const plan = randomValueAtRiskPlan(1, 10);
    expect(gpu.supports(plan)).toBe(true);
    expect(gpu.supports({ ...plan, scenarios: randomGarch(new Dice(1), plan.scenarios.assets) })).toBe(false);
  });

  it('stops when it is aborted', async () => {
    const engine = await openTestGpuEngine({ sliceMilliseconds: 5 });
    const abort = new AbortController();
    const running = engine.run(randomValueAtRiskPlan(6, 5_000_000), abort);
    const stopped = expect(running).rejects.toThrow('stopped by the test');
    // The two take turns: with the answer of the small one the large one is under way.
    await engine.run(randomValueAtRiskPlan(6, 64));
    abort.abort(new Error('stopped by the test'));
    await stopped;
  });
});
