/** Value at risk at Sobol points on the reference: against known laws, against plain sampling, and its own error. */
import { describe, expect, it } from 'vitest';
import type { ValueAtRiskOutcome } from '#src/core/engine.js';
import type { FigureAccuracy } from '#src/core/figures/accuracy.js';
import { tailAccuracy } from '#src/core/figures/value-at-risk.js';
import { gpuSupports } from '#src/core/gpu/gpu-engine.js';
import type { GbmScenarios, SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { simdSupports } from '#src/core/simd/products.js';
import { sobolScenarios } from '#src/models/calibration/correlation-factor.js';
import { lognormalTail } from '../support/closed-forms/lognormal-tail.ts';
import { netExposureTail } from '../support/closed-forms/net-exposure-tail.ts';
import { gbmPair } from '../support/gbm.ts';
import { Dice, randomGbm } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(2);

type TailPlan = SimulationPlan<ValueAtRiskProduct>;

/** A plan of plain sampling: all assets but the last in equal parts against the last. */
function plainPlan(scenarios: GbmScenarios, seed: number, paths: number, days = [1, 10]): TailPlan {
  const n = scenarios.assets;
  const weights = (value: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => value(i));
  return {
    seed,
    paths,
    scenarios,
    product: {
      kind: 'value-at-risk',
      portfolio: {
        collateralWeights: weights(i => (i === n - 1 ? 0 : 1 / (n - 1))),
        loanWeights: weights(i => (i === n - 1 ? 1 : 0)),
      },
      collateralValue: 1500,
      loanValue: 1000,
      horizonYears: Float64Array.from(days, each => each / 365),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.95, 0.99),
      intervalLevel: 0.95,
    },
  };
}

const atSobolPoints = (plan: TailPlan): TailPlan => ({
  ...plan,
  scenarios: sobolScenarios(plan.scenarios as GbmScenarios),
});

const pair = (sigmaC: number, sigmaL: number, rho: number): GbmScenarios => gbmPair(sigmaC, sigmaL, rho);

const VALUES = ['collateral', 'loan', 'netExposure'] as const;

/** Known tails of a pair at a horizon, by value. */
function knownTails(plan: TailPlan, k: number, i: number) {
  const scenarios = plan.scenarios as GbmScenarios;
  const { horizonYears, quantiles, collateralValue, loanValue } = plan.product;
  const [collateralVolatility, loanVolatility] = scenarios.annualVolatility;
  const [years, q] = [horizonYears[k], quantiles[i]];
  const correlation = scenarios.factor[2] / (loanVolatility || 1);
  const exposure = {
    collateralValue,
    loanValue,
    collateralVolatility,
    loanVolatility,
    correlation,
    years,
  };
  return {
    collateral: lognormalTail(collateralValue, collateralVolatility, years, q),
    loan: lognormalTail(loanValue, loanVolatility, years, q),
    netExposure: netExposureTail(exposure, q),
  };
}

/** The accuracy of a plan's figures at a horizon and quantile, by name. */
/** By rank of the horizon, then of the quantile. */
function accuracyOf(plan: TailPlan, outcome: ValueAtRiskOutcome): Record<string, FigureAccuracy>[][] {
  const days = plan.product.horizonYears.map(years => 365 * years);
  return Object.values(tailAccuracy(plan, outcome, days, 0.95)).map(byQuantile => Object.values(byQuantile));
}

/** Names of a value's figures, and the figures themselves. */
const NAMED = [
  ['collateral', 'Collateral'],
  ['loan', 'Loan'],
  ['netExposure', 'NetExposure'],
] as const;

describe('value at risk at Sobol points', () => {
  it('has the quantiles and tail means of the closed forms, within its own error', {
    tags: ['slow'],
  }, async () => {
    const zs: number[] = [];
    for (let seed = 1; seed <= 12; seed++) {
      const dice = new Dice(seed);
      const plan = plainPlan(
        pair(dice.between(0.3, 1.2), dice.between(0.05, 0.9), dice.between(-0.9, 0.9)),
        seed,
        16 * 2 ** 12,
      );
      const outcome = await engine.run(atSobolPoints(plan));
      const accuracy = accuracyOf(atSobolPoints(plan), outcome);
      outcome.horizons.forEach((horizon, k) => {
        plan.product.quantiles.forEach((_, i) => {
          const known = knownTails(plan, k, i);
          for (const [value, name] of NAMED) {
            const { quantile, tailMean } = horizon[value][i];
            for (const [figure, truth, row] of [
              [quantile, known[value].quantile, accuracy[k][i][`${name}Var`]],
              [tailMean, known[value].tailMean, accuracy[k][i][`${name}CVar`]],
            ] as const) {
              const told = JSON.stringify({ seed, k, i, name, figure, truth, row });
              const z = (figure - truth) / (row.standard_error ?? Number.NaN);
              // Student's t with 15 degrees of freedom: beyond 7 once in half a million.
              expect(Math.abs(z), told).toBeLessThan(7);
              zs.push(z);
            }
          }
        });
      });
    }
    // The variance of t with 15 degrees of freedom is 15/13; 288 values of which those of one seed hang together.
    const meanSquare = zs.reduce((sum, z) => sum + z * z, 0) / zs.length;
    expect(meanSquare, `mean square of ${zs.length} z`).toBeGreaterThan(0.7);
    expect(meanSquare, `mean square of ${zs.length} z`).toBeLessThan(1.8);
  });

  it.each([5, 32])('agrees with plain sampling for %i assets', { tags: ['slow'] }, async assets => {
    const plan = plainPlan(randomGbm(new Dice(assets), assets), 3, 2 ** 19);
    const [plain, sobol] = await Promise.all([
      engine.run(plan),
      engine.run({ ...atSobolPoints(plan), paths: 16 * 2 ** 12 }),
    ]);
    const [own, others] = [accuracyOf(plan, plain), accuracyOf(atSobolPoints(plan), sobol)];
    plain.horizons.forEach((horizon, k) => {
      plan.product.quantiles.forEach((_, i) => {
        for (const [value, name] of NAMED)
          for (const [figure, row] of [
            ['quantile', `${name}Var`],
            ['tailMean', `${name}CVar`],
          ] as const) {
            const [a, b] = [horizon[value][i][figure], sobol.horizons[k][value][i][figure]];
            const errors = [own, others].map(each => each[k][i][row].standard_error ?? Number.NaN);
            const told = JSON.stringify({ k, i, row, plain: a, sobol: b, errors });
            expect(Math.abs(a - b), told).toBeLessThan(5 * Math.hypot(...errors));
          }
      });
    });
  });

  it('is closer to the exact figures than plain sampling of as many paths', { tags: ['slow'] }, async () => {
    const paths = 16 * 2 ** 9;
    const SEEDS = 30;
    const squares = { plain: [0, 0], sobol: [0, 0] };
    const planOf = (seed: number) => plainPlan(pair(0.8, 0.4, 0.5), seed, paths, [10]);
    const known = knownTails(planOf(0), 0, 0).netExposure;
    for (let seed = 0; seed < SEEDS; seed++) {
      const plan = planOf(seed);
      const [plain, sobol] = await Promise.all([engine.run(plan), engine.run(atSobolPoints(plan))]);
      for (const [name, outcome] of [
        ['plain', plain],
        ['sobol', sobol],
      ] as const) {
        const tail = outcome.horizons[0].netExposure[0];
        squares[name][0] += (tail.quantile - known.quantile) ** 2;
        squares[name][1] += (tail.tailMean - known.tailMean) ** 2;
      }
    }
    const gain = [0, 1].map(f => Math.sqrt(squares.plain[f] / squares.sobol[f]));
    const told = `errors of plain sampling over those of Sobol points: Var ${gain[0]}, CVar ${gain[1]}`;
    // A ratio of two root mean squares of 30 is off by an eighth (one standard error); 3 and 10 are the published ones.
    expect(gain[0], told).toBeGreaterThan(2);
    expect(gain[1], told).toBeGreaterThan(5);
  });

  it('does not depend on the number of threads, nor on later horizons', { tags: ['slow'] }, async () => {
    const plan = atSobolPoints(plainPlan(randomGbm(new Dice(4), 3), 9, 16 * 2 ** 10, [1, 5, 20]));
    const alone = sharedReference(1);
    const [two, one] = await Promise.all([engine.run(plan), alone.run(plan)]);
    expect(two).toEqual(one);
    const product = { ...plan.product, horizonYears: plan.product.horizonYears.slice(0, 2) };
    const shorter = await engine.run({ ...plan, product });
    expect(shorter.horizons).toEqual(two.horizons.slice(0, 2));
  });

  it('has the same figures without an interval level, and no errors', async () => {
    const plan = atSobolPoints(plainPlan(pair(0.8, 0.4, 0.5), 1, 16 * 64));
    const { intervalLevel: _, ...product } = plan.product;
    const [with_, without] = await Promise.all([engine.run(plan), engine.run({ ...plan, product })]);
    without.horizons.forEach((horizon, k) => {
      for (const value of VALUES)
        horizon[value].forEach((tail, i) => {
          expect(tail).not.toHaveProperty('scrambled');
          const known = with_.horizons[k][value][i];
          expect(tail.quantile).toBe(known.quantile);
          // Values were put in another order before: their sum is rounded otherwise.
          expect(Math.abs(tail.tailMean - known.tailMean)).toBeLessThan(1e-9);
        });
    });
  });

  it('of an asset that does not move is its value, without error', async () => {
    const plan = atSobolPoints(plainPlan(pair(0.8, 0, 0), 1, 16 * 64));
    const { horizons } = await engine.run(plan);
    for (const { loan } of horizons)
      for (const tail of loan)
        expect(tail).toMatchObject({
          quantile: 1000,
          tailMean: 1000,
          low: 1000,
          high: 1000,
          scrambled: { tailMeanError: 0 },
        });
  });

  it('is not supported by the engines in single precision', () => {
    const plan = atSobolPoints(plainPlan(pair(0.8, 0.4, 0.5), 1, 1024));
    expect([gpuSupports(plan), simdSupports(plan)]).toEqual([false, false]);
  });

  it('has intervals with the figure and the exact one where every scramble has equally many points below', {
    tags: ['slow'],
  }, async () => {
    // One value moves, and the quantiles are borders of strata of 256 points.
    const quantiles = Float64Array.of(0.001, 0.5, 0.75, 0.875);
    const planOf = (seed: number): TailPlan => {
      const plan = plainPlan(pair(0.5, 0, 0), seed, 16 * 256, [1]);
      return { ...plan, product: { ...plan.product, quantiles } };
    };
    const truths = Array.from(quantiles, q => lognormalTail(1500, 0.5, 1 / 365, q).quantile);
    const SEEDS = 40;
    const held = quantiles.map(() => 0);
    for (let seed = 0; seed < SEEDS; seed++) {
      const plan = atSobolPoints(planOf(seed));
      const outcome = await engine.run(plan);
      accuracyOf(plan, outcome)[0].forEach(({ CollateralVar, CollateralCVar }, i) => {
        const { quantile, tailMean } = outcome.horizons[0].collateral[i];
        const told = JSON.stringify({
          seed,
          q: quantiles[i],
          quantile,
          tailMean,
          CollateralVar,
          CollateralCVar,
        });
        const holds = ({ low, high }: typeof CollateralVar, figure: number) =>
          low !== null && high !== null && low <= figure && figure <= high;
        expect(holds(CollateralCVar, tailMean), told).toBe(true);
        if (i > 0) expect(holds(CollateralVar, quantile), told).toBe(true);
        if (holds(CollateralVar, truths[i])) held[i]++;
      });
    }
    // 95 % of 40 is 38 with a deviation of 1.4.
    for (const count of held.slice(1)) expect(count, `${held}`).toBeGreaterThanOrEqual(33);
  });

  it('has intervals of the stated coverage', { tags: ['slow'] }, async () => {
    const SEEDS = 400;
    const counts = new Map<string, number>();
    const planOf = (seed: number) => plainPlan(pair(0.8, 0.4, 0.5), seed, 16 * 2 ** 10, [10]);
    // The law is that of every seed.
    const tails = planOf(0).product.quantiles;
    const knowns = Array.from(tails, (_, i) => knownTails(planOf(0), 0, i));
    for (let seed = 0; seed < SEEDS; seed++) {
      const plan = planOf(seed);
      const outcome = await engine.run(atSobolPoints(plan));
      const figures = accuracyOf(atSobolPoints(plan), outcome)[0];
      figures.forEach((each, i) => {
        const known = knowns[i];
        for (const [value, name] of NAMED)
          for (const [figure, truth] of [
            [`${name}Var`, known[value].quantile],
            [`${name}CVar`, known[value].tailMean],
          ] as const) {
            const { low, high, method } = each[figure];
            expect(method).toBe('scrambles');
            const holds = low !== null && high !== null && low <= truth && truth <= high;
            const key = `${figure} at ${tails[i]}`;
            counts.set(key, (counts.get(key) ?? 0) + (holds ? 1 : 0));
          }
      });
    }
    // 95 % of 400 is 380 with a deviation of 4.4: from 360 to 398 is 4.5 of them.
    for (const [figure, count] of counts) {
      expect(count, `${figure}: ${count} of ${SEEDS}`).toBeGreaterThanOrEqual(360);
      expect(count, `${figure}: ${count} of ${SEEDS}`).toBeLessThanOrEqual(398);
    }
    expect(counts.size).toBe(12);
  });
});
