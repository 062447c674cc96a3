/**
 * The table of docs/backtests.md: every methodology of /var on BTC and ETH at 95 and 99 %, over all days that the store has.
 *
 * Takes: a running service. Gives: Markdown. Nothing is chosen by its outcome: one lookback for all, all days.
 */
import { type Day, formatCalendarDate, formatIsoDate, parseIsoDate } from '../calendar-date.ts';
import { RiskError } from '../core/errors.ts';
import type { Service } from '../service.ts';
import { askAsJob } from './backtest-job.ts';
import type { Asked } from './own-service.ts';
import type { ProgressLine } from './progress-line.ts';

const ASSETS = ['BTC', 'ETH'];
const TYPES = ['GBM', 'GBM_VIX', 'HISTORICAL', 'STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP'];
const LOOKBACK_DAYS = 365;
const PATHS = 20_000;
const QUANTILES = [0.95, 0.99];

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
}
interface BacktestAnswer {
  readonly Output: { readonly Forecasts: number; readonly Levels: Readonly<Record<string, Judged>> };
}

/** @throws RiskError where the store lacks one of the assets, or a request is refused */
export async function valueAtRiskTable(
  service: Service & Asked,
  progress: ProgressLine,
  { assets = ASSETS, types = TYPES }: TablePart,
): Promise<string> {
  const runs = assets.flatMap(asset => types.map(type => ({ asset, type })));
  const rows: string[] = [];
  for (const [k, { asset, type }] of runs.entries()) {
    const [from, to] = await daysOf(service, asset, type);
    const params = {
      weights: { [asset]: 1 },
      model_lookback: LOOKBACK_DAYS,
      quantile: QUANTILES,
      from: formatCalendarDate(from),
      to: formatCalendarDate(to),
      ...(type === 'HISTORICAL' ? {} : { mc_iter: PATHS }),
    };
    const { ok, text } = await askAsJob(
      service,
      JSON.stringify({ type, params }),
      {},
      {
        update: share => progress.update((k + share) / runs.length, `${asset} ${type}`),
      },
    );
    if (!ok) throw new RiskError('engine-failed', `${asset} ${type}: ${text}`);
    const { Output } = JSON.parse(text) as BacktestAnswer;
    for (const q of QUANTILES) rows.push(tableRow(asset, type, q, Output, from, to));
  }
  return [
    '| Asset | Methodology | Level | Forecasts | Exceedances | Expected | Kupiec p | Independence p | Both p | Quantile score x 10^4 |',
    '|---|---|---|---|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

/** First and last day of forecasts: with a whole window before them, and a close after them. */
async function daysOf({ market }: Service, asset: string, type: string): Promise<[Day, Day]> {
  const held = market.current();
  const found = (await held.assets()).find(({ symbol }) => symbol === asset);
  if (found === undefined)
    throw new RiskError('missing-market-data', `The store holds no price of ${asset}.`);
  const first = (parseIsoDate(found.firstDay) as Day) + LOOKBACK_DAYS + 1;
  const last = (parseIsoDate(found.lastDay) as Day) - 1;
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
  const { Exceedances, Expected, QuantileScore, Tests } = Levels[String(q)];
  const p = ({ PValue }: Ratio) => PValue.toPrecision(2);
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
    (1e4 * QuantileScore).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}
