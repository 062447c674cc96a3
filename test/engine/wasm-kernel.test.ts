/** The kernel itself: its draws, its edges, and that nothing but the plan can change a number. */
import { afterAll, describe, expect, it } from 'vitest';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { leastSingle, NO_RULES, writeRules } from '#src/core/simd/parameters.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { HEAVY_TAILS, type HeavyTail, heavyTailed } from '../support/heavy-tails.ts';
import { plainDraw } from '../support/plain/paths.ts';
import { randomCappedPlan, randomLoanPlan, randomValueAtRiskPlan } from '../support/random-plans.ts';

const engines = [1, 2, 5].map(threads => openSimdThreads(openThreadPool(threads)));
afterAll(() => Promise.all(engines.map(engine => engine.close())));

const kernel = instantiateKernel(readKernel());

/** A pair whose log ratio is the sum of the normals of asset `asset` (phase 0 or a quarter turn): the walk shows the draws. */
function showDraws(seed: number, asset: number): void {
  const { PAIR } = kernel.exports;
  kernel.exports.configure(seed | 0, 2, true);
  for (const [place, value] of [2 * Math.LN2, 0, 0, 0].entries()) kernel.put(PAIR, place, value);
  kernel.putInteger(PAIR, 1, asset * 2 ** 30);
  writeRules(kernel, NO_RULES);
}

describe('the draws of the kernel', () => {
  it.each([
    [0, 0],
    [0xdeadbeef, 1],
  ])('are the normals of the plain generator, tails included (seed %i, asset %i)', (seed, asset) => {
    showDraws(seed, asset);
    let largest = 0;
    let tails = 0;
    for (let path = 0; path < 120_000; path += 4) {
      kernel.exports.simulatePaths(path, 4, false, 0);
      const values = kernel.exports.PATHS.value / 4;
      for (let lane = 0; lane < 4; lane++) {
        let walk = 0;
        for (let step = 0; step < 4; step++) {
          const z = plainDraw(seed, path + lane, step, asset);
          walk += z;
          if (Math.abs(z) > 3) tails++;
          largest = Math.max(largest, Math.abs(kernel.singles[values + 4 * step + lane] - walk));
        }
      }
    }
    expect(tails).toBeGreaterThan(1000);
    // Four normals, each within 1.6e-6 (1.6e-7 on average), and as many sums of up to 12, rounded to singles.
    expect(largest).toBeLessThan(3e-6);
  });

  it('are those of later steps in later blocks', () => {
    const steps = 1003;
    showDraws(77, 1);
    kernel.reserve(kernel.pathBytes(steps));
    kernel.exports.simulatePaths(5, steps, false, 0);
    const path = new Float64Array(steps);
    for (let lane = 0; lane < 4; lane++) {
      kernel.copyPath(0, lane, steps, path);
      for (let step = 1; step < steps; step++) {
        const z = plainDraw(77, 5 + lane, step, 1);
        // The walk reaches 100 or so: two roundings of 8e-6.
        expect(Math.abs(path[step] - path[step - 1] - z), `lane ${lane}, step ${step}`).toBeLessThan(2e-5);
      }
    }
  });
});

describe('a packet of paths', () => {
  it('gives a path the same numbers in any lane', () => {
    const first = [1000, 1001, 1002, 1003];
    showDraws(3, 0);
    const results = first.map(path => {
      kernel.exports.runLoans(path, 2, 90, 0);
      const at = kernel.exports.RESULTS.value / 4 + (1003 - path);
      return [kernel.integers[at], kernel.integers[at + 4]];
    });
    for (const result of results) expect(result).toEqual(results[0]);
  });
});

describe('thresholds', () => {
  it('are the least singles that are not below them', () => {
    for (const threshold of [1 / 3, -1 / 3, 1e-3, -0.143100843640673, 1, 0, 1e30, -1e-42]) {
      const single = leastSingle(threshold);
      expect(single, `${threshold}`).toBeGreaterThanOrEqual(threshold);
      expect(Math.fround(single), `${threshold}`).toBe(single);
      const spacing = Math.max(Math.abs(single) * 2 ** -23, 2 ** -149);
      expect(single - threshold, `${threshold}`).toBeLessThan(spacing);
    }
    expect(leastSingle(Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });
});

const PLANS: readonly [string, SimulationPlan][] = [
  ['loan of a pair', randomLoanPlan(pairSeed(), 'gbm', 60_001)],
  ['loan of baskets', randomLoanPlan(basketSeed(), 'gbm', 30_002)],
  ['capped loan', randomCappedPlan(5, 'gbm', 10_003)],
  ['capped loan under GARCH', randomCappedPlan(5, 'garch', 10_003)],
  ...HEAVY_TAILS.flatMap((model): [string, SimulationPlan][] => [
    [`loan of a pair under ${model}`, heavyLoan(model, pairSeed(), 10_003)],
    [`loan of baskets under ${model}`, heavyLoan(model, basketSeed(), 10_003)],
    [`value at risk under ${model}`, heavyHorizons(model)],
  ]),
];

/** A random loan under a model with heavy tails. */
function heavyLoan(model: HeavyTail, seed: number, paths: number): SimulationPlan {
  const plan = randomLoanPlan(seed, 'gbm', paths);
  return { ...plan, scenarios: heavyTailed(model, plan.scenarios.assets, 11) };
}

function heavyHorizons(model: HeavyTail): SimulationPlan {
  const { product, ...plan } = randomValueAtRiskPlan(basketSeed(), 10_003);
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

describe('the WebAssembly engine', () => {
  it.each(PLANS)('gives the same %s for any number of threads', async (_, plan) => {
    const [one, ...others] = await Promise.all(engines.map(engine => engine.run(plan)));
    for (const other of others) expect(other).toEqual(one);
  });

  it.each(PLANS)('only adds paths to a %s when there are more', async (_, plan) => {
    const few = await engines[1].trace({ ...plan, paths: 101 });
    const many = await engines[1].trace({ ...plan, paths: 9000 });
    for (const [field, column] of Object.entries(few)) {
      expect(many[field].slice(0, 101), field).toEqual(column);
    }
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

  it('ends soon after it is told to, and serves on', async () => {
    const plan = randomLoanPlan(8, 'gbm', 20_000_000);
    const stop = new AbortController();
    const reason = new Error('the caller has gone');
    const running = engines[1].run(plan, { signal: stop.signal, onProgress: () => stop.abort(reason) });
    await expect(running).rejects.toBe(reason);
    const after = await engines[1].run({ ...plan, paths: 1000 });
    expect(after.paths).toBe(1000);
  });

  it('refuses a trace of more paths than it would keep', async () => {
    await expect(engines[0].trace(randomLoanPlan(1, 'gbm', 2 ** 20 + 1))).rejects.toThrow('at most 1048576');
  });
});
