/** Residual rows of filtered historical simulation, and the drift that makes their prices a martingale. */
import { describe, expect, it } from 'vitest';
import { logMeanExponential } from '#src/core/random/cumulant-table.js';
import { filteredHistoricalScenarios } from '#src/models/calibration/filtered-historical.js';
import { fitGarchModel } from '#src/models/calibration/garch.js';
import { simulateGarch } from '../../support/simulated-garch.ts';

const parameters = { mu: 0.001, omega: 1e-5, alpha: 0.1, beta: 0.85 };
const first = simulateGarch(parameters, 400, 1);
const second = simulateGarch(parameters, 400, 2);

const scenariosOf = (returns: readonly Float64Array[], shock = 0) =>
  filteredHistoricalScenarios(
    fitGarchModel(
      returns.map((_, i) => `A${i}`),
      returns,
    ),
    shock,
  );

/** Column i of the rows. */
const column = ({ rows, assets }: { rows: Float64Array; assets: number }, i: number) =>
  rows.filter((_, k) => k % assets === i);

describe('The rows of filtered historical simulation', () => {
  it('have mean 0 and mean square 1 per asset, a row per day', () => {
    const scenarios = scenariosOf([first, second]);
    expect(scenarios.rows).toHaveLength(800);
    for (const i of [0, 1]) {
      const z = column(scenarios, i);
      expect(z.reduce((a, b) => a + b, 0) / 400).toBeCloseTo(0, 12);
      expect(z.reduce((a, b) => a + b * b, 0) / 400).toBeCloseTo(1, 12);
    }
  });

  it('have the residuals of all assets on the same days', () => {
    const scenarios = scenariosOf([first, first.slice()]);
    expect(column(scenarios, 0)).toEqual(column(scenarios, 1));
    expect(scenarios.factor[2]).toBeCloseTo(1, 12);
  });

  it('are 0 for an asset that does not move', () => {
    const scenarios = scenariosOf([first, new Float64Array(400).fill(0.0005)]);
    expect(column(scenarios, 1).every(z => z === 0)).toBe(true);
    expect([scenarios.firstVariance[1], scenarios.alpha[1], scenarios.beta[1]]).toEqual([0, 0, 0]);
    expect(logMeanExponential(scenarios.cumulants, 1, 0.1)).toBe(0);
  });

  it('have an outlier of 20 deviations as a separate row', () => {
    const outlier = first.slice();
    outlier[200] = -20 * Math.sqrt(outlier.reduce((a, b) => a + b * b, 0) / 400);
    const scenarios = scenariosOf([outlier]);
    const z = column(scenarios, 0);
    expect(Math.min(...z)).toBe(z[200]);
    expect(z[200]).toBeLessThan(-8);
    expectCumulants(scenarios.cumulants, 0, z);
  });
});

/** The table against the mean itself. */
function expectCumulants(table: Float64Array, asset: number, z: Float64Array) {
  for (const a of [0, 1e-9, 1e-4, 0.003, 0.02, 0.0312499, 0.1, 0.37, 0.9]) {
    const mean = z.reduce((sum, value) => sum + Math.expm1(a * value) - a * value, 0) / z.length;
    const exact = Math.log1p(mean);
    // In relative terms: rounding and a cubic on a sixteenth of an octave.
    expect(Math.abs(logMeanExponential(table, asset, a) - exact), `a = ${a}`).toBeLessThanOrEqual(
      2e-6 * exact + (a < 1e-3 ? 1e-2 * a * a : 0),
    );
  }
}

describe('The drift of filtered historical simulation', () => {
  it('is the logarithm of the mean of the exponentials', () => {
    const scenarios = scenariosOf([first, second]);
    expectCumulants(scenarios.cumulants, 0, column(scenarios, 0));
    expectCumulants(scenarios.cumulants, 1, column(scenarios, 1));
  });

  it('is that of the largest residual for a deviation whose exponentials exceed all doubles', () => {
    // One jump in n days has the size sqrt(n - 1) beside their deviation, and 1 / n of the mean.
    const days = 4001;
    const jump = Float64Array.from({ length: days }, (_, d) => (d === 7 ? 1 : 0));
    const model = fitGarchModel(['A'], [first]);
    const { cumulants } = filteredHistoricalScenarios(
      { ...model, fits: model.fits.map(fit => ({ ...fit, standardisedResiduals: jump })) },
      0,
    );
    expect(logMeanExponential(cumulants, 0, 15)).toBeCloseTo(15 * Math.sqrt(days - 1) - Math.log(days), 4);
  });

  it('grows in proportion beyond its table', () => {
    const { cumulants } = scenariosOf([first]);
    expect(logMeanExponential(cumulants, 0, 32) / logMeanExponential(cumulants, 0, 16)).toBeCloseTo(2, 10);
  });
});
