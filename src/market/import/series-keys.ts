/**
 * The series of the rows of a file: kind, asset, quote, exchange and timeframe, from the options, the name, the columns and the
 * times.
 *
 * Must not know: numbers.
 */

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
import { assetOf, isDerivative, splitPair } from './file-name.ts';
import { type Reading, showCell, type TimedRow } from './reading.ts';

/** The series of the file, each with the column of its numbers if it is separate. */
export function seriesKeys(
  reading: Reading,
  timed: readonly TimedRow[],
): readonly { key: SeriesKey; column?: number }[] | undefined {
  const { volumes, roles } = reading.columns;
  const options = reading.options;
  const own = symbolColumn(reading);
  const kind: SeriesKind =
    options.kind ??
    (roles.has('funding') ? 'funding' : volumes.length > 0 ? 'volume' : (reading.named.kind ?? 'price'));
  const priceAlone = roles.has('price') && !roles.has('close');
  reading.stamp =
    options.stamp ??
    reading.named.stamp ??
    (kind === 'funding' || priceAlone || reading.table.says.snapshots ? 'snapshot' : 'open');
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
  const bySpacing = (Object.keys(TIMEFRAME_HOURS) as Timeframe[]).find(
    each => TIMEFRAME_HOURS[each] === spacing,
  );
  const stated = reading.options.timeframe ?? reading.named.timeframe;
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
    ['the name', reading.named.timeframe],
    ['the times', bySpacing],
  ]);
  return found ?? refuse('one row does not say how long its bar is', 'Say it: --timeframe 1d');
}

/** The most common distance of neighbouring times, hours; undefined for one time. */
function commonSpacingHours(times: readonly number[]): number | undefined {
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
