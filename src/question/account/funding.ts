/** Funding of the positions of an account: rates as sent, means of settled rates, and processes as sent or fitted (docs/accounts.md). */
import { type Fault, refuseIfFaulty } from '../../core/errors.ts';
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import type { AccountProduct, FundingProcess } from '../../core/plan/product/account.ts';
import { mean, sampleStandardDeviation } from '../../core/stats/moments.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { FundingRates, MarketData } from '../../market/market-data.ts';
import { describeMarket } from '../../market/missing-data.ts';
import { intervalsOf, meanRate } from '../perpetual/funding.ts';
import type { AccountPosition, ResolvedAccount } from './resolve.ts';
import { ofMarket } from './venues/rule-set.ts';

export interface AccountFunding {
  readonly processes: AccountProduct['processes'];
  /** Per position: a constant rate, or the place of its process. */
  readonly rows: readonly { readonly rate: number; readonly process?: number }[];
}

const MOST_PHI = 0.999;
const PREMIUM_HOURS = 1;
/** Part of the sample that the sums of a fit may cover at most. */
const SUMS_OF_SAMPLE = 10;

/** The rate of each position. @throws MissingMarketData, or RiskError `invalid-request` */
export async function fundingOfAccount(
  account: ResolvedAccount,
  { market, now }: { readonly market: MarketData; readonly now: Date },
): Promise<AccountFunding> {
  const { terms, assets } = account;
  const lastDay = lastCompleteDay(terms.analysis_date, now);
  const settled = new Map<string, FundingRates>();
  const faults: Fault[] = [];
  for (const [i, row] of terms.positions.entries()) {
    if (!readsRates(row)) continue;
    const known =
      settled.get(row.market) ?? (await market.fundingRates(row.market, lastDay, terms.model_lookback));
    settled.set(row.market, known);
    const isFitted = row.funding_rate !== 'historical';
    const intervals = intervalsOf(known);
    const [only] = intervals;
    if (isFitted && intervals.length > 1)
      faults.push({
        code: 'inconsistent',
        path: `params.positions.${i}.funding_rate`,
        message:
          `positions.${i}.funding_rate must be no fit where the time between settlements of ${describeMarket(known.market)} changes ` +
          `within the lookback; got ${intervals.join(' and ')} hours: shorten model_lookback, or send the process`,
      });
    else if (isFitted ? row.funding_interval_hour !== only : !intervals.includes(row.funding_interval_hour))
      faults.push({
        code: 'inconsistent',
        path: `params.positions.${i}.funding_interval_hour`,
        message:
          `positions.${i}.funding_interval_hour must be ${intervals.join(' or ')}, the time between settlements of ` +
          `${describeMarket(known.market)}, where the rate is from them; got ${row.funding_interval_hour}`,
      });
  }
  refuseIfFaulty(faults);
  const processes: FundingProcess[] = [];
  const places = new Map<string, number>();
  const rows: { rate: number; process?: number }[] = [];
  // The number of a stream is the rank of market and contract type.
  const contracts = [...new Set(terms.positions.map(contractOf))].sort();
  for (const row of terms.positions) {
    const { funding_rate, market: symbol } = row;
    const held = settled.get(symbol);
    const rates = held?.rates;
    if (typeof funding_rate === 'number') rows.push({ rate: funding_rate });
    else if (funding_rate === 'historical')
      rows.push({ rate: held === undefined ? 0 : meanRate(held, row.funding_interval_hour) });
    else {
      const contract = contractOf(row);
      const known = places.get(contract);
      if (known === undefined) {
        const asset = assets.indexOf(symbol);
        const fitted =
          'fit' in funding_rate
            ? await fittedRates(row, rates ?? new Float64Array(), terms.horizon_hours, market, lastDay)
            : sentProcess(row);
        places.set(contract, processes.length);
        processes.push({ ...fitted, asset, rank: contracts.indexOf(contract), ...venueTerms(account, row) });
      }
      rows.push({ rate: 0, process: places.get(contract) as number });
    }
  }
  return { processes, rows };
}

const contractOf = ({ market, contract_type }: AccountPosition) => `${market} ${contract_type}`;

const readsRates = ({ funding_rate }: AccountPosition): boolean =>
  funding_rate === 'historical' || (typeof funding_rate === 'object' && 'fit' in funding_rate);

type Shocks = Pick<FundingProcess, 'of' | 'mean' | 'deviation' | 'phi' | 'correlation' | 'start'>;

function sentProcess({ funding_rate, funding_interval_hour }: AccountPosition): Shocks {
  if (typeof funding_rate !== 'object' || 'fit' in funding_rate) throw new RangeError('no process is sent');
  const { process, half_life_hours, ...own } = funding_rate;
  const step = process === 'rate' ? funding_interval_hour : PREMIUM_HOURS;
  return {
    of: process,
    mean: own.mean,
    deviation: own.deviation,
    correlation: own.correlation,
    start: 'start' in own && own.start !== undefined ? own.start : own.mean,
    phi: 0.5 ** (step / half_life_hours),
  };
}

/** What the venue decides: interest and clamp of a premium, the largest rate. */
function venueTerms(
  { rules: { funding = {} } }: ResolvedAccount,
  { market, funding_interval_hour }: AccountPosition,
): Pick<FundingProcess, 'intervalHours' | 'interest' | 'clamp' | 'linearWeights' | 'cap'> {
  const cap = ofMarket(funding.cap, market);
  return {
    intervalHours: funding_interval_hour,
    interest: funding.interest ?? 0,
    clamp: funding.clamp ?? 0,
    linearWeights: funding.weights === 'linear',
    ...(cap === undefined ? {} : { cap }),
  };
}

/** A process of rates with the mean, the deviation and the persistence of the settled ones. */
async function fittedRates(
  { market: symbol, funding_interval_hour: interval }: AccountPosition,
  rates: Float64Array,
  horizonHours: number,
  market: MarketData,
  lastDay: number,
): Promise<Shocks> {
  const sums = Math.min(Math.floor(horizonHours / interval), Math.floor(rates.length / SUMS_OF_SAMPLE));
  const phi = persistenceOf(rates, sums);
  const average = mean(rates);
  const deviation = sampleStandardDeviation(rates);
  const hours = await market.hourlyCloses(symbol, lastDay, rates.length * interval + 1);
  if ('missing' in hours)
    refuseIfFaulty([
      {
        code: 'no_data',
        path: 'params.positions',
        message: `positions of ${symbol}: a fitted process follows hourly returns, and some are missing: ${hours.missing}`,
      },
    ]);
  const closes = 'missing' in hours ? new Float64Array() : hours.prices[0];
  return {
    of: 'rate',
    mean: average,
    deviation,
    phi,
    start: rates[rates.length - 1],
    correlation: shockCorrelation(rates, closes, { interval, average, phi }),
  };
}

/** The phi with which sums of k rates of a process have the variance of those of the sample. */
export function persistenceOf(rates: Float64Array, k: number): number {
  const average = mean(rates);
  const variance = rates.reduce((sum, rate) => sum + (rate - average) ** 2, 0) / rates.length;
  if (k < 2 || variance === 0) return 0;
  let wanted = 0;
  let sum = 0;
  for (let t = 0; t < rates.length; t++) {
    sum += rates[t] - average - (t >= k ? rates[t - k] - average : 0);
    if (t >= k - 1) wanted += sum * sum;
  }
  wanted /= rates.length - k + 1;
  const of = (phi: number) => {
    let factor = k;
    for (let j = 1, power = phi; j < k; j++, power *= phi) factor += 2 * (k - j) * power;
    return variance * factor;
  };
  let [low, high] = [0, MOST_PHI];
  if (of(low) >= wanted) return low;
  if (of(high) <= wanted) return high;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (of(middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Correlation of the shocks of the rates with the returns of their intervals. @param closes hourly, the last at the last settlement */
function shockCorrelation(
  rates: Float64Array,
  closes: Float64Array,
  { interval, average, phi }: { readonly interval: number; readonly average: number; readonly phi: number },
): number {
  let [xy, xx, yy] = [0, 0, 0];
  for (let k = 1; k < rates.length; k++) {
    const x = rates[k] - average - phi * (rates[k - 1] - average);
    const y = Math.log(closes[(k + 1) * interval] / closes[k * interval]);
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return xx === 0 || yy === 0 ? 0 : Math.min(1, Math.max(-1, xy / Math.sqrt(xx * yy)));
}

/** Days of a horizon above which constant rates have a warning. */
export const CONSTANT_FUNDING_HOURS = 7 * HOURS_PER_DAY;
