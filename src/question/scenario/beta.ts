/** How much an asset moves with another: the slope of daily log returns. */
import type { MarketData } from '../../market/market-data.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ReplayWindow } from './library.ts';

/** Days of closes behind a slope, and fewest returns of both assets. */
const DAYS = 365;
const MIN_RETURNS = 30;
/** The same of the days around a window: a week on either side. */
const DAYS_AROUND = 7;
const MIN_RETURNS_AROUND = 10;

/**
 * The slope of the least-squares line of the daily log returns of an asset over those of another, rounded to 0.01; undefined where the
 * market has fewer than 30 returns of both.
 *
 * @param lastDay of the closes
 */
export async function betaOf(
  market: MarketData,
  asset: string,
  other: string,
  lastDay: Day,
): Promise<number | undefined> {
  const [own, others] = await Promise.all(
    [asset, other].map(symbol => market.heldCloses(symbol, lastDay - DAYS, lastDay)),
  );
  return slopeOfReturns(own, others);
}

/** The same of the days of a window, and of a week on either side of it. */
export async function betaAround(
  market: MarketData,
  asset: string,
  other: string,
  { from, hours }: ReplayWindow,
): Promise<number | undefined> {
  const [first, last] = [
    Math.floor(from / 24) - 1 - DAYS_AROUND,
    Math.ceil((from + hours) / 24) - 1 + DAYS_AROUND,
  ];
  const [own, others] = await Promise.all(
    [asset, other].map(symbol => market.heldCloses(symbol, first, last)),
  );
  return slopeOfReturns(own, others, MIN_RETURNS_AROUND);
}

/** @param y closes of consecutive days, NaN where there is none; x the same days */
export function slopeOfReturns(y: Float64Array, x: Float64Array, least = MIN_RETURNS): number | undefined {
  const pairs: (readonly [x: number, y: number])[] = [];
  for (let day = 1; day < y.length; day++) {
    const pair = [Math.log(x[day] / x[day - 1]), Math.log(y[day] / y[day - 1])] as const;
    if (pair.every(Number.isFinite)) pairs.push(pair);
  }
  if (pairs.length < least) return undefined;
  const mean = (of: (pair: readonly [number, number]) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [mx, my] = [mean(([each]) => each), mean(([, each]) => each)];
  const variance = mean(([each]) => (each - mx) ** 2);
  if (variance === 0) return undefined;
  return Math.round((100 * mean(([a, b]) => (a - mx) * (b - my))) / variance) / 100;
}
