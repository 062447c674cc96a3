/**
 * The scenarios of GARCH: window -> fits -> scenarios, with every fit in the log.
 */

import type { NumberedPortfolio } from '../core/plan/portfolio.ts';
import type { GarchScenarios } from '../core/plan/simulation-plan.ts';
import type { AlignedPrices } from '../market/market-data.ts';
import { calibrateInThread } from '../model/calibration-pool.ts';
import { garchAnnualCovariance, garchScenarios } from '../model/garch.ts';
import type { GarchFit } from '../model/garch-fit.ts';
import { logReturns } from '../model/log-returns.ts';
import { covarianceMembers, garchMembers, garchWarnings } from './fitted-model.ts';
import type { OperationContext } from './operation.ts';
import { type ScenarioSet, volatilityFigures } from './scenarios.ts';

/**
 * GARCH(1,1) per asset with constant correlation.
 *
 * @param window as `lookbackCloses` gives it
 * @param volatilityShock fraction above -1
 * @param steps hours of the term, for the volatilities reported
 */
export async function garchScenarioSet(
  portfolio: NumberedPortfolio,
  window: AlignedPrices,
  volatilityShock: number,
  steps: number,
  context: OperationContext,
): Promise<ScenarioSet<GarchScenarios>> {
  const { symbols } = portfolio;
  const model = await calibrateInThread(
    'garch',
    { symbols, returns: window.prices.map(logReturns) },
    context.signal,
  );
  for (const fit of model.fits) context.log.info(describeFit(fit), `GARCH(1,1) of ${fit.symbol}`);
  const covariance = garchAnnualCovariance(model, steps, volatilityShock);
  return {
    scenarios: garchScenarios(model, volatilityShock),
    gridHours: window.gridHours,
    filled: window.filled,
    volatilityFigures: volatilityFigures(portfolio, covariance),
    fitted: {
      members: { ...covarianceMembers(symbols, covariance), ...garchMembers(model) },
      closes: window.prices[0].length,
      warnings: garchWarnings(model),
    },
  };
}

/** The parameters of a fit without its series. */
function describeFit(fit: GarchFit) {
  const { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance } = fit;
  return { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance };
}
