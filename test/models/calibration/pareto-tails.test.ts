/** Residuals with Pareto tails: the changed ones, their values and their order. */
import { describe, expect, it } from 'vitest';
import {
  filteredHistoricalScenarios,
  paretoTailedScenarios,
} from '#src/models/calibration/filtered-historical.js';
import { fitGarchModel } from '#src/models/calibration/garch.js';
import { fitGeneralisedPareto, paretoCellMeans } from '#src/models/calibration/generalised-pareto.js';
import { withParetoTails } from '#src/models/calibration/pareto-tails.js';
import { simulateGarch } from '../../support/simulated-garch.ts';

const returns = simulateGarch({ mu: 0, omega: 1e-5, alpha: 0.1, beta: 0.85 }, 365, 3);
const residuals = returns.map(r => 40 * r + 3 * Math.abs(20 * r) ** 3 * Math.sign(r));
const rankOf = (values: Float64Array) =>
  Array.from(values.keys()).sort((a, b) => values[a] - values[b] || a - b);

describe('Residuals with Pareto tails', () => {
  const { residuals: tailed, lower, upper } = withParetoTails(residuals);
  const before = residuals.toSorted();
  const after = tailed.toSorted();

  it('change in the outermost tenth of either end only, without a change of their order', () => {
    expect([lower?.count, upper?.count]).toEqual([36, 36]);
    expect(after.slice(36, 365 - 36)).toEqual(before.slice(36, 365 - 36));
    expect(rankOf(tailed)).toEqual(rankOf(residuals));
    expect([lower?.threshold, upper?.threshold]).toEqual([before[36], before[365 - 37]]);
  });

  it('are the threshold and the cell means of a fit to the distances from it', () => {
    const low = fitGeneralisedPareto(before.slice(0, 36).map(z => before[36] - z));
    const high = fitGeneralisedPareto(before.slice(365 - 36).map(z => z - before[365 - 37]));
    if (low === undefined || high === undefined) throw new Error('no fit');
    const lowMeans = paretoCellMeans(low, 36);
    const highMeans = paretoCellMeans(high, 36);
    for (let i = 0; i < 36; i++) {
      expect(after[35 - i]).toBeCloseTo(before[36] - lowMeans[i], 7);
      expect(after[365 - 36 + i]).toBeCloseTo(before[365 - 37] + highMeans[i], 7);
    }
  });

  it('are mirrored with the sign of the residuals', () => {
    const turned = withParetoTails(residuals.map(z => -z)).residuals;
    turned.forEach((z, d) => {
      expect(z).toBeCloseTo(-tailed[d], 12);
    });
  });

  it('rank the earlier of two equal days lower', () => {
    const tied = residuals.slice();
    const [lowest, next] = rankOf(residuals);
    tied[next] = tied[lowest];
    const { residuals: result } = withParetoTails(tied);
    const [early, late] = [Math.min(lowest, next), Math.max(lowest, next)];
    expect(result[early]).toBeLessThan(result[late]);
  });

  it('are unchanged where a tail has a single value', () => {
    const flat = residuals.map(z => Math.max(-0.1, z));
    const { residuals: result, lower: none, upper: some } = withParetoTails(flat);
    expect(none).toBeUndefined();
    expect(some).toBeDefined();
    expect(Math.min(...result)).toBe(-0.1);
    expect(withParetoTails(new Float64Array(200)).residuals).toEqual(new Float64Array(200));
  });

  it('are refused below 200 days', () => {
    expect(() => withParetoTails(residuals.slice(0, 199))).toThrow('199 residuals, must be at least 200');
    expect(withParetoTails(residuals.slice(0, 200)).lower?.count).toBe(20);
  });
});

describe('Scenarios with Pareto tails', () => {
  const still = new Float64Array(365).fill(0.001);
  const model = fitGarchModel(['A', 'B'], [returns, still]);
  const plain = filteredHistoricalScenarios(model, 0.2);
  const { scenarios, tails } = paretoTailedScenarios(model, 0.2);
  const columnOf = (rows: Float64Array, i: number) => rows.filter((_, k) => k % 2 === i);

  it('are those of filtered historical simulation except for rows and their cumulants', () => {
    const { rows, cumulants, ...others } = scenarios;
    const { rows: plainRows, cumulants: plainCumulants, ...plainOthers } = plain;
    expect(others).toEqual(plainOthers);
    expect(rows).not.toEqual(plainRows);
    expect(cumulants).not.toEqual(plainCumulants);
  });

  it('have rows of mean 0 and mean square 1 in the order of the days, and zeros where an asset does not move', () => {
    const z = columnOf(scenarios.rows, 0);
    expect(z.reduce((a, b) => a + b, 0) / 365).toBeCloseTo(0, 12);
    expect(z.reduce((a, b) => a + b * b, 0) / 365).toBeCloseTo(1, 12);
    expect(rankOf(z)).toEqual(rankOf(columnOf(plain.rows, 0)));
    expect(columnOf(scenarios.rows, 1).every(value => value === 0)).toBe(true);
    expect(tails[0].lower?.count).toBe(36);
    expect(tails[1]).toEqual({ lower: undefined, upper: undefined });
  });
});
