/** FHS_EVT: FHS whose residuals have generalised Pareto tails (McNeil and Frey 2000). */
import type { AlignedPrices } from '../../market/market-data.ts';
import { calibrateInThread } from '../calibration/calibration-pool.ts';
import { MIN_PARETO_RETURNS } from '../calibration/pareto-tails.ts';
import { FHS, filteredInput, filteredSet } from './fhs.ts';
import { tailMembers } from './fitted-model.ts';
import type { Methodology } from './methodology.ts';

export const FHS_EVT: Methodology<'FHS_EVT', AlignedPrices> = {
  ...FHS,
  name: 'FHS_EVT',
  title: 'FHS with Pareto tails',
  words:
    'FHS whose outermost residuals, a tenth at either end, are those of a generalised Pareto distribution fitted to them.',
  assumption: 'past shocks at the volatility of these days, with a fitted tail',
  leastLookbackDays: MIN_PARETO_RETURNS,
  // The tails of an asset take a tenth of the time of its GARCH fit.
  fitCost: { secondsPerFit: 0.003, secondsPerAssetDay: 4e-5 },
  async fit(window, need, context) {
    const { tails, ...fitted } = await calibrateInThread(
      'pareto-tailed',
      filteredInput(window, need),
      context,
    );
    const set = filteredSet(fitted, window, need);
    const { symbols } = need.portfolio;
    return {
      ...set,
      fitted: { ...set.fitted, members: { ...set.fitted.members, ...tailMembers(symbols, tails) } },
    };
  },
};
