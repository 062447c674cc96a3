/**
 * Which series a store holds, and how they are named and spaced.
 *
 * Must not know: windows, files that series came from.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { formatIsoDate } from '../../request/calendar-date.ts';
import type { SeriesKind, SeriesSummary } from '../market-data.ts';

/** Where a series was imported from: a folder of the layout. */
export type SourceName = 'daily' | 'hourly' | 'stablecoin' | 'dvol' | 'exchange_volume' | 'funding';

/** The exchange whose bars `daily/` and `hourly/` hold. */
export const BAR_EXCHANGE = 'binance';
/** Quotes of bars that are taken as USD one to one, the preferred first. */
export const BAR_QUOTES = ['USDT', 'USDC'] as const;

/** What names a series; quote and exchange are empty where a source has none. */
export interface SeriesKey {
  readonly source: SourceName;
  readonly symbol: string;
  readonly quote: string;
  readonly exchange: string;
}

/** A series of the store and the extent of its observations. */
export interface StoredSeries extends SeriesKey {
  readonly id: number;
  readonly rows: number;
  /** Hours since 1970 of the first and last `final_at`. */
  readonly firstHour: number;
  readonly lastHour: number;
}

/** The kind of number in each source, hours between two of them, and hours from a row's stamp to its `final_at`. */
export const SOURCES: Readonly<
  Record<
    SourceName,
    { readonly kind: SeriesKind; readonly stepHours: number; readonly stampedHoursBefore: number }
  >
> = {
  daily: { kind: 'daily prices', stepHours: 24, stampedHoursBefore: 24 },
  hourly: { kind: 'hourly prices', stepHours: 1, stampedHoursBefore: 1 },
  // A snapshot of 00:00 is stamped with the moment itself, and is the close of the day before.
  stablecoin: { kind: 'daily prices', stepHours: 24, stampedHoursBefore: 0 },
  dvol: { kind: 'volatility index', stepHours: 24, stampedHoursBefore: 24 },
  exchange_volume: { kind: 'daily volume', stepHours: 24, stampedHoursBefore: 24 },
  funding: { kind: 'funding rate', stepHours: 8, stampedHoursBefore: 0 },
};

/** Every series with at least one observation, sorted by source, symbol, quote and exchange. */
export async function readDirectory(connection: DuckDBConnection): Promise<readonly StoredSeries[]> {
  const result = await connection.runAndReadAll(`
    SELECT id, source, symbol, quote, exchange, count(*)::INTEGER AS rows,
      (min(epoch_ms(final_at)) // 3600000)::INTEGER AS "firstHour",
      (max(epoch_ms(final_at)) // 3600000)::INTEGER AS "lastHour"
    FROM series JOIN observation ON observation.series = series.id
    GROUP BY ALL ORDER BY source, symbol, quote, exchange`);
  return result.getRowObjects() as unknown as StoredSeries[];
}

/** A series as a list for people shows it. */
export function summarise(series: StoredSeries): SeriesSummary {
  const { kind, stepHours, stampedHoursBefore } = SOURCES[series.source];
  const stamp = (finalHour: number): string => {
    const hour = finalHour - stampedHoursBefore;
    const date = formatIsoDate(Math.floor(hour / 24));
    return stepHours === 24 ? date : `${date}T${String(hour % 24).padStart(2, '0')}:00Z`;
  };
  return {
    source: series.source,
    kind,
    symbol: nameOf(series, kind),
    first: stamp(series.firstHour),
    last: stamp(series.lastHour),
    rows: series.rows,
    gaps: (series.lastHour - series.firstHour) / stepHours + 1 - series.rows,
  };
}

/** Prices are an asset's, whatever they were quoted in; volumes and funding rates are a market's. */
function nameOf({ symbol, quote, exchange }: SeriesKey, kind: SeriesKind): string {
  if (quote === '' || (kind.endsWith('prices') && quote === BAR_QUOTES[0])) return symbol;
  return `${symbol}/${quote} ${exchange}`;
}
