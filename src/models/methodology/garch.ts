/** GARCH: GARCH(1,1) of each asset with constant correlation (methodology part 3.3). */
import type { AlignedPrices } from '../../market/market-data.ts';
import { calibrateInThread } from '../calibration/calibration-pool.ts';
import { garchAnnualCovariance, garchScenarios } from '../calibration/garch.ts';
import type { GarchFit } from '../calibration/garch-fit.ts';
import { logReturns } from '../calibration/log-returns.ts';
import { covarianceMembers, garchMembers, garchWarnings } from './fitted-model.ts';
import type { Methodology } from './methodology.ts';
import { drawnSet, lookbackCloses } from './window.ts';

export const GARCH: Methodology<'GARCH', AlignedPrices> = {
  name: 'GARCH',
  title: 'GARCH(1,1)',
  words: 'A GARCH(1,1) forecast of the volatility of each asset, with constant correlations.',
  assumption: 'normal returns at the volatility of these days',
  kind: 'garch',
  questions: ['capped-loan'],
  draws: true,
  takesShock: true,
  // A fit to fewer returns has no value.
  leastLookbackDays: 30,
  fitCost: { secondsPerFit: 0.001, secondsPerAssetDay: 2.5e-5 },
  read: lookbackCloses,
  async fit(window, need, context) {
    const { volatilityShock, termSteps } = need;
    const { symbols } = need.portfolio;
    const model = await calibrateInThread(
      'garch',
      { symbols, returns: window.prices.map(logReturns) },
      context,
    );
    for (const fit of model.fits) context.log.info(describeFit(fit), `GARCH(1,1) of ${fit.symbol}`);
    const covariance = garchAnnualCovariance(model, termSteps(1), volatilityShock);
    return {
      scenarios: garchScenarios(model, volatilityShock),
      ...drawnSet(need, window, covariance),
      fitted: {
        members: { ...covarianceMembers(symbols, covariance), ...garchMembers(model) },
        closes: window.prices[0].length,
        warnings: garchWarnings(model),
      },
    };
  },
};

/** The parameters of a fit without its series. */
function describeFit(fit: GarchFit) {
  const { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance } = fit;
  return { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance };
}
