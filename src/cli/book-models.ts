/** Data of the command `book` beside the models: /backtest on the basket of the collateral, volumes of its assets. */
import { RiskError } from '../core/errors.ts';
import { quantilesType7 } from '../core/stats/quantile.ts';
import { detailOf } from '../desk/ask.ts';
import type { ModelTerms } from '../desk/ask-model.ts';
import type { AssetVolume, Judged } from '../desk/result.ts';
import type { MarketData } from '../market/market-data.ts';
import { METHODOLOGIES, type MethodologyName } from '../models/methodology/methodologies.ts';
import { type Day, formatCalendarDate } from '../text/calendar-date.ts';
import { askAsJob } from './backtest.ts';
import type { ServiceAccess } from './own-service.ts';

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

export interface BacktestTerms extends ModelTerms {
  /** Number of judged days. */
  readonly days: number;
}

const BACKTEST_PATHS = 2000;

interface BacktestAnswer {
  readonly Output: {
    readonly Forecasts: number;
    readonly Carried: number;
    readonly Levels: Readonly<
      Record<
        string,
        {
          readonly Exceedances: number;
          readonly Expected: number;
          readonly Tests: { readonly Kupiec: { readonly PValue: number } };
          readonly Shortfall: { readonly Z2: { readonly PValue: number } } | null;
        }
      >
    >;
  };
}

/**
 * Judges one methodology on the value of a basket, a day ahead, on the days before the last one.
 *
 * @returns the verdict, or the reason of a refusal
 */
export async function judge(
  asked: ServiceAccess,
  type: MethodologyName,
  basket: Readonly<Record<string, number>>,
  terms: BacktestTerms,
  update: (share: number) => void,
): Promise<Judged | string> {
  const params = {
    weights: basket,
    model_lookback: terms.lookbackDays,
    quantile: terms.levels,
    from: formatCalendarDate(terms.asOf - terms.days),
    to: formatCalendarDate(terms.asOf - 1),
    ...(METHODOLOGIES[type].draws ? { mc_iter: BACKTEST_PATHS } : {}),
  };
  const { ok, text } = await askAsJob(
    asked,
    JSON.stringify({ type, params }),
    { seed: terms.seed },
    { update },
  );
  if (!ok) return detailOf(text);
  const { Output } = JSON.parse(text) as BacktestAnswer;
  return {
    Forecasts: Output.Forecasts,
    Carried: Output.Carried,
    Levels: Object.fromEntries(
      Object.entries(Output.Levels).map(([level, { Exceedances, Expected, Tests, Shortfall }]) => [
        level,
        { Exceedances, Expected, KupiecP: Tests.Kupiec.PValue, Z2P: Shortfall?.Z2.PValue ?? null },
      ]),
    ),
  };
}
