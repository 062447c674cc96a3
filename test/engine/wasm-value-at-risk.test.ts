/** Value at risk by the WebAssembly kernel against the double-precision reference, path by path and in its tails. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Tail, ValueAtRiskOutcome } from '#src/core/engine.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { cpuEngineOn } from '#src/engine/threads/cpu-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { openWasmEngine } from '#src/engine/wasm/wasm-engine.js';
import { expectWithinContract, largestDifference, logRatioTolerance } from '../support/parity.ts';
import { Dice, randomGbm, randomPortfolio, randomValueAtRiskPlan } from '../support/random-plans.ts';

const pool = openThreadPool(2);
const reference = cpuEngineOn(pool);
const fast = openWasmEngine(pool);
afterAll(() => pool.close());

type ValueAtRiskPlan = SimulationPlan<ValueAtRiskProduct>;

const PATHS = 5001;

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
      // A draw group has four steps, the kernel takes 48 at a time, and a stream has 96.
      horizonYears: Float64Array.from({ length: horizons }, (_, k) => ((k + 1) * (k + 2)) / 2 / 8760),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.9, 0.95, 0.99),
    },
  };
}

const PLANS = [
  ...[1, 2, 3, 4, 5, 6].map(seed => randomValueAtRiskPlan(seed, PATHS)),
  ...[1, 3, 4, 5, 47, 48, 49, 97, 130].map((horizons, i) => planOf(10 + i, 1 + (i % 5), horizons)),
  planOf(30, 32, 3),
];

const told = ({ seed, scenarios, product }: ValueAtRiskPlan) =>
  JSON.stringify({
    seed,
    assets: scenarios.assets,
    horizons: product.horizonYears.length,
    ...product.portfolio,
  });

function* tailsOf({ horizons }: ValueAtRiskOutcome): Generator<[name: string, tail: Tail]> {
  for (const [k, horizon] of horizons.entries()) {
    for (const value of ['collateral', 'loan', 'netExposure'] as const) {
      for (const [i, tail] of horizon[value].entries()) yield [`${value}, horizon ${k}, level ${i}`, tail];
    }
  }
}

describe('value at risk by the kernel', () => {
  it('takes the paths that the reference takes', async () => {
    for (const plan of PLANS) {
      const [byKernel, byReference] = await Promise.all([fast.trace(plan), reference.trace(plan)]);
      expect(Object.keys(byKernel)).toEqual(Object.keys(byReference));
      for (const [field, values] of Object.entries(byReference)) {
        const spread = Math.sqrt(values.reduce((sum, x) => sum + Math.log(x) ** 2, 0) / PATHS);
        const steps = 1 + Number(field.split('.')[1]);
        const difference = largestDifference(byKernel[field], values, Math.log);
        expect(difference, `${field}; ${told(plan)}`).toBeLessThan(logRatioTolerance(spread, steps));
      }
    }
  });

  it('has the tails of the reference', async () => {
    for (const plan of PLANS) {
      const [byKernel, byReference] = await Promise.all([fast.run(plan), reference.run(plan)]);
      const wanted = new Map(tailsOf(byReference));
      for (const [name, got] of tailsOf(byKernel)) {
        const tail = wanted.get(name)!;
        const { collateralValue, loanValue } = plan.product;
        const scale = name.startsWith('collateral') ? collateralValue : loanValue;
        const inputs = `${name}; ${told(plan)}`;
        // The contract allows 1e-4; a tenth of it is left for what the draws differ by.
        expectWithinContract(10 * got.quantile, 10 * tail.quantile, scale, inputs);
        expectWithinContract(10 * got.tailMean, 10 * tail.tailMean, scale, inputs);
        expect(Math.abs(got.atOrBelow - tail.atOrBelow), inputs).toBeLessThanOrEqual(1);
      }
    }
  });

  it('keeps small gains apart: a basket of stablecoins has as many values as paths', async () => {
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
    const [byKernel, byReference] = await Promise.all([fast.trace(calm), reference.trace(calm)]);
    for (const [field, values] of Object.entries(byReference)) {
      expect(new Set(byKernel[field]).size, field).toBeGreaterThan(0.999 * PATHS);
      for (let p = 0; p < PATHS; p++) {
        const gain = values[p] - 1;
        const difference = Math.abs(byKernel[field][p] - values[p]);
        // The draws differ by 1.6e-6 at most, of which a gain has the part of its own size and of a typical one.
        expect(difference, `${field} of path ${p}`).toBeLessThan(5e-6 * (Math.abs(gain) + 2e-5));
      }
    }
  });

  it('does not depend on the number of threads, nor fewer paths on more', async () => {
    const single = openThreadPool(1);
    const alone = openWasmEngine(single);
    try {
      const plan = { ...planOf(50, 3, 5), paths: 40_000 };
      expect(await alone.run(plan)).toEqual(await fast.run(plan));
      const more = await fast.trace(plan);
      const fewer = await fast.trace({ ...plan, paths: 1003 });
      for (const [field, values] of Object.entries(fewer)) {
        expect(values, field).toEqual(more[field].subarray(0, 1003));
      }
    } finally {
      await alone.close();
    }
  });
});
