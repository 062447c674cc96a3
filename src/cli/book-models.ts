/**
 * Questions about the loans of a tape to a service of one's own: /book_risk once for each methodology, /backtest on the basket of the
 * collateral, volumes of its assets.
 */
import { type Day, formatCalendarDate } from '../calendar-date.ts';
import { RiskError } from '../core/errors.ts';
import { quantilesType7 } from '../core/stats/quantile.ts';
import type { Warning } from '../core/warnings.ts';
import type { AssetVolume, Interval, Judged, LoanFigures, ModelRun } from '../desk/result.ts';
import type { MarketData } from '../market/market-data.ts';
import { METHODOLOGIES, type MethodologyName } from '../methodology/methodologies.ts';
import { type BookRow, pricesOfRows } from '../tape/book-rows.ts';
import type { Prices } from '../tape/valuation.ts';
import { askAsJob } from './backtest-job.ts';
import { type Asked, placeAt, reach, wholeText } from './own-service.ts';

export interface ModelTerms {
  readonly asOf: Day;
  /** At which the amounts of the rows are valued. */
  readonly prices: Prices;
  readonly lookbackDays: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelayHours: number;
  readonly saleCost: number;
  readonly seed: number;
}

export interface AnsweredModel extends ModelRun {
  readonly Loans: Readonly<Record<string, LoanFigures>>;
  readonly Accuracy: Readonly<Record<string, Interval>>;
}

interface BookAnswer {
  readonly Output: Pick<AnsweredModel, 'Book' | 'Loans' | 'Borrowers'>;
  readonly Warnings?: readonly Warning[];
  readonly Accuracy?: { readonly figures: { readonly Book: Readonly<Record<string, unknown>> } };
}

/** Levels and means of the figures that the headline names. */
const HEADLINES = ['LossVar', 'LossCVar'] as const;

/** @throws RiskError where the question is refused */
export async function askModel(
  { url, key }: Asked,
  type: MethodologyName,
  rows: readonly BookRow[],
  terms: ModelTerms,
): Promise<AnsweredModel> {
  const target = placeAt(url, '/book_risk');
  target.searchParams.set('include', 'accuracy,warnings');
  const response = await reach(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-seed': String(terms.seed) },
    body: JSON.stringify({
      type,
      params: {
        analysis_date: formatCalendarDate(terms.asOf),
        model_lookback: terms.lookbackDays,
        ...(METHODOLOGIES[type].draws ? { mc_iter: terms.paths } : {}),
        quantile: terms.levels,
        sale_delay: terms.saleDelayHours,
        sale_cost: terms.saleCost,
        prices: pricesOfRows(rows, terms.prices),
        loans: rows,
      },
    }),
  });
  const text = await wholeText(response);
  if (!response.ok) throw new RiskError('invalid-request', `${type}: ${detailOf(text)}`);
  const { Output, Warnings = [], Accuracy } = JSON.parse(text) as BookAnswer;
  const { Loans, Book, Borrowers } = Output;
  return {
    Loans,
    Book,
    ...(Borrowers && { Borrowers }),
    Warnings,
    Accuracy: intervalsOf(Accuracy?.figures.Book),
  };
}

/** `LossVar 0.99`: the intervals of some figures by their names and levels. */
function intervalsOf(figures: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, Interval>> {
  return Object.fromEntries(
    HEADLINES.flatMap(name =>
      Object.entries((figures[name] ?? {}) as Readonly<Record<string, Interval>>).map(
        ([level, { low, high }]) => [`${name} ${level}`, { low, high }],
      ),
    ),
  );
}

/** Days of which the median volume is taken. */
const VOLUME_DAYS = 90;

/** What an asset trades in a day over all markets of the store that have volumes; null where there are none. */
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
      // A market without a volume of every day is none whose volume can be counted on.
      if (!(error instanceof RiskError) || error.reason !== 'missing-market-data') throw error;
    }
  }
  if (taken.length === 0) return null;
  return { MedianDailyUsd: quantilesType7(total, [0.5])[0], Days: VOLUME_DAYS, Markets: taken };
}

export interface BacktestTerms extends ModelTerms {
  /** Days that are judged. */
  readonly days: number;
}

const BACKTEST_PATHS = 2000;

interface BacktestAnswer {
  readonly Output: {
    readonly Forecasts: number;
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
 * @returns why it cannot be judged, where it cannot
 */
export async function judge(
  asked: Asked,
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
    Levels: Object.fromEntries(
      Object.entries(Output.Levels).map(([level, { Exceedances, Expected, Tests, Shortfall }]) => [
        level,
        { Exceedances, Expected, KupiecP: Tests.Kupiec.PValue, Z2P: Shortfall?.Z2.PValue ?? null },
      ]),
    ),
  };
}

/** The sentence of a problem document, and its first fault. */
export function detailOf(text: string): string {
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      readonly detail?: string;
      readonly errors?: readonly { readonly message: string }[];
    };
    return [detail ?? text, ...errors.slice(0, 1).map(({ message }) => message)].join(' ');
  } catch {
    return text;
  }
}
