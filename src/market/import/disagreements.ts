/**
 * Two sources of one market's volume, `daily/` and `exchange_volume/`, must tell the same. `daily/` is used where
 * both have a day; where they differ, whoever imports is told.
 */
import type { DuckDBConnection } from '@duckdb/node-api';

/** Days on which the two sources of a market's volume differ. */
export interface MarketDisagreement {
  /** `BTC/USDT binance`. */
  readonly market: string;
  readonly days: number;
  /** ISO date of the first. */
  readonly firstDay: string;
}

/** Files round volumes to about 8 digits; a larger relative difference is not rounding. */
const ROUNDING = 1e-6;

/** Every market on which the sources differ by more than rounding. */
export async function marketDisagreements(
  connection: DuckDBConnection,
): Promise<readonly MarketDisagreement[]> {
  const result = await connection.runAndReadAll(`
    SELECT bars.symbol || '/' || bars.quote || ' ' || bars.exchange AS market, count(*)::INTEGER AS days,
      strftime(min(a.final_at) - INTERVAL 1 DAY, '%Y-%m-%d') AS "firstDay"
    FROM series AS bars
    JOIN series AS columns USING (symbol, quote, exchange)
    JOIN observation AS a ON a.series = bars.id
    JOIN observation AS b ON b.series = columns.id AND b.final_at = a.final_at
    WHERE bars.source = 'daily' AND columns.source = 'exchange_volume'
      AND abs(a.volume - b.volume) > ${ROUNDING} * greatest(a.volume, b.volume)
    GROUP BY market ORDER BY market`);
  return result.getRowObjects() as unknown as MarketDisagreement[];
}
