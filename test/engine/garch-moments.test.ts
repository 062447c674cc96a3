/**
 * Simulated GARCH against the closed forms of its moments, and E[S_T] = 1 for every Monte Carlo model.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import type {
  GarchScenarios,
  GbmScenarios,
  LoanProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import {
  expectedSquaredVariance,
  expectedVariance,
  kurtosis,
  squaresAutocorrelation,
  unconditionalVariance,
} from '../support/closed-forms/garch-moments.ts';
import { DAYS_PER_BLOCK, GarchShocks } from '../support/garch-shocks.ts';
import { meanWithError } from '../support/mean-with-error.ts';
import { Dice, randomGarch } from '../support/random-plans.ts';
import { ZScores } from '../support/standard-errors.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(2);

const SETS = 24;

/** One asset of moderate persistence: alpha + beta below 0.9, so that its fourth powers have a variance too. */
function moderateGarch(dice: Dice): GarchScenarios {
  const alpha = dice.between(0.04, 0.11);
  const beta = dice.between(0.5, 0.77);
  const daily = dice.between(0.0002, 0.004);
  return {
    kind: 'garch',
    assets: 1,
    omega: Float64Array.of(daily * (1 - alpha - beta)),
    alpha: Float64Array.of(alpha),
    beta: Float64Array.of(beta),
    firstVariance: Float64Array.of(daily * dice.between(0.3, 3)),
    factor: Float64Array.of(1),
    volatilityScale: 1,
  };
}

/** The coefficients of asset i. */
function coefficients({ omega, alpha, beta }: GarchScenarios, i: number) {
  return { omega: omega[i], alpha: alpha[i], beta: beta[i] };
}

describe('simulated GARCH paths', () => {
  it('have one variance through a day, which the shock of the whole day updates', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const scenarios = randomGarch(new Dice(seed), 3);
      const shocks = new GarchShocks(scenarios, seed, 2);
      for (let path = 0; path < 20; path++) {
        shocks.simulate(path);
        shocks.assets.forEach(({ hourlyVariance, daily, variance }, i) => {
          const { omega, alpha, beta } = coefficients(scenarios, i);
          const errors = {
            firstDay: Math.abs(variance[0] - scenarios.firstVariance[i]),
            withinDay: largest(hourlyVariance.map((h, t) => h - variance[Math.floor(t / 24)])),
            nextDay: largest(
              daily.map((e, day) =>
                day === daily.length - 1
                  ? 0
                  : variance[day + 1] - (omega + alpha * e * e + beta * variance[day]),
              ),
            ),
          };
          // A variance is a difference of log prices of size 1, times 24: 1e-14, with a factor of ten in hand.
          const told = `seed ${seed}, path ${path}, asset ${i}: ${JSON.stringify(errors)}`;
          expect(Math.max(...Object.values(errors)), told).toBeLessThan(1e-13);
        });
      }
    }
  });

  it('draw standard normals in every hour of the day', () => {
    const paths = 400;
    const scenarios = randomGarch(new Dice(11), 2);
    const shocks = new GarchShocks(scenarios, 5, 1);
    const sums = Array.from({ length: 2 * 24 }, () => ({ n: 0, first: 0, second: 0, fourth: 0 }));
    for (let path = 0; path < paths; path++) {
      shocks.simulate(path);
      shocks.assets.forEach(({ hourly, hourlyVariance }, i) => {
        hourly.forEach((e, t) => {
          const z2 = e ** 2 / (hourlyVariance[t] / 24);
          const sum = sums[24 * i + (t % 24)];
          sum.n++;
          sum.first += Math.sign(e) * Math.sqrt(z2);
          sum.second += z2;
          sum.fourth += z2 * z2;
        });
      });
    }
    const mean = new ZScores('mean of an hour');
    const variance = new ZScores('variance of an hour');
    const fourth = new ZScores('fourth moment of an hour');
    sums.forEach(({ n, first, second, fourth: fourthPowers }, k) => {
      const told = `asset ${Math.floor(k / 24)}, hour ${k % 24}`;
      mean.add(first / n, 0, 1 / Math.sqrt(n), told);
      variance.add(second / n, 1, Math.sqrt(2 / n), told);
      fourth.add(fourthPowers / n, 3, Math.sqrt(96 / n), told);
    });
    for (const scores of [mean, variance, fourth]) scores.judge();
  });

  it('have the forecast variance on every day', () => {
    const paths = 3000;
    const days = [1, 2, 5, 15, 40];
    const scores = new ZScores('variance of a day');
    for (let seed = 1; seed <= SETS; seed++) {
      const scenarios = moderateGarch(new Dice(seed));
      const model = coefficients(scenarios, 0);
      const first = scenarios.firstVariance[0];
      const shocks = new GarchShocks(scenarios, seed, 1);
      const squares = new Float64Array(DAYS_PER_BLOCK);
      for (let path = 0; path < paths; path++) {
        shocks.simulate(path);
        shocks.assets[0].daily.forEach((e, day) => {
          squares[day] += (e * e) / paths;
        });
      }
      for (const day of days) {
        const truth = expectedVariance(model, first, day);
        const spread = Math.sqrt(3 * expectedSquaredVariance(model, first, day) - truth * truth);
        const told = JSON.stringify({ seed, day, first, ...model });
        scores.add(squares[day - 1], truth, spread / Math.sqrt(paths), told);
      }
    }
    scores.judge();
  });

  it('converge to the unconditional variance, kurtosis and autocorrelation of squares', () => {
    const paths = 600;
    const blocks = 5;
    // 0.88^120 = 2e-7: the first variance is forgotten.
    const settled = 3 * DAYS_PER_BLOCK;
    const lags = [1, 2, 5, 10];
    const variances = new ZScores('unconditional variance');
    const kurtoses = new ZScores('kurtosis');
    const correlations = new ZScores('autocorrelation of squares');
    for (let seed = 101; seed < 101 + SETS; seed++) {
      const scenarios = moderateGarch(new Dice(seed));
      const model = coefficients(scenarios, 0);
      const variance = unconditionalVariance(model);
      const peak = kurtosis(model);
      const shocks = new GarchShocks(scenarios, seed, blocks);
      // One figure per path, the mean over its days: paths are independent, days are not.
      const second = new Float64Array(paths);
      const fourth = new Float64Array(paths);
      const products = lags.map(() => new Float64Array(paths));
      for (let path = 0; path < paths; path++) {
        shocks.simulate(path);
        const u = shocks.assets[0].daily.subarray(settled).map(e => (e * e) / variance);
        second[path] = meanOf(u);
        fourth[path] = meanOf(u.map(x => x * x));
        lags.forEach((lag, k) => {
          const late = u.subarray(lag);
          products[k][path] = meanOf(late.map((x, t) => (x - 1) * (u[t] - 1))) / (peak - 1);
        });
      }
      const told = JSON.stringify({ seed, ...model });
      const compare = (scores: ZScores, values: Float64Array, truth: number, what: string) => {
        const { mean, standardError } = meanWithError(values);
        scores.add(mean, truth, standardError, `${what} ${told}`);
      };
      compare(variances, second, 1, '');
      compare(kurtoses, fourth, peak, '');
      lags.forEach((lag, k) => {
        compare(correlations, products[k], squaresAutocorrelation(model, lag), `lag ${lag}`);
      });
    }
    for (const scores of [variances, kurtoses, correlations]) scores.judge();
  });

  it('correlate the standardised shocks of two assets on the same day, and nothing else', () => {
    const paths = 400;
    const n = paths * DAYS_PER_BLOCK;
    const together = new ZScores('correlation of two assets');
    const apart = new ZScores('correlation across days');
    for (let seed = 1; seed <= SETS; seed++) {
      const scenarios = randomGarch(new Dice(200 + seed), 2);
      const rho = scenarios.factor[2];
      const shocks = new GarchShocks(scenarios, seed, 1);
      let same = 0;
      let nextDay = 0;
      for (let path = 0; path < paths; path++) {
        shocks.simulate(path);
        const [z, w] = shocks.assets.map(({ daily, variance }) =>
          daily.map((e, day) => e / Math.sqrt(variance[day])),
        );
        for (let day = 0; day < DAYS_PER_BLOCK; day++) {
          same += z[day] * w[day];
          // Around the end of the path, so that every day is used.
          nextDay += z[day] * w[(day + 1) % DAYS_PER_BLOCK];
        }
      }
      const told = JSON.stringify({ seed, rho });
      together.add(same / n, rho, Math.sqrt((1 + rho * rho) / n), told);
      apart.add(nextDay / n, 0, Math.sqrt((1 + (rho * rho) / DAYS_PER_BLOCK) / n), told);
    }
    together.judge();
    apart.judge();
  });
});

function largest(differences: Float64Array): number {
  return differences.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** A basket of the first n assets against one whose price never moves; L far below, so that no path ends early. */
function againstConstant(
  scenarios: GbmScenarios | GarchScenarios,
  weights: readonly number[],
  steps: number,
): SimulationPlan<LoanProduct> {
  const n = weights.length;
  const grow = (values: Float64Array) => Float64Array.of(...values, 0);
  const factor = new Float64Array((n + 1) ** 2);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) factor[i * (n + 1) + j] = scenarios.factor[i * n + j];
  }
  factor[(n + 1) ** 2 - 1] = scenarios.kind === 'garch' ? 1 : 0;
  const grown =
    scenarios.kind === 'gbm'
      ? { ...scenarios, assets: n + 1, annualVolatility: grow(scenarios.annualVolatility), factor }
      : {
          ...scenarios,
          assets: n + 1,
          omega: grow(scenarios.omega),
          alpha: grow(scenarios.alpha),
          beta: grow(scenarios.beta),
          firstVariance: grow(scenarios.firstVariance),
          factor,
        };
  return {
    seed: steps,
    paths: 8000,
    scenarios: grown,
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: Float64Array.of(...weights, 0),
        loanWeights: Float64Array.of(...weights.map(() => 0), 1),
      },
      steps,
      topUpSteps: 0,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.1,
      recoveryRatio: 1.5,
    },
  };
}

describe('simulated prices', () => {
  it.each(['gbm', 'garch'] as const)('are martingales under %s, whatever the shock', async kind => {
    const scores = new ZScores(`E[C_T] under ${kind}`);
    for (let seed = 1; seed <= SETS; seed++) {
      const dice = new Dice(3000 + seed);
      const n = dice.whole(1, 3);
      const share = dice.between(0.2, 0.8);
      const weights = [[1], [share, 1 - share], [share, 0.5 - share / 2, 0.5 - share / 2]][n - 1];
      const garch = randomGarch(dice, n);
      const annualVolatility = Float64Array.from({ length: n }, () => dice.between(0.2, 1.5));
      const factor = garch.factor.map((a, k) => a * annualVolatility[Math.floor(k / n)]);
      const scenarios = kind === 'garch' ? garch : { kind, assets: n, annualVolatility, factor };
      const plan = againstConstant(scenarios, weights, dice.whole(1, 400));
      const { finalRatio } = await engine.trace(plan);
      const { mean, standardError } = meanWithError(finalRatio);
      const told = JSON.stringify({ seed, steps: plan.product.steps, weights, scenarios });
      scores.add(mean, 1, standardError, told);
    }
    scores.judge();
  });

  it('have the volatility shock in the variance of GARCH, and not in its recursion', async () => {
    // The last day's moves at three scales lie on one parabola through 0: s e - s^2 h / 2.
    const base = randomGarch(new Dice(77), 1);
    const finals = async (scale: number, days: number) => {
      const plan = againstConstant({ ...base, volatilityScale: scale }, [1], 24 * days);
      const { finalRatio } = await engine.trace({ ...plan, seed: 9, paths: 200 });
      return finalRatio.map(Math.log);
    };
    const moves = async (scale: number) => {
      const [before, after] = await Promise.all([finals(scale, 9), finals(scale, 10)]);
      return after.map((x, p) => x - before[p]);
    };
    const [half, one, two] = await Promise.all([moves(0.5), moves(1), moves(2)]);
    half.forEach((move, p) => {
      const h = 2 * one[p] - two[p];
      const e = one[p] + h / 2;
      expect(h, `path ${p}`).toBeGreaterThan(0);
      expect(Math.abs(move - (e / 2 - h / 8)), `path ${p}: ${JSON.stringify(base)}`).toBeLessThan(1e-13);
    });
  });
});
