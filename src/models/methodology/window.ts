/** Windows of prices of methodologies. */
import { RiskError } from '../../core/errors.ts';
import type { VolatilityFigures } from '../../core/figures/window.ts';
import { type GridHours, HOURS_PER_DAY } from '../../core/plan/grid.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { AlignedPrices, FilledSeries, MissingHours } from '../../market/market-data.ts';
import { isSteady } from '../../text/symbols.ts';
import { portfolioVolatility } from '../calibration/portfolio-volatility.ts';
import type { FitContext, Need } from './methodology.ts';

/** The day whose close is the last of the window. */
export const lastDayOf = ({ analysisDate }: Need, { now }: FitContext) => lastCompleteDay(analysisDate, now);

/** The daily closes of the lookback: one more than it has returns. */
export function lookbackCloses(need: Need, context: FitContext): Promise<AlignedPrices> {
  return context.market.dailyCloses(need.portfolio.symbols, lastDayOf(need, context), need.lookbackDays + 1);
}

/** Closes of marks: on one grid for their correlations, and for the volatility of each its own series. */
export interface MarkCloses extends AlignedPrices {
  /** One an asset; absent where `prices` serves for both. */
  readonly own?: readonly { readonly prices: Float64Array; readonly gridHours: GridHours }[];
}

type Hours = AlignedPrices | MissingHours;

/** The last `points` hourly closes of each mark up to the end of the window, or the missing ones. */
export const hoursOfMarks = (need: Need, points: number, context: FitContext): Promise<readonly Hours[]> =>
  Promise.all(
    need.portfolio.symbols.map(symbol =>
      context.market.hourlyCloses(symbol, lastDayOf(need, context), points),
    ),
  );

/** Whether a mark needs hours: stablecoins beside other assets do not. */
export const canMove = ({ portfolio: { symbols } }: Need, i: number): boolean =>
  symbols.length === 1 || !isSteady(symbols[i]);

/**
 * Hourly closes of the marks where the store has hours of the window, daily ones where it has none. A window with a part of its hours is
 * refused: daily closes can show half the risk (methodology 7.3). Of several marks, volatilities are those of their own series; correlations
 * are hourly where every mark has hours but stablecoins, which then have correlation 0, else daily.
 */
export async function closesOfMarks(need: Need, context: FitContext): Promise<MarkCloses> {
  const windows = await hoursOfMarks(need, HOURS_PER_DAY * need.lookbackDays + 1, context);
  const { symbols } = need.portfolio;
  const partly = windows.flatMap((hourly, i) =>
    'missing' in hourly && hourly.partlyHeld && canMove(need, i) ? [{ i, hourly }] : [],
  );
  if (partly.length > 0) {
    const names = partly.map(({ i }) => symbols[i]).join(', ');
    throw missingHours(`The volatility of ${names} is that of its hours, and some are missing`, need, partly);
  }
  const isHourly = (i: number) => canMove(need, i) && !('missing' in windows[i]);
  if (symbols.length === 1)
    return isHourly(0) ? (windows[0] as AlignedPrices) : lookbackCloses(need, context);
  const daily = await lookbackCloses(need, context);
  const moving = symbols.flatMap((_, i) => (canMove(need, i) ? [i] : []));
  const ofHours = (i: number) => (windows[i] as AlignedPrices).prices[0];
  const own = symbols.map((_, i) =>
    isHourly(i)
      ? { prices: ofHours(i), gridHours: 1 as const }
      : { prices: daily.prices[i], gridHours: 24 as const },
  );
  if (moving.length === 0 || !moving.every(isHourly)) return { ...daily, own };
  const steady = new Float64Array(HOURS_PER_DAY * need.lookbackDays + 1).fill(1);
  const onGrid = joined(need, windows, () => steady);
  const bridged = daily.filled.filter(({ symbol }) => !isHourly(symbols.indexOf(symbol)));
  return { ...onGrid, filled: mergeFilled(onGrid.filled, bridged), own };
}

/** Hourly windows of the marks that move side by side, the others' prices in their place. */
export function joined(
  { portfolio: { symbols } }: Need,
  windows: readonly Hours[],
  inPlace: (i: number) => Float64Array,
): AlignedPrices {
  const held = windows.map((window, i) => ('missing' in window || isSteady(symbols[i]) ? undefined : window));
  return {
    symbols,
    gridHours: 1,
    prices: held.map((window, i) => window?.prices[0] ?? inPlace(i)),
    filled: held.flatMap(window => window?.filled ?? []),
    carried: new Set(held.flatMap(window => [...(window?.carried ?? [])])),
  };
}

/** Daily closes of stablecoins as so many hours: each hour has the close of the day before it ends. */
export async function closesByTheHour(need: Need, points: number, context: FitContext) {
  const steady = need.portfolio.symbols.filter(isSteady);
  const days = Math.ceil(points / HOURS_PER_DAY) + 1;
  const { prices } =
    steady.length === 0
      ? { prices: [] }
      : await context.market.dailyCloses(steady, lastDayOf(need, context), days);
  return (symbol: string): Float64Array => {
    const closes = prices[steady.indexOf(symbol)];
    return Float64Array.from(
      { length: points },
      (_, t) => closes[days - 1 - Math.ceil((points - 1 - t) / HOURS_PER_DAY)],
    );
  };
}

/** @param missing the marks without hours, by their place */
export const missingHours = (
  sentence: string,
  { portfolio: { symbols } }: Need,
  missing: readonly { readonly i: number; readonly hourly: MissingHours }[],
): RiskError =>
  new RiskError(
    'missing-market-data',
    `${sentence}: ${missing.map(({ hourly }) => hourly.missing).join('; ')}`,
    {
      faults: missing.map(({ i, hourly }) => ({
        code: 'no_data' as const,
        path: symbols[i],
        message: hourly.missing,
      })),
    },
  );

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
