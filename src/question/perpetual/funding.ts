/**
 * The funding rate of a perpetual: as it was sent, or the mean over time of the settlements of the lookback.
 *
 * Must not know: positions, plans.
 */
import { refuseIfFaulty } from '../../core/errors.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { FundingRates, MarketData, MarketTriple } from '../../market/market-data.ts';
import { describeMarket } from '../../market/missing-data.ts';
import type { PerpetualTerms } from './request.ts';

/** The settlements behind a mean rate. */
export interface FundingSource {
  readonly market: MarketTriple;
  readonly settlements: number;
}

export interface Funding {
  /** Fraction of the notional per interval of the request. */
  readonly ratePerInterval: number;
  /** Absent where the rate was sent. */
  readonly source?: FundingSource;
}

/**
 * The funding rate of a request.
 *
 * @throws MissingMarketData where settlements of the lookback are missing
 * @throws RiskError `invalid-request` where the request's interval differs from the settlements'
 */
export async function fundingOf(
  request: PerpetualTerms,
  { market, now }: { readonly market: MarketData; readonly now: Date },
): Promise<Funding> {
  const { funding_rate, funding_interval_hour: interval } = request;
  if (funding_rate !== 'historical') return { ratePerInterval: funding_rate };
  const lastDay = lastCompleteDay(request.analysis_date, now);
  const settled = await market.fundingRates(request.market, lastDay, request.model_lookback);
  const intervals = intervalsOf(settled);
  if (!intervals.includes(interval)) {
    const message =
      `funding_interval_hour must be ${intervals.join(' or ')}, the time between settlements of ${describeMarket(settled.market)}, ` +
      `where funding_rate is "historical"; got ${interval}`;
    refuseIfFaulty([{ code: 'inconsistent', path: 'funding_interval_hour', message }]);
  }
  return {
    ratePerInterval: meanRate(settled, interval),
    source: { market: settled.market, settlements: settled.rates.length },
  };
}

/** The times between settlements, hours, rising. */
export const intervalsOf = ({ hours }: FundingRates): readonly number[] =>
  [...new Set(hours)].sort((a, b) => a - b);

/** The mean rate of an interval, which is one of those of the settlements. */
export function meanRate(settled: FundingRates, interval: number): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  // Where the interval changes, a rate counts for the hours before it.
  const settlements =
    intervalsOf(settled).length === 1 ? settled.rates.length : sum(settled.hours) / interval;
  return sum(settled.rates) / settlements;
}
