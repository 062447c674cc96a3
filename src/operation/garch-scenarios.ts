/**
 * The scenarios of GARCH: window -> fits -> scenarios, with every fit in the log.
 */
import { lastCompleteDay } from '../market/last-complete-day.ts';
import { garchAnnualCovariance, garchScenarios } from '../model/garch.ts';
import type { GarchFit } from '../model/garch-fit.ts';
import { fitGarchInThread } from '../model/garch-pool.ts';
import { logReturns } from '../model/log-returns.ts';
import type { NumberedPortfolio } from '../plan/portfolio.ts';
import type { GarchScenarios } from '../plan/simulation-plan.ts';
import type { OperationContext } from './operation.ts';
import { type ScenarioRequest, type ScenarioSet, volatilityFigures } from './scenarios.ts';

/**
 * GARCH(1,1) per asset with constant correlation.
 *
 * @param volatilityShock fraction above -1
 * @param steps hours of the term, for the volatilities reported
 */
export async function garchScenarioSet(
  portfolio: NumberedPortfolio,
  request: ScenarioRequest,
  volatilityShock: number,
  steps: number,
  context: OperationContext,
): Promise<ScenarioSet<GarchScenarios>> {
  const lastDay = lastCompleteDay(request.analysis_date, context.now);
  const { symbols } = portfolio;
  const window = await context.market.dailyCloses(symbols, lastDay, request.model_lookback + 1);
  const model = await fitGarchInThread({ symbols, returns: window.prices.map(logReturns) }, context.signal);
  for (const fit of model.fits) context.log.info(describeFit(fit), `GARCH(1,1) of ${fit.symbol}`);
  return {
    scenarios: garchScenarios(model, volatilityShock),
    filled: window.filled,
    volatilityFigures: volatilityFigures(portfolio, garchAnnualCovariance(model, steps, volatilityShock)),
  };
}

/** The parameters of a fit without its series. */
function describeFit(fit: GarchFit) {
  const { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance } = fit;
  return { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance };
}
