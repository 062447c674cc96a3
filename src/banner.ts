/** What a person sees when the service has started: where it is, what it runs on, and one line that tries it. */

import type { MarketData } from './market/market-data.ts';
import { formatCalendarDate, parseIsoDate } from './request/calendar-date.ts';
import type { Service } from './service.ts';

/** The banner, a few lines of text. It holds the key made for this run, so it goes to standard output and no log. */
export async function banner({ url, key, version, market, engines }: Service): Promise<string> {
  const keyLine =
    key === undefined ? 'as configured in API_KEYS' : `${key}  (made for this run; API_KEYS sets your own)`;
  const gpu = engines.gpu?.description.device ?? 'none';
  return `collateral-risk-engine ${version}

  address  ${url}
  key      ${keyLine}
  engine   ${engines.reason}
  gpu      ${gpu}
  cpu      ${engines.cpu.description.device}
  market   ${market.description}

Try it:

  ${await curlLine(url, key, market)}

`;
}

/** One line for a shell. A configured key is not known here, only its digest: the line then takes $API_KEY. */
async function curlLine(url: string, key: string | undefined, market: MarketData): Promise<string> {
  const date = market.sample ? 'today' : await lastCommonDay(market);
  if (date === undefined) return `curl -s ${url}/healthz`;
  const params = {
    collateral_weights: { BTC: 1 },
    loan_weights: { USD: 1 },
    ...(date === 'today' ? {} : { analysis_date: date }),
    model_lookback: 30,
    loan_duration: 60,
    mc_top_up: 24,
    loan_value: 5000,
    N: 1.5,
    M: 1.3,
    L: 1.1,
    R: 1.7,
    mc_iter: 20_000,
  };
  const body = JSON.stringify({ type: 'GBM', params });
  return `curl -s ${url}/loan_risk -H "x-api-key: ${key ?? '$API_KEY'}" -H 'Content-Type: application/json' -d '${body}'`;
}

/** `MM-DD-YYYY` of the last day on which both BTC and USDC surely have a close; undefined where a store lacks one. */
async function lastCommonDay(market: MarketData): Promise<string | undefined> {
  const series = await market.list();
  const lastDays = ['BTC', 'USDC'].map(symbol => {
    const days = series
      .filter(each => each.symbol === symbol && each.kind === 'daily prices')
      .map(({ last }) => parseIsoDate(last) ?? Number.NEGATIVE_INFINITY);
    return Math.max(Number.NEGATIVE_INFINITY, ...days);
  });
  const day = Math.min(...lastDays);
  // A snapshot of a day's first hour is the close of the day before.
  return Number.isFinite(day) ? formatCalendarDate(day - 1) : undefined;
}
