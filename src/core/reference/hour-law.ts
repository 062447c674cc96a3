/** The law of the hours of each market model, in double precision: days of multipliers, variances and residuals as the paths have them. */
import type { HourLaw } from '../account/hour-law.ts';
import { HOURS_PER_DAY, HOURS_PER_YEAR } from '../plan/grid.ts';
import type { BootstrapScenarios } from '../plan/model/bootstrap.ts';
import type { FilteredHistoricalScenarios } from '../plan/model/filtered-historical.ts';
import type { GarchScenarios } from '../plan/model/garch.ts';
import type { HistoricalScenarios } from '../plan/model/historical.ts';
import type { StudentTScenarios } from '../plan/model/student-t.ts';
import type { ModelKind, ModelTypes, Scenarios } from '../plan/models.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import { CorrelatedDraws } from './asset-paths.ts';
import { ResidualDays } from './filtered-historical-paths.ts';
import { DailyMultipliers } from './student-t-paths.ts';

type Prices = readonly Float64Array[];

const SQRT_HOURS = Math.sqrt(HOURS_PER_DAY);

/** Correlations of the rows of a factor, whose lengths are deviations. */
function fromFactor(factor: Float64Array, n: number) {
  const covariance = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = 0; k <= Math.min(i, j); k++)
        covariance[i * n + j] += factor[i * n + k] * factor[j * n + k];
  return fromCovariance(covariance, n);
}

function fromCovariance(covariance: Float64Array, n: number) {
  const deviation = Float64Array.from({ length: n }, (_, i) => Math.sqrt(covariance[i * n + i]));
  const correlation = covariance.map((value, k) => {
    const scale = deviation[Math.floor(k / n)] * deviation[k % n];
    return scale === 0 ? 0 : value / scale;
  });
  return { deviation, correlation };
}

/** Of a sample of rows of n numbers. */
function ofRows(rows: Float64Array, n: number) {
  const count = rows.length / n;
  const mean = new Float64Array(n);
  for (let k = 0; k < rows.length; k++) mean[k % n] += rows[k] / count;
  const covariance = new Float64Array(n * n);
  for (let row = 0; row < rows.length; row += n)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        covariance[i * n + j] += ((rows[row + i] - mean[i]) * (rows[row + j] - mean[j])) / count;
  return fromCovariance(covariance, n);
}

/** Normals by the generator, of which the hours of the paths are made. */
function drawnNormals(seed: number, factor: Float64Array, n: number) {
  const unit = factor.map((value, k) => {
    const row = Math.floor(k / n) * n;
    const length = Math.hypot(...factor.subarray(row, row + n));
    return length === 0 ? 0 : value / length;
  });
  const draws = new CorrelatedDraws(seed, unit, n);
  const block = Array.from({ length: n }, () => new Float64Array(BLOCK_STEPS));
  return (path: number, steps: number, z: Prices) => {
    for (let first = 0; first < steps; first += BLOCK_STEPS) {
      const count = Math.min(BLOCK_STEPS, steps - first);
      draws.fill(path, first, count, block);
      for (let i = 0; i < n; i++) z[i].set(block[i].subarray(0, count), first);
    }
  };
}

/** Returns over a deviation: of models whose hours are not made of normals. */
function standardised(prices: Prices, deviation: Float64Array, steps: number, z: Prices): void {
  for (let i = 0; i < z.length; i++) {
    let before = 1;
    for (let t = 0; t < steps; t++) {
      z[i][t] = deviation[i] === 0 ? 0 : Math.log(prices[i][t] / before) / deviation[i];
      before = prices[i][t];
    }
  }
}

/** One covariance for all hours. */
function constantLaw(
  { deviation, correlation }: ReturnType<typeof fromFactor>,
  normals?: ReturnType<typeof drawnNormals>,
): HourLaw {
  let path = 0;
  let prices: Prices = [];
  return {
    correlation,
    scale: deviation,
    isOfNormals: normals !== undefined,
    start(number, ofPath) {
      path = number;
      prices = ofPath;
    },
    deviations: () => deviation,
    normals(steps, z) {
      if (normals === undefined) standardised(prices, deviation, steps, z);
      else normals(path, steps, z);
    },
  };
}

/** Deviations that change by the day. @param next deviations of a day, in rising order */
function dailyLaw(
  factor: Float64Array,
  n: number,
  seed: number,
  begin: (path: number, prices: Prices) => void,
  next: (day: number, deviations: Float64Array) => void,
  scale = new Float64Array(n).fill(1),
): HourLaw {
  const { correlation } = fromFactor(factor, n);
  const draw = drawnNormals(seed, factor, n);
  const deviations = new Float64Array(n);
  let path = 0;
  let day = -1;
  return {
    correlation,
    scale,
    isOfNormals: true,
    start(number, prices) {
      path = number;
      day = -1;
      begin(number, prices);
    },
    deviations(wanted) {
      while (day < wanted) next(++day, deviations);
      return deviations;
    },
    normals: (steps, z) => draw(path, steps, z),
  };
}

const hourly = (factor: Float64Array) => factor.map(value => value / Math.sqrt(HOURS_PER_YEAR));

function studentLaw(scenarios: StudentTScenarios, seed: number): HourLaw {
  const { factor, assets } = scenarios;
  const { deviation } = fromFactor(hourly(factor), assets);
  const multipliers = new DailyMultipliers(scenarios, seed);
  return dailyLaw(
    factor,
    assets,
    seed,
    path => multipliers.start(path),
    (day, deviations) => {
      const root = Math.sqrt(multipliers.of(day));
      for (let i = 0; i < assets; i++) deviations[i] = root * deviation[i];
    },
    deviation,
  );
}

function filteredLaw(scenarios: FilteredHistoricalScenarios, seed: number): HourLaw {
  const days = new ResidualDays(scenarios, seed);
  return dailyLaw(
    scenarios.factor,
    scenarios.assets,
    seed,
    path => days.start(path),
    (day, deviations) => {
      if (day > 0) days.end();
      days.begin(day);
      for (let i = 0; i < scenarios.assets; i++) deviations[i] = days.deviation(i) / SQRT_HOURS;
    },
  );
}

/** The variance of a day follows from the returns of the day before. */
function garchLaw(scenarios: GarchScenarios, seed: number): HourLaw {
  const { assets, omega, alpha, beta, firstVariance, volatilityScale, factor } = scenarios;
  const variance = new Float64Array(assets);
  let prices: Prices = [];
  const at = (i: number, hour: number) => (hour === 0 ? 1 : prices[i][hour - 1]);
  return dailyLaw(
    factor,
    assets,
    seed,
    (_, ofPath) => {
      prices = ofPath;
      variance.set(firstVariance);
    },
    (day, deviations) => {
      for (let i = 0; i < assets; i++) {
        if (day > 0) {
          const moved = Math.log(at(i, HOURS_PER_DAY * day) / at(i, HOURS_PER_DAY * (day - 1)));
          const shock =
            volatilityScale === 0 ? 0 : (moved + (volatilityScale ** 2 * variance[i]) / 2) / volatilityScale;
          variance[i] = omega[i] + alpha[i] * shock * shock + beta[i] * variance[i];
        }
        deviations[i] = (volatilityScale * Math.sqrt(variance[i])) / SQRT_HOURS;
      }
    },
  );
}

function bootstrapLaw({ rows, assets, stepsPerRow, deviation, factor }: BootstrapScenarios): HourLaw {
  if (stepsPerRow === 1) return constantLaw(ofRows(rows, assets));
  const { correlation } = fromFactor(factor, assets);
  return constantLaw({ correlation, deviation: deviation.map(daily => daily / SQRT_HOURS) });
}

function historicalLaw({ prices, assets }: HistoricalScenarios): HourLaw {
  const count = prices[0].length - 1;
  const rows = new Float64Array(count * assets);
  for (let t = 0; t < count; t++)
    for (let i = 0; i < assets; i++) rows[t * assets + i] = Math.log(prices[i][t + 1] / prices[i][t]);
  return constantLaw(ofRows(rows, assets));
}

function noLaw(): never {
  throw new RangeError('the model has no hours of accounts');
}

const LAWS: { readonly [M in ModelKind]: (scenarios: ModelTypes[M], seed: number) => HourLaw } = {
  gbm: ({ factor, assets }, seed) =>
    constantLaw(fromFactor(hourly(factor), assets), drawnNormals(seed, factor, assets)),
  'gbm-sobol': noLaw,
  'gbm-shifted': noLaw,
  garch: garchLaw,
  historical: historicalLaw,
  'student-t': studentLaw,
  'filtered-historical': filteredLaw,
  bootstrap: bootstrapLaw,
};

/** The hours of the paths of a seed under a model. */
export const hourLaw = (scenarios: Scenarios, seed: number): HourLaw =>
  (LAWS[scenarios.kind] as (scenarios: Scenarios, seed: number) => HourLaw)(scenarios, seed);
