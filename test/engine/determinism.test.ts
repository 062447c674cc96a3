/** On every engine with threads: draws and sums depend neither on threads nor on the number of paths. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { CPU_ENGINES, type CpuTestEngine } from '../support/engines.ts';
import { HEAVY_TAILS, type HeavyTail, heavyTailed } from '../support/heavy-tails.ts';
import {
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
  randomUnderWayPlan,
  randomValueAtRiskPlan,
} from '../support/random-plans.ts';

const REFERENCE_PLANS: readonly [string, SimulationPlan][] = [
  ['loan', randomLoanPlan(3, 'gbm', 1_003)],
  ['loan under GARCH', randomLoanPlan(4, 'garch', 1_003)],
  ['loan under way', randomUnderWayPlan(2, 'gbm', 1_003)],
  ['capped loan', randomCappedPlan(5, 'gbm', 1_003)],
  ['perpetual', randomPerpetualPlan(6, 'gbm', 1_003)],
];

const SIMD_PLANS: readonly [string, SimulationPlan][] = [
  ['loan of a pair', randomLoanPlan(pairSeed(), 'gbm', 3_003)],
  ['loan of baskets', randomLoanPlan(basketSeed(), 'gbm', 3_003)],
  ['capped loan', randomCappedPlan(5, 'gbm', 3_003)],
  ['capped loan under GARCH', randomCappedPlan(5, 'garch', 3_003)],
  ...HEAVY_TAILS.flatMap((model): [string, SimulationPlan][] => [
    [`loan of baskets under ${model}`, heavyLoan(model, basketSeed(), 3_003)],
    [`value at risk under ${model}`, heavyHorizons(model)],
  ]),
];

/** A random loan under a model with heavy tails. */
function heavyLoan(model: HeavyTail, seed: number, paths: number): SimulationPlan {
  const plan = randomLoanPlan(seed, 'gbm', paths);
  return { ...plan, scenarios: heavyTailed(model, plan.scenarios.assets, 11) };
}

function heavyHorizons(model: HeavyTail): SimulationPlan {
  const { product, ...plan } = randomValueAtRiskPlan(basketSeed(), 3_003);
  const scenarios = heavyTailed(model, plan.scenarios.assets, 11);
  const bootstrap = scenarios.kind === 'bootstrap';
  const days = [1, 2, 9];
  return {
    ...plan,
    scenarios,
    product: {
      ...product,
      horizonYears: Float64Array.from(days, d => d / 365),
      horizonSteps: Uint32Array.from(bootstrap ? days.map(d => (24 * d) / scenarios.stepsPerRow) : []),
    },
  };
}

function pairSeed(): number {
  return firstSeed(assets => assets <= 2);
}

function basketSeed(): number {
  return firstSeed(assets => assets > 4);
}

function firstSeed(fits: (assets: number) => boolean): number {
  let seed = 3;
  while (!fits(randomLoanPlan(seed, 'gbm', 1).scenarios.assets)) seed++;
  return seed;
}

/** A plan of so many paths is divided into eight chunks or more. */
const RUNS: Readonly<
  Record<
    CpuTestEngine['name'],
    {
      readonly plans: readonly [string, SimulationPlan][];
      readonly few: number;
      readonly many: number;
      readonly endless: number;
    }
  >
> = {
  reference: { plans: REFERENCE_PLANS, few: 100, many: 1500, endless: 5_000_000 },
  simd: { plans: SIMD_PLANS, few: 101, many: 3000, endless: 20_000_000 },
};

for (const { name, open } of CPU_ENGINES)
  describe(name, () => {
    const { plans, few, many, endless } = RUNS[name];
    let engines: readonly Engine[];
    beforeAll(async () => {
      engines = await Promise.all([1, 2, 5].map(open));
    });
    afterAll(() => Promise.all(engines.map(engine => engine.close())));

    it.each(plans)('has the same %s for any number of threads', async (_, plan) => {
      const [one, ...others] = await Promise.all(engines.map(engine => engine.run(plan)));
      for (const other of others) expect(other).toEqual(one);
    });

    it.each(plans)('has the same first paths of a %s in a longer run', async (_, plan) => {
      const first = await engines[1].trace({ ...plan, paths: few });
      const all = await engines[1].trace({ ...plan, paths: many });
      for (const [field, column] of Object.entries(first)) {
        expect(all[field].slice(0, few), field).toEqual(column);
      }
    });

    it('ends soon after its abort, and the engine still serves', async () => {
      const plan = randomLoanPlan(8, 'gbm', endless);
      const stop = new AbortController();
      const reason = new Error('the caller has gone');
      const running = engines[1].run(plan, { signal: stop.signal, onProgress: () => stop.abort(reason) });
      await expect(running).rejects.toBe(reason);
      const after = await engines[1].run({ ...plan, paths: 1000 });
      expect(after.paths).toBe(1000);
    });

    it('refuses a trace of more than the largest number of paths', async () => {
      await expect(engines[0].trace(randomLoanPlan(1, 'gbm', 2 ** 20 + 1))).rejects.toThrow(
        'at most 1048576',
      );
    });

    it('runs terms of any length', async () => {
      for (const steps of [1, 2, 3, 4, 5, 63, 64, 65, 67, 128, 129, 20_000]) {
        const plan = randomCappedPlan(basketSeed(), 'gbm', 9);
        const { endStep } = await engines[1].trace({
          ...plan,
          product: { ...plan.product, kind: 'loan', steps, marginCallRatio: 1e-6, liquidationRatio: 1e-7 },
        } as SimulationPlan);
        expect([...endStep], `${steps} steps`).toEqual(new Array(9).fill(steps));
        const { paths } = await engines[1].run({ ...plan, product: { ...plan.product, steps } });
        expect(paths).toBe(9);
      }
    });
  });
