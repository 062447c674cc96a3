/** The text for the person who started the service: its address, its engines, and a command that sends a request. */

import type { MarketData } from '../market/market-data.ts';
import { formatCalendarDate, parseIsoDate } from '../text/calendar-date.ts';
import type { Service } from './service.ts';

/** The banner. It contains the key made for this run, so it is written to standard output, not to the log. */
export async function banner({
  url,
  key,
  hasConsole,
  version,
  market: live,
  engines,
}: Service): Promise<string> {
  const market = live.current();
  const keyLine = key === undefined ? 'as configured' : `${key}  (made for this run; API_KEYS sets your own)`;
  const gpu = engines.gpu?.description.device ?? 'none';
  return `collateral-risk-engine ${version}

  address  ${url}
  key      ${keyLine}
${hasConsole ? `  console  ${consoleAddress(url, key)}\n` : ''}  engine   ${engines.reason}
  gpu      ${gpu}
  cpu      ${engines.reference.description.device}
  simd     ${engines.simdKernel === undefined ? 'none' : `${engines.simdKernel.kernel}, ${engines.simdKernel.lanes} lanes`}
  market   ${market.description}

Try it:

  ${await curlLine(url, key, market, engines.gpu?.description.software === true)}

`;
}

/** The console with the key of this run, which it takes from the fragment: browsers send none to a server. */
const consoleAddress = (url: string, key: string | undefined) =>
  key === undefined ? `${url}/` : `${url}/#/loan?key=${key}`;

/** Window of the loan in the command. */
const LOOKBACK_DAYS = 30;

/** A command for a shell. Of a configured key only the digest is known: the command then reads the key, unless $API_KEY is set. */
async function curlLine(
  url: string,
  key: string | undefined,
  market: MarketData,
  softwareGpu: boolean,
): Promise<string> {
  const date = market.sample ? 'today' : await lastCommonDay(market);
  if (date === undefined) return `curl -s ${url}/healthz`;
  const params = {
    collateral_weights: { BTC: 1 },
    loan_weights: { USD: 1 },
    ...(date === 'today' ? {} : { analysis_date: date }),
    model_lookback: LOOKBACK_DAYS,
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
  const readKey = key === undefined ? `[ "$API_KEY" ] || { printf 'Key: '; read -r API_KEY; }; ` : '';
  // auto never selects a software adapter.
  const compute = softwareGpu ? ` -H 'x-compute: gpu'` : '';
  return `${readKey}curl -s ${url}/loan_risk -H "x-api-key: ${key ?? '$API_KEY'}" -H 'Content-Type: application/json'${compute} -d '${body}'`;
}

/** `MM-DD-YYYY` of the last day on which BTC has a window of closes; undefined where a store lacks one. */
async function lastCommonDay(market: MarketData): Promise<string | undefined> {
  const assets = ['BTC'];
  const lastDays = (await market.assets())
    .filter(({ symbol }) => assets.includes(symbol))
    .map(({ lastDay }) => parseIsoDate(lastDay) ?? Number.NEGATIVE_INFINITY);
  if (lastDays.length === 0) return undefined;
  const lastDay = Math.min(...lastDays);
  return market.dailyCloses(assets, lastDay, LOOKBACK_DAYS + 1).then(
    () => formatCalendarDate(lastDay),
    () => undefined,
  );
}
