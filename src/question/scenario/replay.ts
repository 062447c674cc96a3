/**
 * A replay: the hourly closes of a historical window, over its first close, as one path of every asset (part G.2 of the methodology of
 * stress).
 */
import type { Fault } from '../../core/errors.ts';
import type { MarketData } from '../../market/market-data.ts';
import { MissingMarketData } from '../../market/missing-data.ts';
import { assetTracks, type ReplayChoice, type StandIns, type Track } from './asset-track.ts';

/** One path of n assets. */
export interface ReplayPath {
  /** In the order requested: price over the first price, of the first hour, each hour of the window, and `after` more. */
  readonly relatives: readonly Float64Array[];
  /** What replaces missing hours: sentences. */
  readonly proxied: readonly string[];
  /** Assets that follow another one, by that one. */
  readonly follows: Readonly<Record<string, string>>;
  /** Assets whose closes end before the hours after the window do; their last close is repeated. */
  readonly ended: readonly string[];
}

/**
 * The path of a replay.
 *
 * @param after hours after the window, 0 or more
 * @throws MissingMarketData that names every asset without hours and without a proxy
 */
export async function replayPath(
  market: MarketData,
  symbols: readonly string[],
  choice: ReplayChoice,
  after: number,
  standIns: StandIns,
): Promise<ReplayPath> {
  const trackOf = assetTracks(market, choice, after, standIns);
  const points = choice.hours + after + 1;
  const found = await Promise.all(symbols.map(trackOf));
  const faults = symbols.flatMap((symbol, i): Fault[] => {
    const track = found[i];
    return 'missing' in track ? [{ code: 'no_data', path: symbol, message: track.missing }] : [];
  });
  if (faults.length > 0) throw new MissingMarketData(faults);
  const tracks = found as readonly Track[];
  return {
    relatives: tracks.map(({ closes }) =>
      Float64Array.from(
        { length: points },
        (_, hour) => closes[Math.min(hour, closes.length - 1)] / closes[0],
      ),
    ),
    proxied: tracks.flatMap(({ proxied }) => proxied ?? []),
    follows: Object.fromEntries(
      symbols.flatMap((symbol, i) => (tracks[i].follows ? [[symbol, tracks[i].follows]] : [])),
    ),
    ended: symbols.filter((_, i) => tracks[i].closes.length < points),
  };
}
