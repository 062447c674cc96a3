/**
 * The table of docs/backtests.md: every methodology of /var on BTC, ETH, SOL, half of BTC and ETH each, and BTC less ETH at 95, 97.5 and
 * 99 %, over all days that the store has.
 *
 * Takes: market and engines. Gives: Markdown. Nothing is chosen by its outcome: one lookback for all, all days.
 */
import type { ProgressLine } from '#src/cli/output.js';
import { type OwnRisk, ownBacktest } from '#src/cli/own-risk.js';
import { RiskError } from '#src/core/errors.js';
import { type Day, formatCalendarDate, formatIsoDate, parseIsoDate } from '#src/text/calendar-date.js';

/** Baskets of equal parts; behind a minus what the position is short of, of the same value. */
const ASSETS = ['BTC', 'ETH', 'SOL', 'BTC+ETH', 'BTC-ETH'];
const TYPES = ['GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP'];
const LOOKBACK_DAYS = 365;
const PATHS = 20_000;
const QUANTILES = [0.95, 0.975, 0.99];

/** Symbols of a position. */
const partsOf = (position: string): string[] => position.split(/[+-]/);

/** Weights of a side in equal parts. */
const equalParts = (side: string): Record<string, number> =>
  Object.fromEntries(side.split('+').map((symbol, _, all) => [symbol, 1 / all.length]));

/** The members of a request that say what is held. */
function weightsOf(position: string) {
  const [long, short] = position.split('-');
  return {
    weights: equalParts(long),
    ...(short === undefined ? {} : { short_weights: equalParts(short) }),
  };
}

/** Which rows of a table are made. */
export interface TablePart {
  readonly assets?: readonly string[];
  readonly types?: readonly string[];
}

interface Ratio {
  readonly Statistic: number;
  readonly PValue: number;
}
interface Judged {
  readonly Exceedances: number;
  readonly Expected: number;
  readonly QuantileScore: number;
  readonly Tests: {
    readonly Kupiec: Ratio;
    readonly Independence: Ratio;
    readonly ConditionalCoverage: Ratio;
  };
  readonly Shortfall: {
    readonly Z2: Ratio;
    readonly FZ0: { readonly Score: number; readonly AgainstGbm: { readonly T: number | null } | null };
    readonly EsrStrict: { readonly PValue: number } | null;
    readonly EsrIntercept: { readonly PValue: number; readonly OneSidedPValue: number } | null;
  } | null;
}
interface BacktestAnswer {
  readonly Output: { readonly Forecasts: number; readonly Levels: Readonly<Record<string, Judged>> };
}

/** @throws RiskError where the store lacks one of the assets, or a request is refused */
export async function valueAtRiskTable(
  own: OwnRisk,
  progress: ProgressLine,
  { assets = ASSETS, types = TYPES }: TablePart,
): Promise<string> {
  const runs = assets.flatMap(asset => types.map(type => ({ asset, type })));
  const rows: string[] = [];
  for (const [k, { asset, type }] of runs.entries()) {
    const [from, to] = await daysOf(own, asset, type);
    const params = {
      ...weightsOf(asset),
      model_lookback: LOOKBACK_DAYS,
      quantile: QUANTILES,
      from: formatCalendarDate(from),
      to: formatCalendarDate(to),
      ...(type === 'HISTORICAL' ? {} : { mc_iter: PATHS }),
    };
    const { ok, text } = await ownBacktest(own, {
      body: { type, params },
      onProgress: share => progress.update((k + share) / runs.length, `${asset} ${type}`),
    });
    if (!ok) throw new RiskError('engine-failed', `${asset} ${type}: ${text}`);
    const { Output } = JSON.parse(text) as BacktestAnswer;
    for (const q of QUANTILES) rows.push(tableRow(asset, type, q, Output, from, to));
  }
  return [
    '| Asset | Methodology | Level | Forecasts | Exceedances | Expected | Kupiec p | Independence p | Both p | Z2 | Z2 p | ESR strict p | ESR intercept p | the same, one-sided | FZ0 | t against GBM | Quantile score x 10^4 |',
    '|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

/** First and last day of forecasts: with a whole window before them, and a close after them. */
async function daysOf({ risk: { market } }: OwnRisk, asset: string, type: string): Promise<[Day, Day]> {
  const held = market.current();
  const assets = await held.assets();
  const found = partsOf(asset).map(symbol => {
    const one = assets.find(each => each.symbol === symbol);
    if (one === undefined)
      throw new RiskError('missing-market-data', `The store holds no price of ${symbol}.`);
    return one;
  });
  const first = Math.max(...found.map(each => parseIsoDate(each.firstDay) as Day)) + LOOKBACK_DAYS + 1;
  const last = Math.min(...found.map(each => parseIsoDate(each.lastDay) as Day)) - 1;
  if (type !== 'GBM_VIX') return [first, last];
  const indices = (await held.list()).filter(({ kind }) => kind === 'index');
  const dayOf = (text: string) => parseIsoDate(text.slice(0, 10)) as Day;
  return [
    Math.max(first, ...indices.map(each => dayOf(each.first))),
    Math.min(last, ...indices.map(each => dayOf(each.last))),
  ];
}

function tableRow(
  asset: string,
  type: string,
  q: number,
  { Forecasts, Levels }: BacktestAnswer['Output'],
  from: Day,
  to: Day,
): string {
  const { Exceedances, Expected, QuantileScore, Tests, Shortfall } = Levels[String(q)];
  const p = ({ PValue }: { readonly PValue: number }) => PValue.toPrecision(2);
  const { Z2, FZ0, EsrStrict, EsrIntercept } = Shortfall ?? {};
  const t = FZ0?.AgainstGbm?.T ?? undefined;
  const cells = [
    asset,
    type,
    `${100 * q} %`,
    `${Forecasts} (${formatIsoDate(from)} to ${formatIsoDate(to)})`,
    Exceedances,
    Expected.toFixed(1),
    p(Tests.Kupiec),
    p(Tests.Independence),
    p(Tests.ConditionalCoverage),
    Z2?.Statistic.toFixed(2) ?? '',
    Z2 ? p(Z2) : '',
    EsrStrict ? p(EsrStrict) : '',
    EsrIntercept ? p(EsrIntercept) : '',
    EsrIntercept?.OneSidedPValue.toPrecision(2) ?? '',
    FZ0?.Score.toFixed(4) ?? '',
    t?.toFixed(2) ?? '',
    (1e4 * QuantileScore).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}
