/**
 * The query of a tape in text/csv: the members of a request of /book_risk except its loans, and the format of the tape; or every fault at
 * `query.<name>`.
 *
 * Must not know: the bounds of members of a request.
 */
import type { Fault, FaultCode } from '../../core/errors.ts';
import { USUAL } from '../../core/figures/usual.ts';
import {
  isTapeColumn,
  NOT_USED,
  TAPE_COLUMN_NAMES,
  TAPE_COLUMNS,
  type TapeColumn,
} from '../../tape/columns.ts';
import type { TapeOptions } from '../../tape/read-tape.ts';
import { show } from '../../text/message.ts';
import { DECIMAL_MARKS, isPlainNumber } from '../../text/numbers.ts';
import { DATE_ORDERS } from '../../text/times.ts';
import { repeatedParameter } from './query.ts';

/** Most days of a simulation, by default. */
const STANDARD_HORIZON_DAYS = USUAL.horizonDays;
const MAX_DAYS = 3650;

/** Members of `params`, and their defaults (docs/choosing.md). */
const STANDARD_TYPE = USUAL.type;
const STANDARD_PARAMS = {
  model_lookback: USUAL.lookbackDays,
  mc_iter: USUAL.paths,
  quantile: USUAL.levels,
};
const PARAMS = {
  analysis_date: 'text/csv: the member of `params`. Default: today.',
  model_lookback: `text/csv: the member of \`params\`. Default: ${USUAL.lookbackDays}.`,
  mc_iter: `text/csv: the member of \`params\`. Default: ${USUAL.paths}; HISTORICAL has none.`,
  quantile: `text/csv: the member of \`params\`, separated by commas. Default: ${USUAL.levels.join()}.`,
  sale_delay: 'text/csv: the member of `params`.',
  sale_cost: 'text/csv: the member of `params`.',
  volatility_shock: 'text/csv: the member of `params`.',
} as const;

/** Every parameter, with its description in openapi.json. */
export const TAPE_QUERY = {
  type: `text/csv: the methodology. Default: ${STANDARD_TYPE}.`,
  ...PARAMS,
  days: `text/csv: days for which loans are followed, at most to their maturity. Default: ${STANDARD_HORIZON_DAYS}.`,
  columns:
    'text/csv: names of columns of the tape, "their name=column", with commas between; "their name=-" is not used.',
  default: 'text/csv: what stands for empty cells, "column=value", with commas between.',
  percent: 'text/csv: columns in per cent, with commas between.',
  fractions:
    'text/csv: columns of fractions, though their names have a sign of per cent, with commas between.',
  ratios: 'text/csv: columns of collateral over loan, which are read as 1 / x, with commas between.',
  smallest_units: 'text/csv: columns of amounts in smallest units (wei, satoshi), with commas between.',
  dates: 'text/csv: order of dates with the year last. Default: what the columns show.',
  decimal: 'text/csv: decimal mark. Default: what the columns show.',
  header_row: 'text/csv: line of the names of the columns. Default: the row that names most columns.',
  accept: 'text/csv: ids of loans that are right though they look wrong, with commas between.',
} as const;
export type TapeParameter = keyof typeof TAPE_QUERY;
export const TAPE_PARAMETERS = Object.keys(TAPE_QUERY) as readonly TapeParameter[];

/** The parameters that are not of a tape. */
export function withoutTape(sent: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(sent);
  for (const name of TAPE_PARAMETERS) others.delete(name);
  return others;
}

export interface TapeQuery {
  readonly type: string;
  /** Members of the request except its loans, as sent. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly horizonDays: number;
  readonly options: TapeOptions;
}

/** Reads the parameters of a tape; ignores others. */
export function readTapeQuery(
  sent: URLSearchParams,
): { readonly value: TapeQuery } | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = TAPE_PARAMETERS.flatMap(name => repeatedParameter(sent, name));
  const refuse = (code: FaultCode, name: TapeParameter, bound: string, got: string) =>
    faults.push({ code, path: `query.${name}`, message: `${name} must be ${bound}; got ${show(got)}` });
  const choice = <T extends string>(name: TapeParameter, values: readonly T[]): T | undefined => {
    const text = sent.get(name);
    const found = values.find(each => each === text);
    if (text !== null && found === undefined)
      refuse('unknown_value', name, `one of ${values.join(', ')}`, text);
    return found;
  };
  const column = (name: TapeParameter, text: string): TapeColumn | undefined => {
    if (isTapeColumn(text)) return text;
    refuse('unknown_member', name, `of columns; there are ${TAPE_COLUMN_NAMES.join(', ')}`, text);
    return undefined;
  };
  const list = (name: TapeParameter) =>
    sent
      .get(name)
      ?.split(',')
      .map(each => each.trim()) ?? [];
  const pairs = (name: TapeParameter, read: (text: string) => readonly [column: string, value: string]) => {
    const found: Partial<Record<TapeColumn, string>> = {};
    for (const text of list(name)) {
      if (!/.=./.test(text))
        refuse('malformed', name, 'a list of pairs with = between, and commas between pairs', text);
      else {
        const [key, value] = read(text);
        if (key === NOT_USED && name === 'columns') ignored.push(value);
        else {
          const known = column(name, key);
          if (known !== undefined) found[known] = value;
        }
      }
    }
    return found;
  };
  const ignored: string[] = [];
  const columns = pairs('columns', text => {
    const at = text.lastIndexOf('=');
    return [text.slice(at + 1), text.slice(0, at)];
  });
  const defaults = pairs('default', text => {
    const at = text.indexOf('=');
    return [text.slice(0, at), text.slice(at + 1)];
  });
  for (const name of Object.keys(defaults) as TapeColumn[])
    if (!TAPE_COLUMNS[name].ofLoan)
      refuse('not_allowed', 'default', 'of columns that are said once for a loan', name);
  const percent = list('percent').flatMap(text => column('percent', text) ?? []);
  const fractions = list('fractions').flatMap(text => column('fractions', text) ?? []);
  const ratios = list('ratios').flatMap(text => column('ratios', text) ?? []);
  const smallestUnits = list('smallest_units').flatMap(text => column('smallest_units', text) ?? []);
  const accept = list('accept').filter(id => id !== '');
  const headerRow = sent.get('header_row') === null ? undefined : Number(sent.get('header_row'));
  if (headerRow !== undefined && !(Number.isInteger(headerRow) && headerRow > 0))
    refuse('out_of_range', 'header_row', 'a line from 1 on', sent.get('header_row') ?? '');
  const dates = choice('dates', DATE_ORDERS);
  const decimal = choice('decimal', DECIMAL_MARKS);
  const horizonDays = Number(sent.get('days') ?? STANDARD_HORIZON_DAYS);
  if (!(horizonDays > 0 && horizonDays <= MAX_DAYS))
    refuse('out_of_range', 'days', `a number above 0 and at most ${MAX_DAYS}`, sent.get('days') ?? '');
  if (faults.length > 0) return { faults };
  const type = sent.get('type') ?? STANDARD_TYPE;
  return {
    value: {
      type,
      params: paramsOf(sent, type),
      horizonDays,
      options: {
        columns,
        ignored,
        defaults,
        percent,
        fractions,
        ratios,
        smallestUnits,
        dates,
        decimal,
        headerRow,
        accept,
      },
    },
  };
}

function paramsOf(sent: URLSearchParams, type: string): Readonly<Record<string, unknown>> {
  const { mc_iter, ...others } = STANDARD_PARAMS;
  const own = Object.keys(PARAMS).flatMap((name): [string, unknown][] => {
    const text = sent.get(name);
    if (text === null) return [];
    return [[name, name === 'quantile' ? text.split(',').map(valueOfText) : valueOfText(text)]];
  });
  return { ...others, ...(type === 'HISTORICAL' ? {} : { mc_iter }), ...Object.fromEntries(own) };
}

/** A number, or the text, which its schema refuses. */
const valueOfText = (text: string): number | string => (isPlainNumber(text.trim()) ? Number(text) : text);
