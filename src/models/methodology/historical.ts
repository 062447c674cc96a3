/** HISTORICAL: every window of the horizon's length that ends within the lookback is a scenario (methodology part 3.4). */
import { refuseIfFaulty } from '../../core/errors.ts';
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import { refuseHistoricalOnGpu } from '../../engine/plan-refusals.ts';
import type { AlignedPrices } from '../../market/market-data.ts';
import { unresolvedHorizons } from './horizons.ts';
import type { FitContext, Methodology, Need } from './methodology.ts';
import { historicalWarnings } from './warnings.ts';
import { canMove, closesByTheHour, hoursOfMarks, joined, lastDayOf, missingHours } from './window.ts';

export const HISTORICAL: Methodology<'HISTORICAL', AlignedPrices> = {
  name: 'HISTORICAL',
  title: 'Windows of history',
  words: 'Every window of the past that ends within the lookback, replayed with the same weight.',
  assumption: 'the window as it was',
  kind: 'historical',
  questions: [
    'loan',
    'origination',
    'value-at-risk',
    'advance-rate',
    'perpetual',
    'account',
    'book',
    'stress',
    'backtest',
  ],
  draws: false,
  takesShock: false,
  fitCost: { secondsPerFit: 0, secondsPerAssetDay: 0 },
  async read(need, context) {
    refuseHistoricalOnGpu(context.compute);
    if (need.ofMarks) return hoursOfTrade(need, context);
    return context.market.history(need.portfolio.symbols, lastDayOf(need, context), need.lookbackDays, {
      hours: need.termSteps(1),
      days: need.termSteps(24),
    });
  },
  fit({ prices, gridHours, filled }, need) {
    if (!need.ofMarks) refuseIfFaulty(unresolvedHorizons(need.horizons, gridHours));
    const lead = need.termSteps(gridHours);
    const windows = prices[0].length - lead;
    const { symbols } = need.portfolio;
    return {
      scenarios: { kind: 'historical', assets: symbols.length, prices, lead },
      paths: windows,
      gridHours,
      stepHours: gridHours,
      horizonHours: gridHours,
      filled,
      volatilityFigures: {},
      fitted: {
        members: { symbols, windows },
        closes: prices[0].length,
        warnings: historicalWarnings(windows, lead, gridHours),
      },
    };
  },
};

/** Perpetuals are followed by the hour, so their windows need hours. */
async function hoursOfTrade(need: Need, context: FitContext): Promise<AlignedPrices> {
  const points = HOURS_PER_DAY * need.lookbackDays + need.termSteps(1);
  const windows = await hoursOfMarks(need, points, context);
  const faults = windows.flatMap((hourly, i) =>
    'missing' in hourly && canMove(need, i) ? [{ i, hourly }] : [],
  );
  if (faults.length > 0) {
    const symbols = faults.map(({ i }) => need.portfolio.symbols[i]).join(', ');
    throw missingHours(
      `HISTORICAL needs hourly prices of ${symbols} for the lookback and the trade before it`,
      need,
      faults,
    );
  }
  if (windows.length === 1) return windows[0] as AlignedPrices;
  const daily = await closesByTheHour(need, points, context);
  return joined(need, windows, i => daily(need.portfolio.symbols[i]));
}
