/** Windows of prices of methodologies. */
import { RiskError } from '../../core/errors.ts';
import type { VolatilityFigures } from '../../core/figures/window.ts';
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { AlignedPrices, FilledSeries, MissingHours } from '../../market/market-data.ts';
import { portfolioVolatility } from '../calibration/portfolio-volatility.ts';
import type { FitContext, Need } from './methodology.ts';

/** The day whose close is the last of the window. */
export const lastDayOf = ({ analysisDate }: Need, { now }: FitContext) => lastCompleteDay(analysisDate, now);

/** The daily closes of the lookback: one more than it has returns. */
export function lookbackCloses(need: Need, context: FitContext): Promise<AlignedPrices> {
  return context.market.dailyCloses(need.portfolio.symbols, lastDayOf(need, context), need.lookbackDays + 1);
}

/** The last `points` hourly closes of the mark up to the end of the window, or the missing ones. */
export function hoursOfMark(need: Need, points: number, context: FitContext) {
  return context.market.hourlyCloses(markOf(need), lastDayOf(need, context), points);
}

/**
 * Hourly closes of the mark where the store has hours of the window, daily ones where it has none. A window with a part of its hours is
 * refused: daily closes can show half the risk (methodology 7.3).
 */
export async function closesOfMark(need: Need, context: FitContext): Promise<AlignedPrices> {
  const hourly = await hoursOfMark(need, HOURS_PER_DAY * need.lookbackDays + 1, context);
  if (!('missing' in hourly)) return hourly;
  if (hourly.partlyHeld)
    throw missingHours(
      `The volatility of ${markOf(need)} is that of its hours, and some are missing`,
      hourly,
    );
  return lookbackCloses(need, context);
}

export const markOf = ({ portfolio }: Need): string => portfolio.symbols[0];

export const missingHours = (need: string, { missing }: MissingHours): RiskError =>
  new RiskError('missing-market-data', `${need}: ${missing}`, {
    faults: [{ code: 'no_data', path: 'market', message: missing }],
  });

/** Carried closes and jumps of two windows of one request: where both have a series, the larger count. */
export function mergeFilled(
  first: readonly FilledSeries[],
  second: readonly FilledSeries[],
): readonly FilledSeries[] {
  const merged = new Map<string, FilledSeries>();
  for (const series of [...first, ...second]) {
    const key = `${series.symbol} ${series.unit}`;
    const known = merged.get(key);
    const most = known === undefined || known.count < series.count ? series : known;
    const jump = known?.jump ?? series.jump;
    merged.set(key, jump === undefined ? most : { ...most, jump });
  }
  return [...merged.values()];
}

/** Members of a set of drawn hourly paths. @param annualCovariances of the assets, n x n row-major */
export function drawnSet(
  { portfolio, paths }: Need,
  { gridHours, filled }: Pick<AlignedPrices, 'gridHours' | 'filled'>,
  annualCovariances: Float64Array,
) {
  const figures = portfolioVolatility(portfolio.collateralWeights, portfolio.loanWeights, annualCovariances);
  const volatilityFigures: VolatilityFigures = {
    'Collateral Volatility': figures.collateralVolatility,
    'Loan Volatility': figures.loanVolatility,
    'Collateral/Loan Correlation': figures.correlation,
  };
  return { paths: paths as number, gridHours, stepHours: 1 as const, filled, volatilityFigures };
}
