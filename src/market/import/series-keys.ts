/**
 * The series of the rows of a file: kind, asset, quote, exchange and timeframe, from the options, the name, the columns and the
 * times.
 *
 * Must not know: numbers.
 */

import { MS_PER_HOUR } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { DOLLAR } from '../../text/symbols.ts';
import {
  EXCHANGE_FORM,
  KIND_TIMEFRAMES,
  type SeriesKey,
  type SeriesKind,
  SYMBOL_FORM,
  TIMEFRAME_HOURS,
  type Timeframe,
} from '../store/series-key.ts';
import { isDollar } from '../symbols.ts';
import { numberOf } from './cells.ts';
import { assetOf, isDerivative, type Stamp, splitPair } from './file-name.ts';
import { isSameCurrency } from './headings.ts';
import { type Reading, showCell, type TimedRow } from './reading.ts';

/** The series of the file, each with the column of its numbers if it is separate. */
export function seriesKeys(
  reading: Reading,
  timed: readonly TimedRow[],
): readonly { key: SeriesKey; column?: number }[] | undefined {
  const { volumes } = reading.columns;
  const options = reading.options;
  const own = symbolColumn(reading);
  const kind = kindOf(reading, timed);
  if (kind === undefined) return undefined;
  reading.kind = kind;
  reading.stamp = stampOf(reading, kind, timed);
  const part = <T extends string>(
    name: string,
    sent: T | undefined,
    sources: readonly (readonly [string, T | undefined])[],
  ): T | undefined => {
    if (sent !== undefined) return sent;
    const found = sources.find(([, value]) => value !== undefined);
    if (found?.[1] === undefined) return undefined;
    reading.guesses.set(found[0], [...(reading.guesses.get(found[0]) ?? []), `${name} ${found[1]}`]);
    return found[1];
  };
  const asset = part('symbol', options.asset, [
    ['the column', own?.asset],
    ['the name', reading.named.asset],
  ]);
  const quote =
    kind === 'index' || kind === 'volume'
      ? ''
      : part('quote', options.quote, [
          ['the column', own?.quote],
          ['the heading', kind === 'price' ? reading.columns.currency : undefined],
          ['the name', reading.named.quote],
        ]);
  const exchange =
    kind === 'volume'
      ? ''
      : part('exchange', options.exchange, [
          ['the name', reading.named.exchange],
          ['the form', reading.table.says.exchange ?? reading.columns.exchange],
        ]);
  const timeframe = timeframeOf(reading, kind, timed, part);
  if (kind === 'price') refuseDerivative(reading, own?.derivative === true);
  reading.isDerivative = own?.derivative === true || reading.named.derivative === true;
  const { currency } = reading.columns;
  if (kind === 'price' && quote !== undefined && currency !== undefined)
    refuseCurrency(reading, quote, currency);
  const missing = [
    asset === undefined ? '--symbol BTC' : '',
    quote === undefined ? '--quote USD' : '',
    exchange === undefined ? '--exchange kraken' : '',
  ].filter(each => each !== '');
  if (missing.length > 0) {
    reading.faults.add('key', () => ({
      message: `the file does not say of which ${missing.map(each => each.split(' ')[0].slice(2)).join(', ')} its rows are`,
      remedy: `Say it, for example: ${missing.join(' ')}`,
    }));
  }
  if (asset === undefined || quote === undefined || exchange === undefined || timeframe === undefined)
    return undefined;
  const base = {
    kind,
    asset: assetOf(asset),
    quote: quote.toUpperCase(),
    exchange: exchange.toLowerCase(),
    timeframe,
  };
  const faultyName = [
    SYMBOL_FORM.test(base.asset) && !isDollar(base.asset) ? '' : base.asset,
    base.quote === '' || SYMBOL_FORM.test(base.quote) ? '' : base.quote,
    base.exchange === '' || EXCHANGE_FORM.test(base.exchange) ? '' : base.exchange,
  ].find(each => each !== '');
  if (faultyName !== undefined) {
    reading.faults.add('name', () => ({
      message: `${showCell(faultyName)} is no name of an asset or an exchange`,
      remedy: `Symbols are letters and digits, at most 32; ${DOLLAR} is the dollar itself and holds no series.`,
    }));
    return undefined;
  }
  if (kind !== 'volume') return [{ key: base }];
  return volumes.map(({ index, exchange: of, quote: against }) => ({
    key: { ...base, exchange: of, quote: against },
    column: index,
  }));
}

/** Hours that rates of a funding alone are apart. */
const FUNDING_ALONE: readonly number[] = [2, 4, 8, 12];
/** No rate of funding is as large, and no price that a rate of exchange gives as small. */
const LEAST_PRICE = 0.02;

/** The kind of the rows; undefined where a column called rate may be one of two. */
function kindOf(reading: Reading, timed: readonly TimedRow[]): SeriesKind | undefined {
  const { roles, volumes } = reading.columns;
  const { named, options } = reading;
  if (options.kind !== undefined) return options.kind;
  if (roles.has('funding')) return 'funding';
  if (volumes.length > 0) return 'volume';
  if (named.kind !== undefined) return named.kind;
  const rate = roles.get('rate');
  if (rate === undefined || roles.has('close') || roles.has('price')) return 'price';
  const rates = timed.map(({ index }) => numberOf(reading.table.rows[index][rate], reading.decimal));
  const spacing = commonSpacingHours(timed.map(({ moment }) => moment.ms));
  if (named.derivative === true || rates.some(each => each <= 0)) return 'funding';
  if (spacing !== undefined && FUNDING_ALONE.includes(spacing)) return 'funding';
  if (areDays(timed) && rates.every(each => !(each < LEAST_PRICE))) return 'price';
  reading.faults.add('kind', () => ({
    message: `the file does not say whether its column ${reading.table.header?.[rate]} holds prices or funding rates`,
    remedy: 'Say it: --kind price or --kind funding.',
  }));
  return undefined;
}

/** Whether a file has prices without a close. */
export const isPriceAlone = ({ roles }: Reading['columns']): boolean =>
  !roles.has('close') && (roles.has('price') || roles.has('rate'));

/** Whether every row has a day without a time. */
export const areDays = (timed: readonly TimedRow[]): boolean =>
  timed.length > 0 && timed.every(({ moment }) => moment.dayOnly);

/**
 * What the times are. A price without a bar is that of the moment of its row; a day without a time has one price, its close.
 */
function stampOf(reading: Reading, kind: SeriesKind, timed: readonly TimedRow[]): Stamp {
  const { columns, named, options, table } = reading;
  const stated = options.stamp ?? named.stamp;
  if (stated !== undefined) return stated;
  if (kind === 'funding' || table.says.snapshots || columns.isMoment) return 'snapshot';
  if (columns.isEnd) return 'close';
  const hasBars = (['open', 'high', 'low'] as const).some(role => columns.roles.has(role));
  if (!isPriceAlone(columns) || hasBars || table.says.closeOfDay || areDays(timed)) return 'open';
  if (timed.some(({ moment }) => moment.dayOnly))
    reading.faults.add('mixed times', () => ({
      message:
        'some rows have a day and some a time: a price may be that of its moment, or the close of its day',
      remedy:
        'Say it: --stamp snapshot (a price at 00:00 is the close of the day before) or --stamp open (the close of its day).',
    }));
  return 'snapshot';
}

/** Refuses a heading that names another currency than the quote. */
function refuseCurrency(reading: Reading, quote: string, currency: string): void {
  if (isSameCurrency(quote.toUpperCase(), currency)) return;
  reading.faults.add('currency', () => ({
    message: `the prices are in ${currency} by their heading, and in ${quote.toUpperCase()} by the ${reading.options.quote === undefined ? 'name of the file' : 'option --quote'}`,
    remedy: `Say --quote ${currency}, or name the column of the prices in ${quote.toUpperCase()} with --columns close=<name>.`,
  }));
}

/** Refuses a perpetual's prices as asset prices without an option. */
function refuseDerivative(reading: Reading, bySymbol: boolean): void {
  if (reading.options.kind === 'price' || !(bySymbol || reading.named.derivative === true)) return;
  const where = bySymbol ? 'the column of symbols' : 'the name of the file';
  reading.faults.add('derivative', () => ({
    message: `by ${where} these are prices of a perpetual or a future, and not of the asset itself`,
    remedy: 'Import the spot market. If these are spot prices, or shall stand for them, say --kind price.',
  }));
}

/** Asset and quote of the column that names the market, if all rows have the same. */
function symbolColumn(
  reading: Reading,
): { readonly asset?: string; readonly quote?: string; readonly derivative: boolean } | undefined {
  const column = reading.columns.roles.get('symbol');
  const { symbol: said } = reading.table.says;
  if (said !== undefined) return { ...splitPair(said), derivative: isDerivative(said) };
  if (column === undefined || reading.options.asset !== undefined) return undefined;
  const names = new Set(reading.table.rows.map(row => String(row[column] ?? '')));
  if (names.size > 1) {
    reading.faults.add('symbols', () => ({
      message: `the rows are of ${names.size} symbols: ${[...names].slice(0, 3).join(', ')}`,
      remedy: 'Split the file: one symbol in each.',
    }));
    return undefined;
  }
  const [name] = names;
  return { ...splitPair(name), derivative: isDerivative(name) };
}

function timeframeOf(
  reading: Reading,
  kind: SeriesKind,
  timed: readonly TimedRow[],
  part: (
    name: string,
    sent: Timeframe | undefined,
    sources: readonly (readonly [string, Timeframe | undefined])[],
  ) => Timeframe | undefined,
): Timeframe | undefined {
  const spacing = commonSpacingHours(timed.map(({ moment }) => moment.ms));
  const bySpacing =
    kind === 'funding'
      ? settlementGrid(timed.map(({ moment }) => moment.ms))
      : (Object.keys(TIMEFRAME_HOURS) as Timeframe[]).find(each => TIMEFRAME_HOURS[each] === spacing);
  // The interval of a funding may change: the times go before the name.
  const stated =
    reading.options.timeframe ??
    (kind === 'funding' && bySpacing !== undefined ? undefined : reading.named.timeframe);
  const refuse = (message: string, remedy: string): undefined => {
    reading.faults.add('timeframe', () => ({ message, remedy }));
    return undefined;
  };
  const taken = KIND_TIMEFRAMES[kind];
  if (stated !== undefined && !taken.includes(stated)) {
    return refuse(`a timeframe of ${stated} is not taken for a ${kind}`, `Taken are ${taken.join(', ')}.`);
  }
  const hours = stated === undefined ? undefined : TIMEFRAME_HOURS[stated];
  const fits =
    hours === undefined
      ? bySpacing !== undefined && taken.includes(bySpacing)
      : (spacing ?? hours) % hours === 0;
  if (spacing !== undefined && !fits) {
    const words = spacing < 1 ? counted(Math.round(spacing * 60), 'minute') : counted(spacing, 'hour');
    return refuse(
      `most rows are ${words} apart${stated === undefined ? '' : `, not ${stated}`}`,
      `Taken are ${taken.join(', ')}: say --timeframe, download another one, or sum the bars to one.`,
    );
  }
  const found = part('timeframe', reading.options.timeframe, [
    ...(stated === undefined ? [] : [['the name', reading.named.timeframe] as const]),
    ['the times', bySpacing],
  ]);
  return found ?? refuse('one row does not say how long its bar is', 'Say it: --timeframe 1d');
}

/** The longest timeframe whose grid has every settlement; undefined for one. */
function settlementGrid(times: readonly number[]): Timeframe | undefined {
  const hours = [...new Set(times.map(ms => Math.round(ms / MS_PER_HOUR)))];
  if (hours.length < 2) return undefined;
  return (Object.keys(TIMEFRAME_HOURS) as Timeframe[]).findLast(each =>
    hours.every(hour => hour % TIMEFRAME_HOURS[each] === 0),
  );
}

/** The most common distance of neighbouring times, hours; undefined for one time. */
export function commonSpacingHours(times: readonly number[]): number | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  for (let i = 1; i < sorted.length; i++) {
    // To the minute: snapshots and settlements are seconds late.
    const minutes = Math.round((sorted[i] - sorted[i - 1]) / 60_000);
    // A snapshot of a day may be two hours late.
    const rounded = Math.abs(minutes - 1440) <= 240 ? 1440 : minutes;
    if (rounded > 0) counts.set(rounded, (counts.get(rounded) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [minutes, count] of counts) {
    if (best === undefined || count > (counts.get(best) ?? 0)) best = minutes;
  }
  return best === undefined ? undefined : best / 60;
}
