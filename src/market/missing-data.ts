/**
 * The messages on missing data: the missing dates, and the available range; of several reads of a request all together.
 *
 * Must not know: where series come from, or which request needed them.
 */
import { type Fault, RiskError } from '../core/errors.ts';
import { type Day, formatHour, formatIsoDate } from '../text/calendar-date.ts';
import { counted } from '../text/counted.ts';
import type { MarketTriple } from './market-data.ts';
import { lastPoint, type Series } from './series.ts';
import { renamedPair } from './symbols.ts';
import type { Run } from './window.ts';

/** Runs of missing points that a message spells out before it counts the rest. */
const RUNS_SHOWN = 10;

/** The points of a grid in words. */
export interface PointNames {
  readonly unit: string;
  format(point: number): string;
}

export const DAYS: PointNames = { unit: 'day', format: formatIsoDate };
/** An hour is named by the moment at which it closes. */
export const HOURS: PointNames = { unit: 'hour', format: formatHour };

/** `2024-01-03, 2024-01-07 to 2024-01-12 (7 days)`; from the 11th run on only their number. */
function describeRuns(runs: readonly Run[], names: PointNames): string {
  const shown = runs
    .slice(0, RUNS_SHOWN)
    .map(({ first, last }) =>
      first === last ? names.format(first) : `${names.format(first)} to ${names.format(last)}`,
    );
  if (runs.length > RUNS_SHOWN) shown.push(`${runs.length - RUNS_SHOWN} more ranges`);
  const points = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return `${shown.join(', ')} (${counted(points, names.unit)})`;
}

/** `2017-08-17 to 2026-06-10`. */
function describeRange(series: Series, names: PointNames): string {
  return `${names.format(series.first)} to ${names.format(lastPoint(series))}`;
}

/** `BTC/USD on kraken`. */
export const describeMarket = ({ base, quote, exchange }: MarketTriple): string =>
  `${base}/${quote} on ${exchange}`;

/** The missing points of a window of `what`, and the available range. */
export function missingSentence(
  what: string,
  series: Series,
  runs: readonly Run[],
  names: PointNames,
): string {
  return `${what} is missing for ${describeRuns(runs, names)}; available: ${describeRange(series, names)}`;
}

/** The rule that joins a symbol to the other name of its coin, where that has a missing point; empty where it has none. */
export async function renamedSentence(
  symbol: string,
  runs: readonly Run[],
  read: (symbol: string) => Promise<Series | undefined>,
): Promise<string> {
  const pair = renamedPair(symbol);
  if (pair === undefined) return '';
  const [from, to] = pair;
  const other = from === symbol ? to : from;
  const series = await read(other);
  if (
    series === undefined ||
    !runs.some(({ first, last }) => first <= lastPoint(series) && last >= series.first)
  )
    return '';
  return (
    `; ${other} has some of them, the other name of the coin: ` +
    `the rule "renamed": {"${from}": "${to}"} of MARKET_RULES joins the two`
  );
}

/** The message that `what` is not available, with the available names. */
export function unknownSentence(what: string, held: readonly string[]): string {
  return `${what} is not available; available: ${held.join(', ') || 'none'}`;
}

/** The market lacks data for a read. */
export class MissingMarketData extends RiskError {
  readonly names: readonly string[];

  /** @param names the missing data in the sentence; the paths of the faults by default */
  constructor(faults: readonly Fault[], names: readonly string[] = faults.map(({ path }) => path)) {
    const distinct = [...new Set(names)];
    super(
      'missing-market-data',
      `The market data that this request needs is not complete: ${distinct.join(', ')}.`,
      { faults },
    );
    this.names = distinct;
  }

  /** One error for several reads. */
  static of(all: readonly MissingMarketData[]): MissingMarketData {
    return new MissingMarketData(
      all.flatMap(({ faults }) => faults),
      all.flatMap(({ names }) => names),
    );
  }
}

/** Before the symbol of an index in the path of a fault. */
export const INDEX_PATH = 'volatility_index.';

/** Before the symbol of a perpetual in the path of a fault on its funding rates. */
export const FUNDING_PATH = 'funding.';

/** Largest age in days of the close of an index. */
export const INDEX_MAX_AGE_DAYS = 2;

/** The message that no index close is near enough to `day`. */
export function missingIndexSentence(symbol: string, day: Day, series: Series | undefined): string {
  const index = `The volatility index of ${symbol}`;
  if (series === undefined) return `${index} is not available`;
  return (
    `${index} has no close on ${formatIsoDate(day)} or the ${INDEX_MAX_AGE_DAYS} days before it; ` +
    `available: ${describeRange(series, DAYS)}`
  );
}

/**
 * Waits for all reads.
 *
 * @returns their results in order
 * @throws MissingMarketData with the faults of every read that lacks data; else the error of the first failed read
 */
export async function readTogether<T extends readonly unknown[]>(
  reads: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const settled = await Promise.allSettled(reads);
  const reasons = settled.flatMap((read): unknown[] => (read.status === 'rejected' ? [read.reason] : []));
  const missing = reasons.filter(reason => reason instanceof MissingMarketData);
  if (reasons.length > missing.length) throw reasons.find(reason => !(reason instanceof MissingMarketData));
  if (missing.length > 0) throw MissingMarketData.of(missing);
  return settled.map(read => (read as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
