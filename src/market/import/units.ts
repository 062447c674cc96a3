/**
 * The columns of the volumes and of the funding rates of a file, and their units: decided, or asked for.
 *
 * Must not know: rows of a series.
 */
import { counted } from '../../text/counted.ts';
import { type SeriesKey, TIMEFRAME_HOURS } from '../store/series-key.ts';
import { numberOf } from './cells.ts';
import { fundingUnitOf } from './funding-unit.ts';
import type { Reading, TimedRow } from './reading.ts';
import { commonSpacingHours } from './series-keys.ts';
import { type VolumeReading, volumesOf } from './volume-unit.ts';

/** The column of the volumes of a price and their unit; undefined without volumes. */
export function volumesOfPrice(
  reading: Reading,
  key: SeriesKey,
  timed: readonly TimedRow[],
): VolumeReading | undefined {
  const { columns, table, options, decimal, isDerivative } = reading;
  const found = volumesOf(
    {
      columns,
      said: table.says.volumeUnit,
      isOfForm: key.exchange === table.says.exchange,
      option: options.volumeUnit,
      hasHeader: table.header !== undefined,
      exchange: key.exchange,
      quote: key.quote,
      timeframeHours: TIMEFRAME_HOURS[key.timeframe],
      isDerivative,
    },
    { rows: timed.length, number: (row, field) => numberOf(table.rows[timed[row].index][field], decimal) },
  );
  if (found === undefined || !('doubt' in found)) {
    if (found?.words !== undefined) reading.readings.add(found.words);
    if (found?.unit === 'quote')
      reading.notes.push(`volumes in ${key.quote} are divided by the closes: the store counts ${key.asset}`);
    return found;
  }
  const name = table.header?.[found.field] ?? 'volume';
  reading.faults.add('volume unit', () => ({
    message:
      `the file does not say whether its column ${name} counts ${key.asset} or ${key.quote}` +
      (found.doubt === '' ? '' : `: ${found.doubt}`),
    remedy: `Say it: --volume-unit base (${key.asset}), quote (${key.quote}), or none to leave the volumes out, as for contracts.`,
  }));
  return undefined;
}

export interface FundingCells {
  readonly field: number;
  /** 0.01 for percentage points. */
  readonly factor: number;
}

/** The column of the rates of a funding and their unit; undefined where they are asked for. */
export function fundingCells(
  reading: Reading,
  key: SeriesKey,
  timed: readonly TimedRow[],
): FundingCells | undefined {
  const { table, decimal, options, columns, named } = reading;
  const field = fundingField(reading, timed);
  if (field === undefined) {
    reading.faults.add('funding column', () => ({
      message: 'the rows have several numbers, and no heading says which is the funding rate',
      remedy: 'Name it with --columns funding=<name>; rows without names get a line of names above them.',
    }));
    return undefined;
  }
  const cells = timed.map(({ index }) => table.rows[index][field]);
  const rates = cells.map(cell => numberOf(cell, decimal));
  const spacing = commonSpacingHours(timed.map(({ moment }) => moment.ms)) ?? TIMEFRAME_HOURS[key.timeframe];
  const bySize = fundingUnitOf(rates, spacing);
  const signed = cells.some(cell => typeof cell === 'string' && cell.trim().endsWith('%'));
  const stated = signed || columns.percent === true ? ('percent' as const) : undefined;
  const contradicts =
    !signed && stated !== undefined && bySize === 'fraction' && rates.some(rate => rate !== 0);
  const unit = options.fundingUnit ?? (contradicts ? undefined : (stated ?? bySize ?? named.fundingUnit));
  if (unit === undefined) {
    reading.faults.add('funding unit', () => ({
      message:
        `the ${counted(rates.length, 'rate')} may be fractions of the notional or percentage points` +
        (contradicts ? ': the heading says per cent, and they are as small as fractions' : ''),
      remedy:
        'Say it: --funding-unit fraction (0.0001 is 0.01 %) or --funding-unit percent (0.01 is 0.01 %).',
    }));
    return undefined;
  }
  if (
    options.fundingUnit !== undefined &&
    bySize !== undefined &&
    bySize !== unit &&
    rates.some(rate => rate !== 0)
  )
    reading.notes.push(
      `the rates have the size of ${bySize === 'percent' ? 'percentage points' : 'fractions'}, and --funding-unit says ${unit}: check that it holds for this file`,
    );
  if (options.fundingUnit === undefined)
    reading.readings.add(
      unit === 'percent'
        ? 'rates are percentage points, divided by 100'
        : 'rates are fractions of the notional',
    );
  return { field, factor: unit === 'percent' ? 0.01 : 1 };
}

/** The column of a funding's rates. freqtrade writes the rate as the open of a bar whose other numbers are 0. */
function fundingField(
  { columns: { roles }, table, decimal }: Reading,
  timed: readonly TimedRow[],
): number | undefined {
  const named = roles.get('funding') ?? roles.get('rate');
  if (named !== undefined) return named;
  const [open, ...others] = (['open', 'high', 'low', 'close'] as const).map(role => roles.get(role));
  if (open === undefined) return roles.get('close') ?? roles.get('price');
  const isZero = (field: number | undefined) =>
    field === undefined || timed.every(({ index }) => numberOf(table.rows[index][field], decimal) === 0);
  return others.every(isZero) ? open : undefined;
}
