/**
 * The options of a tape as a file in JSON: names of columns and how the cells are written, so that the next tape of the same form needs
 * none of them.
 *
 * Must not know: files, tapes.
 */
import { isObject, show } from '../text/message.ts';
import { DECIMAL_MARKS } from '../text/numbers.ts';
import { DATE_ORDERS } from '../text/times.ts';
import { isTapeColumn, NOT_USED, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import type { TapeOptions } from './read-tape.ts';

/** Members of the file that are lists of columns. */
const LISTS = ['percent', 'fractions', 'ratios', 'smallestUnits'] as const;
const MEMBERS = ['columns', 'default', ...LISTS, 'dates', 'decimal', 'headerRow'];

/** @param names of the columns that were found or are proposed; those of the options are before them */
export function columnsFileText(options: TapeOptions, names: TapeOptions['columns'] = {}): string {
  const { columns = {}, ignored = [], defaults, dates, decimal, headerRow } = options;
  const theirs = Object.entries({ ...names, ...columns }).map(([column, name]) => [name, column]);
  const lists = LISTS.flatMap(name => {
    const list = options[name] ?? [];
    return list.length === 0 ? [] : [[name, list]];
  });
  return `${JSON.stringify(
    {
      columns: Object.fromEntries([...theirs, ...ignored.map(name => [name, NOT_USED])]),
      ...(defaults !== undefined && Object.keys(defaults).length > 0 && { default: defaults }),
      ...Object.fromEntries(lists),
      ...(dates !== undefined && { dates }),
      ...(decimal !== undefined && { decimal }),
      ...(headerRow !== undefined && { headerRow }),
    },
    null,
    2,
  )}\n`;
}

/** The options of a file, or everything that is wrong with it. */
export function readColumnsFile(
  text: string,
): { readonly options: TapeOptions } | { readonly faults: readonly string[] } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { faults: [`it is not JSON: ${(error as Error).message}`] };
  }
  if (!isObject(read))
    return { faults: ['it must be an object, such as {"columns": {"Facility ID": "loan_id"}}'] };
  const faults: string[] = [];
  for (const name of Object.keys(read))
    if (!MEMBERS.includes(name))
      faults.push(`there is no member ${show(name)}; there are ${MEMBERS.join(', ')}`);
  const known = (member: string, name: unknown): name is TapeColumn => {
    const isKnown = typeof name === 'string' && isTapeColumn(name);
    if (!isKnown) faults.push(`${member}: there is no column ${show(name)}`);
    return isKnown;
  };
  const columns: Partial<Record<TapeColumn, string>> = {};
  const ignored: string[] = [];
  const entries = (member: string) => {
    const value = read[member] ?? {};
    if (isObject(value)) return Object.entries(value);
    faults.push(`${member} must be an object; got ${show(value)}`);
    return [];
  };
  for (const [theirs, ours] of entries('columns'))
    if (ours === NOT_USED) ignored.push(theirs);
    else if (known(`columns.${theirs}`, ours)) columns[ours] = theirs;
  const defaults: Partial<Record<TapeColumn, string>> = {};
  for (const [column, value] of entries('default'))
    if (known('default', column)) {
      if (TAPE_COLUMNS[column].ofLoan) defaults[column] = String(value);
      else faults.push(`default: ${column} differs from row to row`);
    }
  const lists = Object.fromEntries(
    LISTS.map(member => {
      const list = read[member] ?? [];
      if (!Array.isArray(list)) faults.push(`${member} must be a list of columns; got ${show(list)}`);
      return [member, Array.isArray(list) ? list.filter(name => known(member, name)) : []];
    }),
  );
  const choice = <T extends string>(member: string, values: readonly T[]): T | undefined => {
    const found = values.find(each => each === read[member]);
    if (read[member] !== undefined && found === undefined)
      faults.push(`${member} must be one of ${values.join(', ')}; got ${show(read[member])}`);
    return found;
  };
  const dates = choice('dates', DATE_ORDERS);
  const decimal = choice('decimal', DECIMAL_MARKS);
  const { headerRow } = read;
  if (headerRow !== undefined && !(Number.isInteger(headerRow) && Number(headerRow) > 0))
    faults.push(`headerRow must be a line from 1 on; got ${show(headerRow)}`);
  if (faults.length > 0) return { faults };
  return {
    options: {
      columns,
      ignored,
      defaults,
      ...lists,
      ...(dates !== undefined && { dates }),
      ...(decimal !== undefined && { decimal }),
      ...(headerRow !== undefined && { headerRow: Number(headerRow) }),
    },
  };
}

/** Options of a file, and those that are said beside it, which are before them. */
export function mergedOptions(file: TapeOptions, own: TapeOptions): TapeOptions {
  const said = Object.fromEntries(
    Object.entries(own).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
  return {
    ...file,
    ...said,
    columns: { ...file.columns, ...own.columns },
    defaults: { ...file.defaults, ...own.defaults },
    ignored: [...(file.ignored ?? []), ...(own.ignored ?? [])],
  };
}
