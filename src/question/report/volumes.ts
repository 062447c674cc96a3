/** The daily volumes of the assets of a book. */
import { RiskError } from '../../core/errors.ts';
import { quantilesType7 } from '../../core/stats/quantile.ts';
import type { AssetVolume } from '../../desk/result.ts';
import type { MarketData } from '../../market/market-data.ts';
import type { Day } from '../../text/calendar-date.ts';

/** Days of the median volume. */
const VOLUME_DAYS = 90;

/** The daily volume of an asset over all markets with volumes in the store; null without any. */
export async function volumeOf(asset: string, asOf: Day, market: MarketData): Promise<AssetVolume | null> {
  const markets = (await market.list()).filter(
    each =>
      each.asset === asset && (each.kind === 'volume' || each.kind === 'price') && each.exchange !== 'sample',
  );
  const names = new Map(markets.map(each => [`${each.asset}/${each.quote} ${each.exchange}`, each]));
  const taken: string[] = [];
  const total = new Float64Array(VOLUME_DAYS);
  for (const [name, { quote, exchange }] of names) {
    try {
      const { volumeUsd } = await market.dailyVolumeUsd(
        [{ base: asset, quote, exchange }],
        asOf,
        VOLUME_DAYS,
      );
      volumeUsd.forEach((usd, k) => {
        total[k] += usd;
      });
      taken.push(name);
    } catch (error) {
      // A market without a volume of every day is left out.
      if (!(error instanceof RiskError) || error.reason !== 'missing-market-data') throw error;
    }
  }
  if (taken.length === 0) return null;
  return { MedianDailyUsd: quantilesType7(total, [0.5])[0], Days: VOLUME_DAYS, Markets: taken };
}
