/**
 * The models: docs/methodology.md, part 3 (Models), and the baskets of part 2 (Baskets).
 *
 * Takes: a plan with the parameters of its model, and the number of a path. Gives: prices hour by hour, and the weight of the path.
 */
import type { BootstrapScenarios } from '../plan/model/bootstrap.ts';
import type { FilteredHistoricalScenarios } from '../plan/model/filtered-historical.ts';
import type { GarchScenarios } from '../plan/model/garch.ts';
import type { GbmScenarios } from '../plan/model/gbm.ts';
import type { GbmShiftedScenarios } from '../plan/model/gbm-shifted.ts';
import type { HistoricalScenarios } from '../plan/model/historical.ts';
import type { StudentTScenarios } from '../plan/model/student-t.ts';
import type { Portfolio } from '../plan/portfolio.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { chiSquareQuantile, regularisedGamma } from '../stats/special-functions.ts';
import { normalsOfPath, wordOfDayOrRow } from './draws.ts';

const HOURS_PER_DAY = 24;
/** An hour in years. */
const DT = 1 / 8760;

/** Prices relative to the start: entry [t][i] is S_i(t) / S_i(0), t = 0..steps. */
export function pricesOnPath(
  { seed, scenarios }: Pick<SimulationPlan, 'seed' | 'scenarios'>,
  path: number,
  steps: number,
): number[][] {
  if (scenarios.kind === 'historical') return windowOfHistory(scenarios, path, steps);
  if (scenarios.kind === 'gbm-sobol') throw new RangeError('Sobol points have no hours');
  const normals = normalsOfPath(seed, path, steps, scenarios.assets);
  switch (scenarios.kind) {
    case 'gbm':
      return pricesOf(gbm(scenarios, shocksOf(scenarios, normals)));
    case 'gbm-shifted': {
      const shift = shiftOfNormals(scenarios);
      const moved = normals.map(z => z.map((zj, j) => zj + (path % 2) * shift[j]));
      return pricesOf(gbm(scenarios, shocksOf(scenarios, moved)));
    }
    case 'garch':
      return pricesOf(garch(scenarios, shocksOf(scenarios, normals)));
    case 'student-t':
      return pricesOf(studentT(scenarios, shocksOf(scenarios, normals), seed, path));
    case 'filtered-historical':
      return pricesOf(filteredHistorical(scenarios, shocksOf(scenarios, normals), seed, path));
    case 'bootstrap':
      return pricesOf(bootstrap(scenarios, shocksOf(scenarios, normals), seed, path));
  }
}

/** C_t and L_t, t = 0..steps: docs/methodology.md, "Baskets". */
export function basketsOnPath(
  plan: Pick<SimulationPlan, 'seed' | 'scenarios'> & {
    readonly product: { readonly portfolio: Portfolio; readonly liquidationWeights?: Float64Array };
  },
  path: number,
  steps: number,
): { collateral: number[]; loan: number[]; secured: number[] | undefined } {
  const prices = pricesOnPath(plan, path, steps);
  const { portfolio, liquidationWeights } = plan.product;
  return {
    collateral: basketOf(portfolio.collateralWeights, prices),
    loan: basketOf(portfolio.loanWeights, prices),
    secured: liquidationWeights && basketOf(liquidationWeights, prices),
  };
}

/** sum_i w_i S_i(t) / S_i(0) at each step. */
export function basketOf(weights: ArrayLike<number>, prices: readonly (readonly number[])[]): number[] {
  return prices.map(now => now.reduce((sum, price, i) => sum + weights[i] * price, 0));
}

/** Prices from log returns [t][i] of the steps 1..T. */
function pricesOf(logReturns: readonly (readonly number[])[]): number[][] {
  const logs = [(logReturns[0] ?? []).map(() => 0)];
  for (const returns of logReturns) logs.push(returns.map((x, i) => logs[logs.length - 1][i] + x));
  return logs.map(now => now.map(Math.exp));
}

/** sum_j F_ij Z_j of each step and asset. */
function shocksOf(
  { assets, factor }: { readonly assets: number; readonly factor: Float64Array },
  normals: readonly (readonly number[])[],
): number[][] {
  return normals.map(z => z.map((_, i) => z.reduce((sum, zj, j) => sum + factor[i * assets + j] * zj, 0)));
}

/** docs/methodology.md, "GBM" and docs/methodology.md, "GBM_VIX". The factor contains sigma. */
function gbm(
  { annualVolatility }: Pick<GbmScenarios, 'annualVolatility'>,
  shocks: readonly (readonly number[])[],
): number[][] {
  return shocks.map(now => now.map((y, i) => -(annualVolatility[i] ** 2 * DT) / 2 + Math.sqrt(DT) * y));
}

/** docs/methodology.md, "HISTORICAL": windows in the order of their ends. */
function windowOfHistory({ prices, lead }: HistoricalScenarios, path: number, steps: number): number[][] {
  const begin = lead + path - steps;
  return Array.from({ length: steps + 1 }, (_, t) => prices.map(series => series[begin + t] / series[begin]));
}

/** docs/methodology.md, "GARCH". */
function garch(scenarios: GarchScenarios, shocks: readonly (readonly number[])[]): number[][] {
  const { omega, alpha, beta, firstVariance, volatilityScale: s } = scenarios;
  const h = [...firstVariance];
  const e = h.map(() => 0);
  return shocks.map((now, t) => {
    const returns = now.map((y, i) => -(s * s * h[i]) / 48 + s * Math.sqrt(h[i] / HOURS_PER_DAY) * y);
    now.forEach((y, i) => {
      e[i] += Math.sqrt(h[i] / HOURS_PER_DAY) * y;
      if (t % HOURS_PER_DAY < HOURS_PER_DAY - 1) return;
      h[i] = omega[i] + alpha[i] * e[i] ** 2 + beta[i] * h[i];
      e[i] = 0;
    });
    return returns;
  });
}

/** docs/methodology.md, "STUDENT_T". */
function studentT(
  { annualVolatility, degreesOfFreedom }: StudentTScenarios,
  shocks: readonly (readonly number[])[],
  seed: number,
  path: number,
): number[][] {
  let W = 0;
  return shocks.map((now, t) => {
    if (t % HOURS_PER_DAY === 0)
      W = varianceOfDay(degreesOfFreedom, wordOfDayOrRow(seed, path, t / HOURS_PER_DAY));
    return now.map((y, i) => (-W * annualVolatility[i] ** 2 * DT) / 2 + Math.sqrt(W * DT) * y);
  });
}

/** W = c min(400, (nu - 2) / X), X the chi-square quantile of the word, c such that E W = 1. */
function varianceOfDay(nu: number, word: number): number {
  const X = chiSquareQuantile(nu, (word + 0.5) / 2 ** 32);
  // X is below `capped` where the cap applies; E[(nu - 2) / X; X > x] = P(Y > x), Y chi-square with nu - 2 degrees of freedom.
  const capped = (nu - 2) / 400;
  const meanOfCapped = 400 * regularisedGamma(nu / 2, capped / 2).lower;
  const meanOfOthers = regularisedGamma((nu - 2) / 2, capped / 2).upper;
  return Math.min(400, (nu - 2) / X) / (meanOfCapped + meanOfOthers);
}

/** docs/methodology.md, "FHS" and docs/methodology.md, "FHS_EVT", whose rows have Pareto tails. */
function filteredHistorical(
  scenarios: FilteredHistoricalScenarios,
  shocks: readonly (readonly number[])[],
  seed: number,
  path: number,
): number[][] {
  const { assets, rows, omega, alpha, beta, firstVariance, volatilityScale } = scenarios;
  const h = [...firstVariance];
  const returns = shocks.map(now => [...now]);
  for (let first = 0; first < shocks.length; first += HOURS_PER_DAY) {
    const row = nextRow(scenarios, seed, path, first / HOURS_PER_DAY, 0);
    for (let i = 0; i < assets; i++) {
      const z = rows[row * assets + i];
      const a = volatilityScale * Math.sqrt(h[i]);
      const drift = -cumulant(scenarios, i, a) / HOURS_PER_DAY;
      const noise = shocks.slice(first, first + HOURS_PER_DAY).map(now => now[i]);
      bridge(a * z, a, noise).forEach((move, hour) => {
        returns[first + hour][i] = drift + move;
      });
      h[i] = omega[i] + alpha[i] * h[i] * z ** 2 + beta[i] * h[i];
    }
  }
  return returns;
}

/** ln(mean over the rows of exp(a z)) of asset i. */
export function cumulant({ rows, assets }: FilteredHistoricalScenarios, i: number, a: number): number {
  const z = rows.filter((_, k) => k % assets === i);
  return Math.log(z.reduce((sum, value) => sum + Math.exp(a * value), 0) / z.length);
}

/** docs/methodology.md, "BOOTSTRAP": rows of hours, or of days whose hours are bridged. */
function bootstrap(
  scenarios: BootstrapScenarios,
  shocks: readonly (readonly number[])[],
  seed: number,
  path: number,
): number[][] {
  const { assets, rows, drift, deviation, stepsPerRow } = scenarios;
  const returns = shocks.map(now => [...now]);
  const lastDrift = drift.length / assets - 1;
  let row = 0;
  for (let first = 0; first < shocks.length; first += stepsPerRow) {
    const number = first / stepsPerRow;
    row = nextRow(scenarios, seed, path, number, row);
    for (let i = 0; i < assets; i++) {
      const value = rows[row * assets + i];
      const driftOfRow = drift[Math.min(number, lastDrift) * assets + i];
      const noise = shocks.slice(first, first + stepsPerRow).map(now => now[i]);
      const moves = stepsPerRow === 1 ? [value] : bridge(value, deviation[i], noise);
      moves.forEach((move, hour) => {
        returns[first + hour][i] = driftOfRow / stepsPerRow + move;
      });
    }
  }
  return returns;
}

/** The row of day or row `number` of a path, counted from 0. @param row the one before */
export function nextRow(
  scenarios: FilteredHistoricalScenarios | BootstrapScenarios,
  seed: number,
  path: number,
  number: number,
  row: number,
): number {
  const rows = scenarios.rows.length / scenarios.assets;
  if (scenarios.kind === 'filtered-historical') return wordOfDayOrRow(seed, path, number) % rows;
  const begins =
    number === 0 || wordOfDayOrRow(seed, path, 2 * number) < Math.floor(2 ** 32 / scenarios.blockRows);
  return begins ? wordOfDayOrRow(seed, path, 2 * number + 1) % rows : (row + 1) % rows;
}

/** The hours of a day that lead to its shock: with m hours and R of the shock left, mean R/m and variance (a^2/24)(m - 1)/m. */
function bridge(shock: number, a: number, noise: readonly number[]): number[] {
  let R = shock;
  return noise.map((y, hour) => {
    const m = HOURS_PER_DAY - hour;
    const move = R / m + Math.sqrt(((a * a) / HOURS_PER_DAY) * ((m - 1) / m)) * y;
    R -= move;
    return move;
  });
}

/** Steps whose normals are in the weight of a path: those of the plan, in groups of four. */
const weighedSteps = (steps: number): number => 4 * Math.ceil(steps / 4);

/**
 * What shifted paths add to each normal of a step, the distance along -F'd / |F'd| over the root of the steps:
 * docs/decisions/tail-sampling.md, "The answer".
 */
function shiftOfNormals({ assets, factor, exposures, steps, distance }: GbmShiftedScenarios): number[] {
  const v = Array.from({ length: assets }, (_, j) =>
    exposures.reduce((sum, d, i) => sum + d * factor[i * assets + j], 0),
  );
  const size = Math.sqrt(v.reduce((sum, each) => sum + each * each, 0));
  return v.map(each => (size === 0 ? 0 : (-each / size) * (distance / Math.sqrt(weighedSteps(steps)))));
}

/**
 * The weight of a path of `sampling=tail`, twice the density of its normals in the model over that density and the one of
 * shifted normals: docs/decisions/tail-sampling.md, "The answer".
 */
export function weightOfPath(seed: number, scenarios: GbmShiftedScenarios, path: number): number {
  const shift = shiftOfNormals(scenarios);
  let logOfRatio = 0;
  for (const normals of normalsOfPath(seed, path, weighedSteps(scenarios.steps), scenarios.assets))
    shift.forEach((moved, j) => {
      const z = normals[j] + (path % 2) * moved;
      logOfRatio += z * moved - (moved * moved) / 2;
    });
  return 2 / (1 + Math.exp(logOfRatio));
}
