import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  annualCovariance,
  calibrateConstantVolatility,
  gbmScenarios,
} from '#src/models/calibration/constant-volatility.js';
import { logReturns } from '#src/models/calibration/log-returns.js';
import { portfolioVolatility } from '#src/models/calibration/portfolio-volatility.js';
import { overrideVolatilities } from '#src/models/methodology/gbm-vix.js';

import windows from '../../fixtures/model/volatility.json' with { type: 'json' };
import { describeWithSharedData, readCloses } from '../../support/shared-data.ts';

const returnsOf = (...series: number[][]): Float64Array[] => series.map(values => Float64Array.from(values));

describe('calibrateConstantVolatility', () => {
  it('annualises the sample standard deviation and applies the shock', () => {
    const model = calibrateConstantVolatility(['X', 'Y'], returnsOf([0.01, -0.01], [0.02, 0.02]), 365, 0.5);
    expect(model.annualVolatility[0]).toBeCloseTo(1.5 * Math.sqrt(365 * 0.0002), 14);
    expect(model.annualVolatility[1]).toBe(0);
    expect([...model.correlation]).toEqual([1, 0, 0, 1]);
  });

  it('fails as a calibration with fewer than two returns', () => {
    expect(() => calibrateConstantVolatility(['X'], returnsOf([0.01]), 365, 0)).toThrow(
      expect.objectContaining({
        reason: 'calibration-failed',
        message: 'A volatility needs at least 2 returns; the window has 1.',
        faults: [
          {
            code: 'out_of_range',
            path: 'model_lookback',
            message: 'model_lookback must give at least 2 returns; got 1',
          },
        ],
      }),
    );
  });
});

describe('gbmScenarios', () => {
  it("have sigma_i times row i of the factor, so that factor x factor' is the annual covariance", () => {
    const model = calibrateConstantVolatility(
      ['X', 'Y', 'Z'],
      returnsOf([0.01, -0.02, 0.03, 0], [0.02, -0.01, 0.01, 0.01], [0, 0, 0, 0]),
      365,
      0,
    );
    const { assets, annualVolatility, factor, kind } = gbmScenarios(model);
    expect([kind, assets]).toEqual(['gbm', 3]);
    expect(annualVolatility).toBe(model.annualVolatility);
    const covariance = annualCovariance(model);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let product = 0;
        for (let k = 0; k < 3; k++) product += factor[i * 3 + k] * factor[j * 3 + k];
        expect(product, `entry ${i},${j}`).toBeCloseTo(covariance[i * 3 + j], 13);
        if (j > i) expect(factor[i * 3 + j]).toBe(0);
      }
    }
    expect([...factor.subarray(6)]).toEqual([0, 0, 0]);
  });
});

describe('overrideVolatilities', () => {
  const model = calibrateConstantVolatility(
    ['ETH', 'SOL'],
    returnsOf([0.01, -0.02, 0.03], [0.02, -0.01, 0.01]),
    365,
    0,
  );

  it('replaces the volatility of BTC and ETH by index points / 100 and nothing else', () => {
    const overridden = overrideVolatilities(model, { BTC: 48, ETH: 55.3 });
    expect(overridden.annualVolatility[0]).toBe(55.3 / 100);
    expect(overridden.annualVolatility[1]).toBe(model.annualVolatility[1]);
    expect(overridden.correlation).toBe(model.correlation);
    expect(model.annualVolatility[0]).not.toBe(55.3 / 100);
  });

  it('refuses a level that is not positive', () => {
    expect(() => overrideVolatilities(model, { BTC: 0, ETH: 55.3 })).toThrow(/BTC is 0/);
  });
});

describeWithSharedData('Volatilities and correlations of real series', dataDir => {
  it.each(windows)('agree with numpy for $returns returns of $files up to $last', window => {
    const returns = window.files.map(file =>
      logReturns(readCloses(join(dataDir, file), window.last, window.returns + 1)),
    );
    const model = calibrateConstantVolatility(window.files, returns, window.returnsPerYear, 0);
    const n = window.files.length;
    const weights = new Float64Array(n).fill(1 / (n - 1)).fill(0, n - 1);
    const figures = portfolioVolatility(weights, new Float64Array(n).fill(1, n - 1), annualCovariance(model));
    // The returns of USDC are of size 1e-4 and carry the rounding of a log near 1, 1e-16: twelve digits.
    window.annualVolatility.forEach((expected, i) => {
      expect(model.annualVolatility[i] / expected, window.files[i]).toBeCloseTo(1, 11);
    });
    window.correlation.forEach((expected, k) => {
      expect(model.correlation[k], `entry ${k}`).toBeCloseTo(expected, 11);
    });
    expect(figures.collateralVolatility).toBeCloseTo(window.collateralVolatility, 11);
    expect(figures.loanVolatility).toBeCloseTo(window.loanVolatility, 11);
    expect(figures.correlation).toBeCloseTo(window.collateralLoanCorrelation, 11);
  });
});
