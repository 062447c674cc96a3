/** FHS: filtered historical simulation, days drawn from the standardised residuals of a GARCH(1,1) fit (Barone-Adesi et al. 1999). */
import type { AlignedPrices } from '../../market/market-data.ts';
import { calibrateInThread } from '../calibration/calibration-pool.ts';
import type { CalibrationResult } from '../calibration/calibration-worker.ts';
import { garchAnnualCovariance } from '../calibration/garch.ts';
import { logReturns } from '../calibration/log-returns.ts';
import { covarianceMembers, garchMembers, garchWarnings } from './fitted-model.ts';
import { GBM } from './gbm.ts';
import type { Methodology, Need, ScenarioSet } from './methodology.ts';
import { drawnSet, lookbackCloses } from './window.ts';

export const FHS: Methodology<'FHS', AlignedPrices> = {
  name: 'FHS',
  title: 'FHS: heavy tails, volatility of now',
  words:
    'Filtered historical simulation: days drawn from the residuals of a GARCH(1,1) fit, scaled by its forecast.',
  assumption: 'past shocks at the volatility of these days',
  kind: 'filtered-historical',
  questions: GBM.questions,
  draws: true,
  takesShock: true,
  fitCost: { secondsPerFit: 0.002, secondsPerAssetDay: 3.5e-5 },
  read: lookbackCloses,
  async fit(window, need, context) {
    return filteredSet(
      await calibrateInThread('filtered-historical', filteredInput(window, need), context),
      window,
      need,
    );
  },
};

/** Input of the fit. */
export const filteredInput = ({ prices }: AlignedPrices, { portfolio, volatilityShock }: Need) => ({
  symbols: portfolio.symbols,
  returns: prices.map(logReturns),
  volatilityShock,
});

/** The scenarios of a fit to a window. */
export function filteredSet(
  { model, scenarios }: CalibrationResult<'filtered-historical'>,
  window: AlignedPrices,
  need: Need,
): ScenarioSet {
  const covariance = garchAnnualCovariance(model, need.termSteps(1), need.volatilityShock);
  const closes = window.prices[0].length;
  const rows = closes - 1;
  return {
    scenarios,
    ...drawnSet(need, window, covariance),
    rows,
    fitted: {
      members: {
        ...covarianceMembers(need.portfolio.symbols, covariance),
        ...garchMembers(model),
        residual_rows: rows,
      },
      closes,
      warnings: garchWarnings(model),
    },
  };
}
