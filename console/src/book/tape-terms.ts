/**
 * How a tape is written and how long its loans are followed: the fields of the form, by the reader of the query of text/csv.
 *
 * Takes: fields. Gives: options of the reader of tapes, or their faults at `query.<name>`.
 */

import { USUAL } from '#core/figures/usual.ts';
import { readTapeQuery, type TapeParameter } from '#src/question/request/tape-query.ts';
import { NOT_USED, type TapeColumn } from '#src/tape/columns.ts';
import { readColumnsFile } from '#src/tape/columns-file.ts';
import type { TapeOptions } from '#src/tape/read-tape.ts';
import type { OptionWords } from '#src/tape/remedies.ts';
import type { Fault } from '../api/request.ts';
import type { Fields } from '../state/address.ts';

/** The fields, and their defaults. */
export const TAPE_FIELDS: Fields = {
  horizon: String(USUAL.horizonDays),
  dates: '',
  decimal: '',
  percent: '',
  fractions: '',
  ratios: '',
  headerRow: '',
  accept: '',
  smallestUnits: '',
  columns: '',
  empty: '',
};

/** Parameters of the query by field. */
const PARAMETERS = {
  horizon: 'days',
  dates: 'dates',
  decimal: 'decimal',
  percent: 'percent',
  fractions: 'fractions',
  ratios: 'ratios',
  headerRow: 'header_row',
  accept: 'accept',
  smallestUnits: 'smallest_units',
  columns: 'columns',
  empty: 'default',
} as const satisfies Readonly<Record<string, TapeParameter>>;

export interface TapeTerms {
  readonly options: TapeOptions;
  readonly horizonDays: number;
}

export function tapeTerms(
  fields: Fields,
): { readonly terms: TapeTerms } | { readonly faults: readonly Fault[] } {
  const sent = new URLSearchParams();
  for (const [field, name] of Object.entries(PARAMETERS)) {
    const text = (fields[field] ?? '').trim();
    if (text !== '' || field === 'horizon') sent.set(name, text);
  }
  const read = readTapeQuery(sent);
  if ('faults' in read) return read;
  const { options, horizonDays } = read.value;
  return { terms: { options, horizonDays } };
}

/** The words of a list. */
export const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');

/** Choices of a column of LTVs, rates or shares, each a field of the form. */
const UNIT_FIELDS = ['ratios', 'fractions', 'percent'] as const;

/** What the form says of a column: as its name and cells have it, per cent, fractions, or collateral over loan. */
export const unitOf = (fields: Fields, column: TapeColumn): (typeof UNIT_FIELDS)[number] | '' =>
  UNIT_FIELDS.find(name => listOf(fields[name]).includes(column)) ?? '';

/** The fields with another unit of a column. */
export function withUnit(fields: Fields, column: TapeColumn, unit: string): Fields {
  const without = (name: string) => listOf(fields[name]).filter(each => each !== column);
  const of = (name: string) => [...without(name), ...(unit === name ? [column] : [])].sort().join(',');
  return { percent: of('percent'), fractions: of('fractions'), ratios: of('ratios') };
}

/** The options of a columns file as fields, or what is wrong with it. */
export function fieldsOfFile(
  text: string,
): { readonly fields: Fields } | { readonly faults: readonly string[] } {
  const read = readColumnsFile(text);
  if ('faults' in read) return read;
  const { columns = {}, ignored = [], defaults = {}, dates, decimal, headerRow, ...lists } = read.options;
  const joined = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([left, right]) => `${left}=${right}`).join(',');
  return {
    fields: {
      columns: joined([
        ...Object.entries(columns).map(([ours, theirs]) => [theirs, ours] as const),
        ...ignored.map(theirs => [theirs, NOT_USED] as const),
      ]),
      empty: joined(Object.entries(defaults)),
      ...Object.fromEntries(
        [...UNIT_FIELDS, 'smallestUnits' as const].map(name => [name, (lists[name] ?? []).join(',')]),
      ),
      dates: dates ?? '',
      decimal: decimal ?? '',
      headerRow: String(headerRow ?? ''),
    },
  };
}

/** In the place of a heading that is proposed for a column. */
export const NO_PROPOSAL = 'name in the file';

/** `Qty=loan_amount`: Qty is loan_amount */
export const inPlainWords = (pair: string): string =>
  pair.replace(/=-$/, ' is not used').replace(/=(?=\w+$)/, ' is ');

/** What is chosen for a tape, in the words of the page. */
export const FORM_WORDS: OptionWords = {
  dates: 'Choose day.month.year (31.01.2026) or month/day/year (01/31/2026).',
  comma: 'Choose the decimal comma',
  point: 'Choose the decimal point',
  ratios: columns => `Choose collateral over loan for ${columns.join(' and ')}`,
  accept: id => `say that ${id} is right`,
  smallestUnits: columns => `Choose smallest units for ${columns.join(', ')}`,
  headerRow: 'Write at Line of the names the line of the names of the columns.',
  percent: column => `Choose per cent for ${column}`,
  fractions: column => `choose fractions for ${column}`,
  nameColumn: pair =>
    pair.startsWith(`${NO_PROPOSAL}=`)
      ? 'Choose it in the list over its column'
      : `Perhaps ${inPlainWords(pair)}`,
  columns: pairs => pairs.map(inPlainWords).join(' and '),
  fillCells: () => ', in the field below.',
  lastDay: 'day of the analysis',
  lookback: 'Lookback',
  skipFaulty: 'Continue without faulty loans',
  standIn: asset => `the member proxy of /book_risk, such as {"${asset}": "ETH"}`,
  market: 'The view Data shows',
};
