/**
 * The jump of a window that no other asset has, as of a coin that was redenominated.
 *
 * Must not know: requests.
 */
import type { Day, Hour } from '../text/calendar-date.ts';
import type { AlignedPrices, WindowJump } from './market-data.ts';
import { DAYS, HOURS } from './missing-data.ts';
import { movesWith, priceJumps } from './price-jumps.ts';
import { type SeriesSource, valueAt } from './series.ts';
import { seriesId } from './store/series-key.ts';

/** Other assets of the market in which a counterpart of a jump is looked for. */
const COUNTERPARTS = 8;

/** The largest jump of a price in a window that no other asset of the window or of the market has. @param first its first point */
export async function windowJump(
  source: SeriesSource,
  { symbols, prices, gridHours }: Pick<AlignedPrices, 'symbols' | 'prices' | 'gridHours'>,
  own: number,
  first: Day | Hour,
): Promise<WindowJump | undefined> {
  const jumps = priceJumps(prices[own]).filter(jump =>
    prices.every((closes, i) => i === own || !movesWith(closes, jump)),
  );
  if (jumps.length === 0) return undefined;
  const others = source
    .symbols()
    .filter(symbol => !symbols.includes(symbol))
    .slice(0, COUNTERPARTS);
  const series = await Promise.all(
    others.map(symbol => (gridHours === 1 ? source.hourlyCloses(symbol) : source.dailyCloses(symbol))),
  );
  const beside = series.flatMap(each =>
    each === undefined ? [] : [prices[own].map((_, i) => valueAt(each, first + i))],
  );
  const alone = jumps.filter(jump => !beside.some(closes => movesWith(closes, jump)));
  if (alone.length === 0) return undefined;
  const { point, factor, scales } = alone.reduce((most, jump) => (jump.scales > most.scales ? jump : most));
  const at = first + point;
  const day = gridHours === 1 ? Math.ceil(at / 24) - 1 : at;
  const stored = (await source.list()).filter(
    each => each.kind === 'price' && each.used && each.asset === symbols[own],
  );
  return {
    at: gridHours === 1 ? HOURS.format(at) : DAYS.format(at),
    firstDay: DAYS.format(day),
    factor,
    scales,
    series: stored.map(seriesId),
  };
}
