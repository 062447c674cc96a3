/**
 * Student's t, filtered historical simulation and the bootstrap once more, one loop per formula of the methodology: quantiles
 * and means are taken as they are defined, not from the tables that engines read.
 */
import type { BootstrapScenarios } from '#src/core/plan/model/bootstrap.js';
import type { FilteredHistoricalScenarios } from '#src/core/plan/model/filtered-historical.js';
import type { StudentTScenarios } from '#src/core/plan/model/student-t.js';
import { threefry4x32 } from '#src/core/random/threefry.js';
import { chiSquareQuantile } from '#src/core/stats/special-functions.js';
import { unitMeanFactor } from '#src/models/calibration/variance-multiplier.js';

export type HeavyTailedScenarios = StudentTScenarios | FilteredHistoricalScenarios | BootstrapScenarios;

/** Word `index` of the stream beside the normals. */
export const extraWord = (seed: number, path: number, index: number) =>
  threefry4x32([path, Math.floor(index / 4), 0, 0], [seed, 0x65787472, 0, 0], 12)[index % 4];

/** ln mean exp(a z) over the residuals of asset i. */
export function cumulant({ rows, assets }: FilteredHistoricalScenarios, i: number, a: number): number {
  const z = rows.filter((_, k) => k % assets === i);
  return Math.log(z.reduce((sum, value) => sum + Math.exp(a * value), 0) / z.length);
}

/**
 * ln S_i(t) for t = 1..steps: prices[t - 1][i].
 *
 * @param normal the draw of a step (from 0) and an asset
 */
export function plainHeavyTails(
  scenarios: HeavyTailedScenarios,
  seed: number,
  path: number,
  steps: number,
  normal: (step: number, asset: number) => number,
): number[][] {
  const n = scenarios.assets;
  const shockOf = (step: number, i: number) => {
    let shock = 0;
    for (let j = 0; j <= i; j++) shock += scenarios.factor[i * n + j] * normal(step, j);
    return shock;
  };
  const x = new Array<number>(n).fill(0);
  const variance = 'firstVariance' in scenarios ? [...scenarios.firstVariance] : [];
  const left = new Array<number>(n).fill(0);
  // Of the day: the multiplier of the variances, and by asset ln mean exp(a z).
  let multiplier = 0;
  const cumulants = new Array<number>(n).fill(0);
  const result: number[][] = [];
  let row = 0;
  for (let step = 0; step < steps; step++) {
    const day = Math.floor(step / 24);
    const hour = step % 24;
    for (let i = 0; i < n; i++) {
      if (scenarios.kind === 'student-t') {
        if (i === 0 && hour === 0) {
          const u = (extraWord(seed, path, day) + 0.5) / 2 ** 32;
          const nu = scenarios.degreesOfFreedom;
          multiplier = unitMeanFactor(nu) * Math.min(400, (nu - 2) / chiSquareQuantile(nu, u));
        }
        const w = multiplier;
        x[i] += (-w * scenarios.annualVolatility[i] ** 2) / 8760 / 2 + Math.sqrt(w / 8760) * shockOf(step, i);
        continue;
      }
      const bridged = scenarios.kind === 'filtered-historical' || scenarios.stepsPerRow === 24;
      if (i === 0 && (!bridged || hour === 0))
        row = nextRow(scenarios, seed, path, bridged ? day : step, row);
      const entry = scenarios.rows[row * n + i];
      if (scenarios.kind === 'bootstrap') {
        const number = bridged ? day : step;
        const drift = scenarios.drift[Math.min(number, scenarios.drift.length / n - 1) * n + i];
        if (!bridged) {
          x[i] += entry + drift;
          continue;
        }
        if (hour === 0) left[i] = entry;
        x[i] += drift / 24 + bridge(left, i, hour, scenarios.deviation[i], shockOf(step, i));
        continue;
      }
      const a = scenarios.volatilityScale * Math.sqrt(variance[i]);
      if (hour === 0) {
        left[i] = a * entry;
        cumulants[i] = cumulant(scenarios, i, a);
      }
      x[i] += -cumulants[i] / 24 + bridge(left, i, hour, a, shockOf(step, i));
      if (hour === 23)
        variance[i] =
          scenarios.omega[i] +
          scenarios.alpha[i] * variance[i] * entry ** 2 +
          scenarios.beta[i] * variance[i];
    }
    result.push([...x]);
  }
  return result;
}

/** The hour's part of what is left of a day's shock. */
function bridge(left: number[], i: number, hour: number, a: number, noise: number): number {
  const m = 24 - hour;
  const move = left[i] / m + Math.sqrt(((a * a) / 24) * ((m - 1) / m)) * noise;
  left[i] -= move;
  return move;
}

export function nextRow(
  scenarios: FilteredHistoricalScenarios | BootstrapScenarios,
  seed: number,
  path: number,
  number: number,
  row: number,
): number {
  const rows = scenarios.rows.length / scenarios.assets;
  if (scenarios.kind === 'filtered-historical') return extraWord(seed, path, number) % rows;
  const begins =
    number === 0 || extraWord(seed, path, 2 * number) < Math.floor(2 ** 32 / scenarios.blockRows);
  return begins ? extraWord(seed, path, 2 * number + 1) % rows : (row + 1) % rows;
}
