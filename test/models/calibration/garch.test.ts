import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forecastVariance } from '#src/core/plan/model/garch.js';
import { fitGarchModel, garchAnnualCovariance, garchScenarios } from '#src/models/calibration/garch.js';
import { logReturns } from '#src/models/calibration/log-returns.js';
import windows from '../../fixtures/model/garch.json' with { type: 'json' };
import { expectedVariance } from '../../support/closed-forms/garch-moments.ts';
import { describeWithSharedData, readCloses } from '../../support/shared-data.ts';
import { simulateGarch } from '../../support/simulated-garch.ts';

const parameters = { mu: 0.001, omega: 1e-5, alpha: 0.1, beta: 0.85 };
const moving = simulateGarch(parameters, 300, 21);
const other = simulateGarch(parameters, 300, 22);
const flat = new Float64Array(300);

describe('fitGarchModel', () => {
  it('correlates standardised residuals, 0 where a series does not move', () => {
    const model = fitGarchModel(['A', 'B', 'C'], [moving, moving.map((r, t) => r + other[t]), flat]);
    expect(model.fits.map(fit => [fit.symbol, fit.constantVariance])).toEqual([
      ['A', false],
      ['B', false],
      ['C', true],
    ]);
    expect([...model.correlation.subarray(6)]).toEqual([0, 0, 1]);
    expect(model.correlation[1]).toBeGreaterThan(0.6);
    expect(model.correlation[1]).toBeLessThan(0.8);
  });

  it('reports every asset that fails in one error', () => {
    const short = new Float64Array(5);
    expect(() => fitGarchModel(['A', 'B'], [short, short])).toThrow(
      expect.objectContaining({
        reason: 'calibration-failed',
        message:
          'GARCH of A needs at least 30 returns; the window has 5. ' +
          'GARCH of B needs at least 30 returns; the window has 5.',
        faults: [
          {
            code: 'not_fitted',
            path: 'A',
            message: 'GARCH of A needs at least 30 returns; the window has 5.',
          },
          {
            code: 'not_fitted',
            path: 'B',
            message: 'GARCH of B needs at least 30 returns; the window has 5.',
          },
        ],
      }),
    );
  });
});

describe('garchScenarios', () => {
  it('have the fits, a factor of the correlations and 1 + shock', () => {
    const model = fitGarchModel(['A', 'B'], [moving, flat]);
    const scenarios = garchScenarios(model, 0.25);
    expect(scenarios.kind).toBe('garch');
    expect(scenarios.volatilityScale).toBe(1.25);
    expect([...scenarios.factor]).toEqual([1, 0, 0, 1]);
    model.fits.forEach((fit, i) => {
      expect(scenarios.omega[i]).toBe(fit.omega);
      expect(scenarios.alpha[i]).toBe(fit.alpha);
      expect(scenarios.beta[i]).toBe(fit.beta);
      expect(scenarios.firstVariance[i]).toBe(fit.firstVariance);
    });
    expect([scenarios.omega[1], scenarios.firstVariance[1]]).toEqual([0, 0]);
  });
});

describe('forecastVariance', () => {
  it('is the sum of the closed-form expectations', () => {
    const [fit] = fitGarchModel(['A'], [moving]).fits;
    expect(forecastVariance(fit, 1)).toBe(fit.firstVariance);
    for (const days of [2, 30, 365]) {
      let sum = 0;
      for (let day = 1; day <= days; day++) sum += expectedVariance(fit, fit.firstVariance, day);
      expect(forecastVariance(fit, days) / sum, `${days} days`).toBeCloseTo(1, 12);
    }
  });
});

describe('garchAnnualCovariance', () => {
  it('rounds the steps up to days and scales with the square of 1 + shock', () => {
    const model = fitGarchModel(['A', 'B'], [moving, other]);
    const oneDay = garchAnnualCovariance(model, 24, 0);
    expect(oneDay[0]).toBeCloseTo(365 * model.fits[0].firstVariance, 14);
    expect(garchAnnualCovariance(model, 25, 0)).toEqual(garchAnnualCovariance(model, 48, 0));
    expect(garchAnnualCovariance(model, 25, 0)).not.toEqual(oneDay);
    garchAnnualCovariance(model, 24, 0.5).forEach((value, k) => {
      expect(value / oneDay[k], `entry ${k}`).toBeCloseTo(2.25, 12);
    });
  });
});

describeWithSharedData('GARCH models of real series', dataDir => {
  it.each(windows)('agree with scipy for $returns returns of $files up to $last', window => {
    const returns = window.files.map(file =>
      logReturns(readCloses(join(dataDir, file), window.last, window.returns + 1)),
    );
    const model = fitGarchModel(window.files, returns);
    // Five digits of the fits (see garch-fit.test.ts) carry over.
    window.correlation.forEach((expected, k) => {
      expect(model.correlation[k], `correlation ${k}`).toBeCloseTo(expected, 5);
    });
    const covariance = garchAnnualCovariance(model, window.days * 24, 0);
    window.annualCovariance.forEach((expected, k) => {
      expect(covariance[k] / expected, `covariance ${k}`).toBeCloseTo(1, 4);
    });
  });
});
