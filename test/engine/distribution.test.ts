/** The distribution that a plan asks for: against every path recomputed, against closed forms, and merged over ranges. */

import { describe, expect, it } from 'vitest';
import { AMOUNT_BINS, allSlots, RATIO_RESOLUTION, ratioQuantile } from '#src/core/distribution/bins.js';
import { DISTRIBUTION_LEVELS } from '#src/core/distribution/levels.js';
import type { LoanOutcome } from '#src/core/engine.js';
import { RATIO_SLOTS } from '#src/core/plan/distribution.js';
import { mergeOutcomes } from '#src/core/plan/merge-outcomes.js';
import { distributionScales } from '#src/core/plan/product/value-at-risk.js';
import type { LoanProduct, Product, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { runRange } from '#src/core/reference/products.js';
import { quantileType7 } from '#src/core/stats/quantile.js';
import { firstPassageExact } from '../support/closed-forms/first-passage.ts';
import { logRatio } from '../support/closed-forms/log-ratio.ts';
import { normalCdf, normalDensity, normalQuantile } from '../support/closed-forms/normal.ts';
import {
  byDay,
  fanFaults,
  HOURLY,
  loanRatioFaults,
  loanSections,
  PLAIN_AMOUNTS,
  plainLoanPaths,
  plainMarks,
  slotFaults,
  valuesAtHorizon,
} from '../support/distribution.ts';
import { CPU_ENGINES } from '../support/engines.ts';
import { noiselessGbm } from '../support/exact-paths.ts';
import { gbmPair } from '../support/gbm.ts';
import { HEAVY_TAILS, heavyTailed } from '../support/heavy-tails.ts';
import {
  Dice,
  randomCappedPlan,
  randomHistory,
  randomLoanPlan,
  randomPerpetualPlan,
  randomValueAtRiskPlan,
} from '../support/random-plans.ts';
import { shareStandardError, ZScores } from '../support/standard-errors.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = 60;
const CASES = [1, 2, 3, 4, 5, 6];
/** Of the fast suite. */
const QUICK = new Set([1, 3]);
const tagsOf = (seed: number) => (QUICK.has(seed) ? [] : ['slow']);

/** The models, and how near to an edge a path of the rules may be counted on either side of it. */
const MODELS: readonly {
  readonly name: string;
  /** Doubles that are added in another order; tables of the models with heavy tails are right to 1e-6 a step. */
  readonly nearness: number;
  readonly scenarios: (assets: number, steps: number, seed: number) => Scenarios | undefined;
}[] = [
  { name: 'gbm', nearness: 1e-11, scenarios: () => undefined },
  {
    name: 'historical',
    nearness: 1e-11,
    scenarios: (assets, steps, seed) => randomHistory(new Dice(seed), assets, steps, PATHS),
  },
  ...HEAVY_TAILS.map(model => ({
    name: model,
    nearness: 1e-5,
    scenarios: (assets: number, _: number, seed: number) => heavyTailed(model, assets, seed),
  })),
];

/** A plan under a model that asks for its distribution. */
function asking<P extends Product & { readonly steps: number }>(
  plan: SimulationPlan<P>,
  model: (typeof MODELS)[number],
  seed: number,
): SimulationPlan<P> {
  const scenarios = model.scenarios(plan.scenarios.assets, plan.product.steps, seed) ?? plan.scenarios;
  return { ...plan, scenarios, distribution: HOURLY };
}

const told = (plan: SimulationPlan, seed: number) =>
  JSON.stringify({ seed, model: plan.scenarios.kind, ...plan.product });

/** An outcome without its counts. */
function withoutCounts<O extends { readonly distribution?: Float64Array }>({ distribution: _, ...rest }: O) {
  return rest;
}

describe.each(MODELS)('under $name', model => {
  for (const seed of CASES)
    it(`the reference counts loan ${seed} by its paths, without a change of its outcome`, {
      tags: tagsOf(seed),
    }, async () => {
      for (const random of [randomLoanPlan, randomCappedPlan]) {
        const plan = asking<Parameters<typeof plainLoanPaths>[0]['product']>(
          random(seed, 'gbm', PATHS),
          model,
          seed,
        );
        const { steps } = plan.product;
        const outcome = await reference.run(plan);
        const counts = outcome.distribution ?? new Float64Array(0);
        const paths = plainLoanPaths(plan);
        const faults = loanRatioFaults(counts, paths, steps, HOURLY, model.nearness);
        expect(faults, told(plan, seed)).toEqual([]);
        const { events } = loanSections(counts, steps, HOURLY);
        for (const name of ['call', 'liquidation', 'closeout'] as const) {
          const expected = byDay(
            paths.map(path => path[`${name}Step`]),
            steps,
            HOURLY,
          );
          expect(Array.from(events[name]), `${name}; ${told(plan, seed)}`).toEqual(expected);
        }
        const { distribution: _, ...plain } = plan;
        expect(withoutCounts(outcome), told(plan, seed)).toEqual(await reference.run(plain));
      }
    });

  for (const seed of CASES)
    it(`the reference counts the mark of position ${seed}`, { tags: tagsOf(seed) }, async () => {
      const plan = asking(randomPerpetualPlan(seed, 'gbm', PATHS), model, seed);
      const outcome = await reference.run(plan);
      const counts = outcome.distribution ?? new Float64Array(0);
      const faults = fanFaults(counts, plainMarks(plan), plan.product.steps, model.nearness);
      expect(faults, told(plan, seed)).toEqual([]);
      const { distribution: _, ...plain } = plan;
      expect(withoutCounts(outcome)).toEqual(await reference.run(plain));
    });
});

it.each(CPU_ENGINES)(
  'Ratios of baskets on $name that fall or rise by seven bins an hour are counted in them',
  async ({ open }) => {
    const engine = await open();
    const steps = 64;
    // A price without noise has a drift of -sigma^2 / 2.
    const falling = Math.sqrt(2 * 8760 * 0.07);
    for (const [sign, volatilities] of [
      [-1, [falling, falling, 0]],
      [1, [0, 0, falling]],
    ] as const) {
      const product: LoanProduct = {
        kind: 'loan',
        portfolio: {
          collateralWeights: Float64Array.of(0.25, 0.75, 0),
          loanWeights: Float64Array.of(0, 0, 1),
        },
        // The middle of a bin.
        nominalRatio: Math.exp(0.005),
        marginCallRatio: 1e-3,
        liquidationRatio: 1e-4,
        recoveryRatio: 2e-3,
        topUpSteps: 0,
        steps,
      };
      const plan = {
        seed: 1,
        paths: 5,
        scenarios: noiselessGbm(volatilities),
        product,
        distribution: HOURLY,
      };
      const { distribution = new Float64Array(0) } = await engine.run(plan);
      const { fan } = loanSections(distribution, steps, HOURLY);
      for (let t = 1; t <= steps; t++) {
        const wanted = new Float64Array(RATIO_SLOTS);
        // The first slot is that of values below the bins, which begin at exp(-5).
        wanted[501 + sign * 7 * t] = plan.paths;
        const row = fan.subarray((t - 1) * RATIO_SLOTS, t * RATIO_SLOTS);
        expect(row, `step ${t} of ratios times exp(${sign * 0.07}) an hour`).toEqual(wanted);
      }
    }
  },
);

it('days of a daily grid are single steps', async () => {
  let called = 0;
  for (const seed of CASES) {
    const plan: SimulationPlan<LoanProduct> = {
      ...randomLoanPlan(seed, 'historical', PATHS),
      distribution: { daySteps: 1 },
    };
    const { steps } = plan.product;
    const { distribution = new Float64Array(0) } = await reference.run(plan);
    const { events } = loanSections(distribution, steps, { daySteps: 1 });
    const calls = plainLoanPaths(plan).map(path => path.callStep);
    expect(events.call.length).toBe(steps);
    expect(Array.from(events.call), told(plan, seed)).toEqual(byDay(calls, steps, { daySteps: 1 }));
    called += calls.filter(step => step > 0).length;
  }
  expect(called, 'paths with a call').toBeGreaterThan(20);
});

describe('value at risk', () => {
  it.each(CPU_ENGINES)('by $name has exact quantiles of all values, and counts each', async ({ open }) => {
    const engine = await open();
    for (const seed of CASES) {
      const plain = randomValueAtRiskPlan(seed, 500);
      const plan = { ...plain, distribution: HOURLY };
      const outcome = await engine.run(plan);
      const records = await engine.trace(plan);
      const scales = distributionScales(plan.product);
      outcome.horizons.forEach(({ distribution }, k) => {
        const values = valuesAtHorizon(plan.product, records, k);
        for (const name of ['collateral', 'loan', 'netExposure'] as const) {
          const sorted = values[name].toSorted();
          const where = `${name} at ${k}; ${told(plan, seed)}`;
          expect(Array.from(distribution?.[name].quantiles ?? []), where).toEqual(
            Object.values(DISTRIBUTION_LEVELS).map(p => quantileType7(sorted, p)),
          );
          const relative = Array.from(values[name], value => value / scales[name]);
          const faults = slotFaults(
            distribution ? allSlots(AMOUNT_BINS, distribution[name].counts) : [],
            relative,
            PLAIN_AMOUNTS,
            1e-14,
          );
          expect(faults, where).toEqual([]);
        }
      });
      const tails = outcome.horizons.map(({ distribution: __, ...rest }) => rest);
      expect({ ...outcome, horizons: tails }).toEqual(await engine.run(plain));
    }
  });
});

describe('counts of ranges of paths', () => {
  it('add up to those of all paths for any split', { tags: ['slow'] }, async () => {
    for (const seed of CASES) {
      const dice = new Dice(seed);
      const plan = { ...randomLoanPlan(seed, 'garch', 97), distribution: HOURLY };
      const whole = runRange(plan, { first: 0, count: 97 }).distribution;
      const cuts = [0, dice.whole(1, 40), dice.whole(41, 96), 97];
      const parts = cuts.slice(1).map((end, i) => runRange(plan, { first: cuts[i], count: end - cuts[i] }));
      expect(mergeOutcomes<LoanOutcome>(parts).distribution, `cuts ${cuts}`).toEqual(whole);
    }
  });

  it('do not depend on the number of threads', { tags: ['slow'] }, async () => {
    const plan = { ...randomLoanPlan(5, 'gbm', 2_000), distribution: HOURLY };
    const two = await reference.run(plan);
    const other = await sharedReference(4).run(plan);
    expect(other).toEqual(two);
  });
});

describe('one asset against one asset under GBM', () => {
  const SETS = 20;
  const PAIR_PATHS = 5_000;

  it('has the lognormal final ratio, and the calls of the first passage by the end of each day', async () => {
    const final = new ZScores('share below the exact quantile');
    const calls = new ZScores('share called by the end of a day');
    for (let seed = 1; seed <= SETS; seed++) {
      const dice = new Dice(seed);
      const [collateral, loan, rho] = [
        dice.between(0.3, 1.2),
        dice.between(0.05, 0.6),
        dice.between(-0.8, 0.8),
      ];
      const steps = dice.whole(60, 200);
      const ratio = logRatio(collateral, loan, rho);
      const years = steps / 8760;
      const N = 1.4;
      const M = N * Math.exp(-dice.between(0.3, 1.2) * ratio.volatility * Math.sqrt(years));
      const plan: SimulationPlan<LoanProduct> = {
        seed,
        paths: PAIR_PATHS,
        scenarios: gbmPair(collateral, loan, rho),
        product: {
          kind: 'loan',
          portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
          steps,
          topUpSteps: 5,
          nominalRatio: N,
          marginCallRatio: M,
          liquidationRatio: 0.01,
          recoveryRatio: N,
        },
        distribution: HOURLY,
      };
      const { distribution = new Float64Array(0) } = await reference.run(plan);
      const sections = loanSections(distribution, steps, HOURLY);
      const inputs = JSON.stringify({ seed, collateral, loan, rho, steps, M });
      for (const p of [0.01, 0.25, 0.5, 0.95]) {
        const got = ratioQuantile(sections.final, p) ?? Number.NaN;
        const exact =
          N * Math.exp(ratio.drift * years + ratio.volatility * Math.sqrt(years) * normalQuantile(p));
        // Four and a half errors of the quantile, and the width of a bin.
        const density = normalDensity(normalQuantile(p)) / (exact * ratio.volatility * Math.sqrt(years));
        const bound =
          (4.5 * shareStandardError(p, PAIR_PATHS)) / density + RATIO_RESOLUTION * Math.max(exact, got);
        expect(Math.abs(got - exact), `quantile ${p}: ${got} for ${exact}; ${inputs}`).toBeLessThan(bound);
      }
      // The share in the bins below that of the median is known exactly.
      const bin = Math.floor(100 * Math.log(N));
      let below = 0;
      for (let slot = 0; slot < bin + 501; slot++) below += sections.final[slot];
      const edge = (bin / 100 - Math.log(N) - ratio.drift * years) / (ratio.volatility * Math.sqrt(years));
      const share = normalCdf(edge);
      final.add(below / PAIR_PATHS, share, shareStandardError(share, PAIR_PATHS), inputs);
      // One day of each set: days of one set are not independent.
      const day = dice.whole(1, sections.events.call.length);
      const end = Math.min(24 * day, steps);
      const called = sections.events.call.subarray(0, day).reduce((a, b) => a + b, 0);
      const probability = firstPassageExact(ratio, Math.log(M / N), end / 8760, end);
      calls.add(
        called / PAIR_PATHS,
        probability,
        shareStandardError(probability, PAIR_PATHS),
        `${inputs} day ${day}`,
      );
    }
    final.judge();
    calls.judge();
  });
});
