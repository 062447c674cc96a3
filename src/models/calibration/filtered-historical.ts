/**
 * Filtered historical simulation: GARCH(1,1) whose shocks are the residuals of the window. A pure function: it may run in a worker.
 * Source: G. Barone-Adesi, K. Giannopoulos, L. Vosper, "VaR without correlations for portfolios of derivative
 * securities", Journal of Futures Markets 19 (1999), 583-602.
 */
import type { FilteredHistoricalScenarios } from '../../core/plan/model/filtered-historical.ts';
import {
  CUMULANT_COEFFICIENTS,
  CUMULANT_LEAST_POWER,
  CUMULANT_ROWS,
  CUMULANT_SEGMENTS,
} from '../../core/random/cumulant-table.ts';
import { mean } from '../../core/stats/moments.ts';
import { rowMajor } from './bootstrap.ts';
import { type GarchModel, garchScenarios } from './garch.ts';
import { type ParetoTails, withParetoTails } from './pareto-tails.ts';
import { cubicThrough } from './variance-multiplier.ts';

/** Fewest returns: with fewer, hardly one residual is in the tail. */
export const MIN_FHS_RETURNS = 60;

/** The scenarios of an engine. @param volatilityShock fraction s above -1: simulated shocks are (1 + s) times the model's */
export function filteredHistoricalScenarios(
  model: GarchModel,
  volatilityShock: number,
): FilteredHistoricalScenarios {
  return scenariosOfResiduals(
    model,
    model.fits.map(fit => fit.standardisedResiduals),
    volatilityShock,
  );
}

/**
 * The same where the outermost tenth of each asset's residuals, at either end, are the means of the cells of a Pareto tail.
 *
 * @param model of 200 days or more
 */
export function paretoTailedScenarios(model: GarchModel, volatilityShock: number) {
  const tailed = model.fits.map(fit => withParetoTails(fit.standardisedResiduals));
  const scenarios = scenariosOfResiduals(
    model,
    tailed.map(({ residuals }) => residuals),
    volatilityShock,
  );
  const tails: readonly ParetoTails[] = tailed.map(({ lower, upper }) => ({ lower, upper }));
  return { scenarios, tails };
}

function scenariosOfResiduals(
  model: GarchModel,
  asFitted: readonly Float64Array[],
  volatilityShock: number,
): FilteredHistoricalScenarios {
  const assets = model.symbols.length;
  const residuals = asFitted.map(standardised);
  const cumulants = new Float64Array(assets * CUMULANT_ROWS * CUMULANT_COEFFICIENTS);
  residuals.forEach((z, i) => {
    cumulants.set(cumulantTable(z), i * CUMULANT_ROWS * CUMULANT_COEFFICIENTS);
  });
  return {
    ...garchScenarios(model, volatilityShock),
    kind: 'filtered-historical',
    rows: rowMajor(residuals),
    cumulants,
  };
}

/** Residuals centred and divided by their root mean square; zeros where they are all alike. */
function standardised(residuals: Float64Array): Float64Array {
  const centre = mean(residuals);
  const centred = residuals.map(z => z - centre);
  const rootMeanSquare = Math.sqrt(mean(centred.map(z => z * z)));
  return rootMeanSquare === 0 ? centred.fill(0) : centred.map(z => z / rootMeanSquare);
}

/** The table of `logMeanExponential`: K(a) / a^2, K(a) = ln mean exp(a z), over octaves of a. */
function cumulantTable(z: Float64Array): Float64Array {
  const table = new Float64Array(CUMULANT_ROWS * CUMULANT_COEFFICIENTS);
  let largest = 0;
  for (const value of z) largest = Math.max(largest, value);
  for (let row = 0; row < CUMULANT_ROWS; row++) {
    const octave = 2 ** (CUMULANT_LEAST_POWER + Math.floor(row / CUMULANT_SEGMENTS));
    const segment = row % CUMULANT_SEGMENTS;
    const coefficients = cubicThrough(d =>
      cumulantOverSquare(z, octave * (1 + (segment + d) / CUMULANT_SEGMENTS), largest),
    );
    table.set(coefficients, row * CUMULANT_COEFFICIENTS);
  }
  return table;
}

/**
 * K(a) / a^2. For small a by the mean of exp(a z) - 1 - a z, which loses no digits as the residuals have mean 0; for large a relative to
 * the largest exponent.
 */
function cumulantOverSquare(z: Float64Array, a: number, largest: number): number {
  let sum = 0;
  if (a * largest < 1) {
    for (let d = 0; d < z.length; d++) sum += Math.expm1(a * z[d]) - a * z[d];
    return Math.log1p(sum / z.length) / (a * a);
  }
  for (let d = 0; d < z.length; d++) sum += Math.exp(a * (z[d] - largest));
  return (a * largest + Math.log(sum / z.length)) / (a * a);
}
