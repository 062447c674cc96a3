/** Tests of forecasts of expected shortfall: FZ0 and the tests by regression, against plain forms of their definitions. */
import { describe, expect, it } from 'vitest';
import { esrTests } from '#src/core/stats/shortfall/esr.js';
import { compareScores, fz0Scores, longRunVariance } from '#src/core/stats/shortfall/fz0.js';
import { quantileLine } from '#src/core/stats/shortfall/quantile-line.js';
import { regressShortfall, shortfallCovariance } from '#src/core/stats/shortfall/regression.js';
import { shortfallTests } from '#src/core/stats/shortfall/tests.js';
import { normalCdf } from '#src/core/stats/special-functions.js';
import { normals } from '../../support/simulated-garch.ts';
import { mean, PROBABILITY, SHORTFALL, simulated } from '../../support/simulated-tails.ts';

describe('FZ0', () => {
  it('is the score of its definition', () => {
    const judged = { ...simulated(2, 1), returns: Float64Array.of(-0.08, 0.01) };
    const [v, e] = [judged.levels, judged.shortfalls];
    const scores = fz0Scores(judged);
    expect(scores[0]).toBeCloseTo(-(v[0] + 0.08) / (0.05 * e[0]) + v[0] / e[0] + Math.log(-e[0]) - 1, 12);
    expect(scores[1]).toBeCloseTo(v[1] / e[1] + Math.log(-e[1]) - 1, 12);
  });

  it('is lowest for the right forecast', () => {
    const scores = [0.8, 0.9, 1, 1.1, 1.25].map(factor => mean(fz0Scores(simulated(40_000, 2, factor))));
    expect(Math.min(...scores)).toBe(scores[2]);
  });

  it('refuses forecasts that are no losses, and scores of other days', () => {
    const judged = simulated(3, 1);
    expect(() => fz0Scores({ ...judged, levels: judged.levels.with(1, 0) })).toThrow(
      'shortfall <= level < 0',
    );
    expect(() => compareScores(new Float64Array(2), new Float64Array(3))).toThrow('2 and 3 scores');
  });

  it.each([
    [1, 0],
    [2, 1],
    [40, 3],
    [100, 4],
    [101, 4],
    [300, 5],
    [1000, 6],
  ])('has the variance of %i days by Bartlett weights up to lag %i', (count, lags) => {
    const draw = normals(count);
    const values = Float64Array.from({ length: count }, () => draw() / 1000);
    const centre = mean(values);
    let sum = 0;
    values.forEach((a, i) => {
      values.forEach((b, k) => {
        sum += Math.max(0, 1 - Math.abs(i - k) / (lags + 1)) * (a - centre) * (b - centre);
      });
    });
    expect(longRunVariance(values)).toBeCloseTo(sum / count, 16);
    const other = values.map(value => value / 2);
    const { t } = compareScores(values, other);
    if (count > 2)
      expect(t).toBeCloseTo((mean(values) / 2 / Math.sqrt(sum / count / 4)) * Math.sqrt(count), 9);
  });

  it('compares by the mean difference over the error of Newey and West', () => {
    const [first, second] = [simulated(300, 3), simulated(300, 3, 0.7)].map(fz0Scores);
    const { difference, t } = compareScores(first, second);
    expect(difference).toBeCloseTo(mean(first) - mean(second), 12);
    // Lag 5 of 300 days: every pair of days at once.
    const d = first.map((score, i) => score - second[i] - difference);
    let sum = 0;
    d.forEach((a, i) => {
      d.forEach((b, k) => {
        sum += Math.max(0, 1 - Math.abs(i - k) / 6) * a * b;
      });
    });
    expect(t).toBeCloseTo(difference / Math.sqrt(sum / 300 / 300), 9);
    expect(compareScores(first, first)).toEqual({ difference: 0, t: undefined });
    expect(longRunVariance(Float64Array.of(3))).toBe(0);
  });
});

describe('The quantile line', () => {
  it.each([0.05, 0.3])('at %d is the best of all lines through two points', probability => {
    const draw = normals(11);
    const x = Float64Array.from({ length: 60 }, () => -0.02 - 0.05 * Math.abs(draw()));
    const y = x.map(value => -value * draw());
    const weights = x.map(value => -1 / value);
    const loss = (intercept: number, slope: number) =>
      x.reduce((sum, value, i) => {
        const distance = y[i] - intercept - slope * value;
        return sum + weights[i] * distance * (probability - (distance < 0 ? 1 : 0));
      }, 0);
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 60; i++)
      for (let k = 0; k < i; k++) {
        const slope = (y[i] - y[k]) / (x[i] - x[k]);
        best = Math.min(best, loss(y[i] - slope * x[i], slope));
      }
    const { intercept, slope } = quantileLine(x, y, weights, probability, true);
    expect(loss(intercept, slope) / best).toBeCloseTo(1, 8);
    const constant = quantileLine(x, y, weights, probability, false);
    expect(constant.slope).toBe(0);
    const flat = Math.min(...Array.from(y, value => loss(value, 0)));
    expect(loss(constant.intercept, 0) / flat).toBeCloseTo(1, 10);
  });
});

interface StraightLine {
  readonly intercept: number;
  readonly slope: number;
}

/** Mean of FZ0 of two lines; infinite where one is not below 0 at a forecast. */
const scoreOf =
  (returns: Float64Array, forecasts: Float64Array) => (quantile: StraightLine, shortfall: StraightLine) => {
    let sum = 0;
    for (let t = 0; t < returns.length; t++) {
      const v = quantile.intercept + quantile.slope * forecasts[t];
      const e = shortfall.intercept + shortfall.slope * forecasts[t];
      if (v >= 0 || e >= 0) return Number.POSITIVE_INFINITY;
      sum += v / e - Math.max(0, v - returns[t]) / (PROBABILITY * e) + Math.log(-e) - 1;
    }
    return sum / returns.length;
  };

/**
 * Least score over every quantile line through two of the days with the lowest returns for their forecast, or parallel to the forecast
 * through one of them: the score has its minima on such lines. The line of shortfalls by a search in ever smaller steps.
 */
function leastScore(returns: Float64Array, forecasts: Float64Array, freeSlope: boolean): number {
  const score = scoreOf(returns, forecasts);
  const centre = mean(forecasts);
  const ratio = (t: number) => returns[t] / forecasts[t];
  const near = Array.from(returns.keys())
    .sort((i, k) => ratio(k) - ratio(i))
    .slice(0, 40);
  const lineThrough = (i: number, slope: number) => ({ intercept: returns[i] - slope * forecasts[i], slope });
  const quantiles = near.flatMap((i, rank) =>
    freeSlope
      ? near
          .slice(0, rank)
          .map(k => lineThrough(i, (returns[i] - returns[k]) / (forecasts[i] - forecasts[k])))
      : [lineThrough(i, 1)],
  );
  let best = Number.POSITIVE_INFINITY;
  for (const quantile of quantiles) {
    const below = returns.filter((y, t) => y <= quantile.intercept + quantile.slope * forecasts[t]).length;
    if (Math.abs(below / (PROBABILITY * returns.length) - 1) > 0.5) continue;
    const of = ([level, slope]: readonly number[]) =>
      score(quantile, { intercept: level - slope * centre, slope });
    let [at, least] = [[centre, 1], of([centre, 1])];
    for (let step = 0.5; step > 1e-7; ) {
      const moves = [-step, step].flatMap(by => [
        [at[0] + by * centre, at[1]],
        ...(freeSlope ? [[at[0], at[1] + by]] : []),
      ]);
      const next = moves.find(move => of(move) < least);
      if (next === undefined) step /= 2;
      else [at, least] = [next, of(next)];
    }
    best = Math.min(best, least);
  }
  return best;
}

describe('The regression of shortfalls', () => {
  it.each([true, false])('has the least mean score of all lines near it; free slope: %s', freeSlope => {
    const { returns, shortfalls } = simulated(1200, 12);
    const found = regressShortfall(returns, shortfalls, PROBABILITY, freeSlope);
    if (found === undefined) throw new Error('not determined');
    const score = (moved: readonly number[]) =>
      mean(
        returns.map((y, t) => {
          const at = ({ intercept, slope }: { intercept: number; slope: number }, k: number) =>
            intercept + moved[k] + (slope + moved[k + 1]) * shortfalls[t];
          const [v, e] = [at(found.quantile, 0), at(found.shortfall, 2)];
          return (y <= v ? -(v - y) / (PROBABILITY * e) : 0) + v / e + Math.log(-e) - 1;
        }),
      );
    const least = score([0, 0, 0, 0]);
    for (const size of [1e-5, 1e-3, 0.02])
      for (let k = 0; k < 4; k++)
        for (const sign of [-1, 1]) {
          if (!freeSlope && k % 2 === 1) continue;
          const moved = [0, 0, 0, 0];
          moved[k] = sign * size * (k % 2 === 0 ? 0.05 : 1);
          expect(score(moved), `${moved}`).toBeGreaterThan(least - 1e-9);
        }
    if (!freeSlope) expect([found.quantile.slope, found.shortfall.slope]).toEqual([1, 1]);
  });

  /** Means of the slope of the score by the constant and by the slope of the line of shortfalls, over their mean sizes. */
  const slopesOf = (days: number, seed: number, factor: number, probability: number, freeSlope: boolean) => {
    const { returns, shortfalls } = simulated(days, seed, factor);
    const found = regressShortfall(returns, shortfalls, probability, freeSlope);
    if (found === undefined) throw new Error('not determined');
    const { quantile, shortfall } = found;
    const slopes = returns.map((y, t) => {
      const v = quantile.intercept + quantile.slope * shortfalls[t];
      const e = shortfall.intercept + shortfall.slope * shortfalls[t];
      // By e: z / e + ln(-e) with z = v less the excess over a.
      return 1 / e - (v - Math.max(0, v - y) / probability) / e ** 2;
    });
    const steep = slopes.map((each, t) => each * shortfalls[t]);
    return [slopes, steep].map(each => Math.abs(mean(each)) / mean(each.map(Math.abs)));
  };

  it.each([true, false])('has no slope of the score in its line of shortfalls; free slope: %s', freeSlope => {
    const [constant, slope] = slopesOf(1200, 12, 0.7, PROBABILITY, freeSlope);
    expect(constant).toBeLessThan(1e-7);
    if (freeSlope) expect(slope).toBeLessThan(1e-7);
  });

  it.each([21, 51, 73, 100])('arrives where whole steps swing around the least score: seed %i', seed => {
    const [constant, slope] = slopesOf(25, seed, 1, 0.4, true);
    expect(constant).toBeLessThan(1e-7);
    expect(slope).toBeLessThan(1e-7);
  });

  it.each([
    [43, true],
    [96, true],
    [135, true],
    [284, false],
  ])(
    'has the least score of all lines where there are several minima: seed %i; free slope: %s',
    (seed, freeSlope) => {
      const draw = normals(seed);
      const deviation = Float64Array.from({ length: 250 }, (_, t) => 0.03 * (1 + 0.5 * Math.sin(t / 20)));
      const returns = deviation.map(s => s * draw());
      // Forecasts with an error of 0.3 in their logarithm.
      const forecasts = deviation.map(s => s * SHORTFALL * Math.exp(0.3 * draw()));
      const found = regressShortfall(returns, forecasts, PROBABILITY, freeSlope);
      if (found === undefined) throw new Error('not determined');
      const score = scoreOf(returns, forecasts)(found.quantile, found.shortfall);
      expect(score - leastScore(returns, forecasts, freeSlope)).toBeLessThan(1e-9);
    },
  );

  it('has the covariance of weighted least squares, of the intercept alone where the slope is fixed', () => {
    const shortfalls = Float64Array.of(-0.02, -0.05, -0.03);
    const levels = Float64Array.of(-0.01, -0.04, -0.025);
    const spreads = Float64Array.of(0.004, 0.01, 0.006);
    const judged = { returns: new Float64Array(3), levels, shortfalls, spreads, probability: 0.1 };
    const sum = (power: number, of: (t: number) => number) =>
      [0, 1, 2].reduce((total, t) => total + of(t) * shortfalls[t] ** power, 0);
    const weight = (t: number) => shortfalls[t] ** -2;
    const variance = (t: number) => (spreads[t] ** 2 + 0.9 * (levels[t] - shortfalls[t]) ** 2) / 0.1;
    const [a0, a1, a2] = [0, 1, 2].map(power => sum(power, weight));
    const [b0, b1, b2] = [0, 1, 2].map(power => sum(power, t => weight(t) ** 2 * variance(t)));
    const inverse = [a2, -a1, -a1, a0].map(each => each / (a0 * a2 - a1 * a1));
    const product = ([a, b, c, d]: number[], [e, f, g, h]: number[]) => [
      a * e + b * g,
      a * f + b * h,
      c * e + d * g,
      c * f + d * h,
    ];
    const [ofIntercept, between, , ofSlope] = product(product(inverse, [b0, b1, b1, b2]), inverse);
    const got = shortfallCovariance(judged, true) ?? [];
    [ofIntercept, between, ofSlope].forEach((each, i) => {
      expect(got[i] / each, `${i}`).toBeCloseTo(1, 9);
    });
    const [fixed, ...others] = shortfallCovariance(judged, false) ?? [];
    expect(Number(fixed) / (b0 / a0 ** 2)).toBeCloseTo(1, 12);
    expect(others).toEqual([0, 0]);
    // All alike, and without a spread.
    const alike = { ...judged, shortfalls: new Float64Array(3).fill(-0.05) };
    expect(shortfallCovariance(alike, true)).toBeUndefined();
    expect(shortfallCovariance(alike, false)).toBeDefined();
    expect(
      shortfallCovariance({ ...judged, levels: shortfalls, spreads: new Float64Array(3) }, false),
    ).toBeUndefined();
  });

  it('has lines whose spread over samples is that of its covariance', { tags: ['slow'] }, () => {
    const samples = 150;
    const found = Array.from({ length: samples }, (_, k) => {
      const { returns, shortfalls } = simulated(1000, 100 + k);
      return (
        regressShortfall(returns, shortfalls, PROBABILITY, true)?.shortfall ?? { intercept: 0, slope: 0 }
      );
    });
    const covariance = shortfallCovariance(simulated(1000, 1), true);
    if (covariance === undefined) throw new Error('not determined');
    for (const [name, variance] of [
      ['intercept', covariance[0]],
      ['slope', covariance[2]],
    ] as const) {
      const values = found.map(line => line[name]);
      const truth = name === 'slope' ? 1 : 0;
      const square = mean(values.map(value => (value - truth) ** 2));
      // A mean square of 150 samples: a deviation of an eighth, and lines of finite samples are a little wider.
      expect(square / variance, name).toBeGreaterThan(0.65);
      expect(square / variance, name).toBeLessThan(1.5);
    }
  });
});

describe('The tests by regression', () => {
  it('pass right forecasts, and reject those of half the volatility or twice', () => {
    const right = esrTests(simulated(2000, 21));
    expect(right.strict?.pValue).toBeGreaterThan(0.01);
    expect(right.intercept?.pValue).toBeGreaterThan(0.01);
    const half = esrTests(simulated(2000, 21, 0.5));
    expect(half.strict?.pValue).toBeLessThan(1e-6);
    expect(half.intercept?.intercept).toBeLessThan(0);
    expect(half.intercept?.oneSidedPValue).toBeLessThan(1e-6);
    const double = esrTests(simulated(2000, 21, 2));
    expect(double.intercept?.pValue).toBeLessThan(1e-3);
    expect(double.intercept?.oneSidedPValue).toBeGreaterThan(0.999);
  });

  it('are those of the regressions and their covariances', () => {
    const judged = simulated(600, 5, 0.9);
    const { strict, intercept } = esrTests(judged);
    const lineOf = (free: boolean) =>
      regressShortfall(judged.returns, judged.shortfalls, judged.probability, free)?.shortfall;
    const line = lineOf(true);
    expect([strict?.intercept, strict?.slope]).toEqual([line?.intercept, line?.slope]);
    // v = covariance w, and the statistic is w v.
    const [aa = 0, ab = 0, bb = 0] = shortfallCovariance(judged, true) ?? [];
    const [a, b] = [Number(line?.intercept), Number(line?.slope) - 1];
    const second = (b - (ab / aa) * a) / (bb - (ab * ab) / aa);
    const first = (a - ab * second) / aa;
    const statistic = first * a + second * b;
    expect(Number(strict?.statistic) / statistic).toBeCloseTo(1, 9);
    expect(Number(strict?.pValue) / Math.exp(-statistic / 2)).toBeCloseTo(1, 9);
    const constant = Number(lineOf(false)?.intercept);
    const [variance = 0] = shortfallCovariance(judged, false) ?? [];
    const t = constant / Math.sqrt(variance);
    expect(intercept?.intercept).toBe(constant);
    expect(intercept?.t).toBeCloseTo(t, 12);
    expect(intercept?.oneSidedPValue).toBeCloseTo(normalCdf(t), 12);
    expect(intercept?.pValue).toBeCloseTo(2 * Math.min(normalCdf(t), normalCdf(-t)), 12);
    expect(() => esrTests({ ...judged, levels: judged.levels.with(1, 0) })).toThrow('shortfall <= level < 0');
  });

  it('are undefined where fewer than ten exceedances are expected or forecasts have no spread', () => {
    const none = { strict: undefined, intercept: undefined };
    expect(esrTests(simulated(199, 1))).toEqual(none);
    expect(esrTests(simulated(200, 1)).intercept).toBeDefined();
    expect(
      esrTests({
        ...simulated(400, 1),
        levels: simulated(400, 1).shortfalls,
        spreads: new Float64Array(400),
      }),
    ).toEqual(none);
  });

  it('have no strict form where all forecasts are the same', () => {
    const judged = simulated(800, 2);
    const same = (value: number) => new Float64Array(800).fill(value);
    const constant = { ...judged, levels: same(-0.05), shortfalls: same(-0.06), spreads: same(0.01) };
    const { strict, intercept } = esrTests(constant);
    expect(strict).toBeUndefined();
    expect(intercept?.pValue).toBeGreaterThanOrEqual(0);
  });
});

describe('The tests of a level', () => {
  it('are undefined where a forecast is no loss, and the comparison without another forecast', () => {
    const judged = simulated(300, 4);
    const key = { seed: 1, stream: 0 };
    const gain = { ...judged, levels: judged.levels.with(3, 0.01) };
    expect(shortfallTests({ judged: gain, gbm: undefined }, key)).toBeUndefined();
    expect(shortfallTests({ judged, gbm: undefined }, key)?.againstGbm).toBeUndefined();
    expect(shortfallTests({ judged, gbm: gain }, key)?.againstGbm).toBeUndefined();
    expect(shortfallTests({ judged, gbm: judged }, key)?.againstGbm).toEqual({ difference: 0, t: undefined });
  });
});
