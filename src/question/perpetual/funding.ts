/**
 * The funding rate of a perpetual: as it was sent, or the mean of what was settled in the lookback.
 *
 * Takes: a request, the market. Gives: a rate per interval and where it is from. Must not know: positions, plans.
 */
import { refuseIfFaulty } from '../../core/errors.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { MarketTriple } from '../../market/market-data.ts';
import { describeMarket } from '../../market/missing-data.ts';
import type { OperationContext } from '../question.ts';
import type { PerpetualRequest } from './request.ts';

/** The settlements that a rate is the mean of. */
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
 * The rate that a request is answered with.
 *
 * @throws MissingMarketData where settlements of the lookback are missing
 * @throws RiskError `invalid-request` where the interval of the request is not that of the settlements
 */
export async function fundingOf(
  request: PerpetualRequest,
  { market, now }: Pick<OperationContext, 'market' | 'now'>,
): Promise<Funding> {
  const { funding_rate, funding_interval_hour: interval } = request;
  if (funding_rate !== 'historical') return { ratePerInterval: funding_rate };
  const lastDay = lastCompleteDay(request.analysis_date, now);
  const held = await market.fundingRates(request.market, lastDay, request.model_lookback);
  if (interval !== held.intervalHours) {
    const message =
      `funding_interval_hour must be ${held.intervalHours}, the time between settlements of ${describeMarket(held.market)}, ` +
      `where funding_rate is "historical"; got ${interval}`;
    refuseIfFaulty([{ path: 'funding_interval_hour', message }]);
  }
  const sum = held.rates.reduce((total, rate) => total + rate, 0);
  return {
    ratePerInterval: sum / held.rates.length,
    source: { market: held.market, settlements: held.rates.length },
  };
}
