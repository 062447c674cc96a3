/**
 * FHS: filtered historical simulation, days drawn from the standardised residuals of a GARCH(1,1) fit (Barone-Adesi et al. 1999).
 */
import type { AlignedPrices } from '../market/market-data.ts';
import { calibrateInThread } from '../model/calibration-pool.ts';
import { garchAnnualCovariance } from '../model/garch.ts';
import { logReturns } from '../model/log-returns.ts';
import { covarianceMembers, garchMembers, garchWarnings } from './fitted-model.ts';
import { GBM } from './gbm.ts';
import type { Methodology } from './methodology.ts';
import { lookbackCloses, volatilityFigures } from './window.ts';

export const FHS: Methodology<'FHS', AlignedPrices> = {
  name: 'FHS',
  title: 'Filtered historical',
  words:
    'Filtered historical simulation: days drawn from the residuals of a GARCH(1,1) fit, scaled by its forecast.',
  kind: 'filtered-historical',
  questions: GBM.questions,
  draws: true,
  takesShock: true,
  fitCost: { secondsPerFit: 0.002, secondsPerAssetDay: 3.5e-5 },
  read: lookbackCloses,
  async fit({ prices, filled, gridHours }, { portfolio, paths, volatilityShock, termSteps }, context) {
    const { symbols } = portfolio;
    const input = { symbols, returns: prices.map(logReturns), volatilityShock };
    const { model, scenarios } = await calibrateInThread('filtered-historical', input, context);
    const covariance = garchAnnualCovariance(model, termSteps, volatilityShock);
    return {
      scenarios,
      paths: paths as number,
      gridHours,
      stepHours: 1,
      filled,
      rows: input.returns[0].length,
      volatilityFigures: volatilityFigures(portfolio, covariance),
      fitted: {
        members: {
          ...covarianceMembers(symbols, covariance),
          ...garchMembers(model),
          residual_rows: input.returns[0].length,
        },
        closes: prices[0].length,
        warnings: garchWarnings(model),
      },
      addedArguments: {},
    };
  },
};
