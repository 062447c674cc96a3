/** BOOTSTRAP: blocks of the joint returns of the window, of hours where the store has them, else of days (Politis and Romano 1994). */
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { AlignedPrices } from '../../market/market-data.ts';
import { MIN_BOOTSTRAP_DAYS } from '../calibration/bootstrap.ts';
import { calibrateInThread } from '../calibration/calibration-pool.ts';
import { isStablecoin, requireReturns } from '../calibration/degrees-of-freedom.ts';
import { logReturns } from '../calibration/log-returns.ts';
import { covarianceMembers } from './fitted-model.ts';
import { GBM } from './gbm.ts';
import type { FitContext, Methodology, Need } from './methodology.ts';
import { drawnSet, lastDayOf, lookbackCloses, mergeFilled } from './window.ts';

export const BOOTSTRAP: Methodology<'BOOTSTRAP', AlignedPrices> = {
  name: 'BOOTSTRAP',
  title: 'Bootstrap of the window',
  words:
    'Stationary bootstrap: blocks of the joint past returns of all assets, hourly where the store has hours.',
  assumption: 'days of the window in another order',
  kind: 'bootstrap',
  questions: GBM.questions,
  draws: true,
  takesShock: true,
  fitCost: { secondsPerFit: 0, secondsPerAssetDay: 5e-5 },
  read: lookbackCloses,
  async fit(closes, need, context) {
    const { portfolio, volatilityShock } = need;
    requireReturns('BOOTSTRAP', MIN_BOOTSTRAP_DAYS, need.lookbackDays);
    const hours = await hourlyPrices(need, closes, context);
    const stepsPerRow = hours === undefined ? 24 : 1;
    const { scenarios, covariance } = await calibrateInThread(
      'bootstrap',
      {
        symbols: portfolio.symbols,
        days: closes.prices,
        hours: hours?.prices,
        volatilityShock,
        seed: context.seed,
      },
      context,
    );
    const rows = scenarios.rows.length / scenarios.assets;
    return {
      scenarios,
      ...drawnSet(need, { gridHours: stepsPerRow, filled: hours?.filled ?? closes.filled }, covariance),
      // The horizons of value at risk are whole rows.
      horizonHours: stepsPerRow,
      rows,
      fitted: {
        members: {
          ...covarianceMembers(portfolio.symbols, covariance),
          rows,
          hours_per_row: stepsPerRow,
          mean_block_rows: scenarios.blockRows,
        },
        closes: rows + 1,
        warnings: gridWarnings(
          portfolio.symbols,
          stepsPerRow,
          hours?.bridged.filter(i => scenarios.deviation[i] > 0) ?? [],
        ),
      },
    };
  },
};

/**
 * Hourly closes where every asset that moves has hours over the whole window; stablecoins and constant assets are bridged. Undefined where
 * rows have to be days.
 */
async function hourlyPrices(need: Need, closes: AlignedPrices, context: FitContext) {
  const { symbols } = need.portfolio;
  const lastDay = lastDayOf(need, context);
  const points = HOURS_PER_DAY * need.lookbackDays + 1;
  const windows = await Promise.all(
    symbols.map(symbol => context.market.hourlyCloses(symbol, lastDay, points)),
  );
  const held = windows.flatMap(window => ('missing' in window ? [] : [window]));
  const isConstant = (returns: Float64Array) => returns.every(r => r === returns[0]);
  const canBeBridged = (i: number) => isStablecoin(symbols[i]) || isConstant(logReturns(closes.prices[i]));
  if (held.length === 0 || windows.some((window, i) => 'missing' in window && !canBeBridged(i)))
    return undefined;
  const bridged = symbols.flatMap((_, i) => ('missing' in windows[i] ? [i] : []));
  const filled = mergeFilled(
    held.flatMap(window => window.filled),
    closes.filled.filter(({ symbol }) => bridged.includes(symbols.indexOf(symbol))),
  );
  const prices = windows.map(window => ('missing' in window ? undefined : window.prices[0]));
  return { prices, filled, bridged };
}

/** Warnings about simulated hours: of all assets, or of those with daily prices only. */
function gridWarnings(
  symbols: readonly string[],
  stepsPerRow: 1 | 24,
  bridged: readonly number[],
): readonly Warning[] {
  return [
    ...warnIf(
      stepsPerRow === 24,
      'daily-grid',
      'The rows are daily returns, because not every asset that moves has hourly prices over the whole window: moves within a day are simulated, not observed.',
    ),
    // Of daily rows no asset is bridged.
    ...warnIf(
      bridged.length > 0,
      'bridged-hours',
      `${bridged.map(i => symbols[i]).join(', ')} ${bridged.length === 1 ? 'has' : 'have'} daily prices only: the hours between are simulated ` +
        'with noise that depends on the seed. Shares of rare events of a loan against it differ between seeds by more than their intervals.',
    ),
  ];
}
