/** A report asked for by a tape in text/csv and a query, as the JSON body of /book_report that it stands for. */
import { type Fault, refuseIfFaulty } from '../../core/errors.ts';
import { repeatedParameter, unknownParameters } from '../request/query.ts';
import type { SentReport } from './request.ts';

type Kind = 'text' | 'list' | 'json';

/** The members of the body that a query has: a text as it is, a list with commas, or JSON. */
export const REPORT_QUERY = {
  tape_format: 'json',
  accept: 'list',
  skip_faulty: 'json',
  file: 'text',
  sheet: 'text',
  title: 'text',
  analysis_date: 'text',
  days: 'json',
  types: 'list',
  model_lookback: 'json',
  mc_iter: 'json',
  quantile: 'list',
  sale_delay: 'json',
  sale_cost: 'json',
  falls: 'list',
  rises: 'list',
  credit: 'json',
  tranches: 'json',
  reserve: 'json',
  excess_spread: 'json',
  economic_capital: 'json',
  until: 'list',
  proxy: 'json',
  backtest_days: 'json',
  limits: 'text',
} as const satisfies Record<Exclude<keyof SentReport, 'tape' | 'earlier' | 'earlier_file'>, Kind>;

/** Lists of texts: an id may be digits alone. */
const OF_TEXTS: readonly string[] = ['accept', 'types', 'until'];

/** @param tape its text @throws RiskError `invalid-request` for parameters that are unknown or repeated */
export function bodyOfTape(tape: string, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const names = Object.keys(REPORT_QUERY);
  const faults: readonly Fault[] = [
    ...unknownParameters(query, names),
    ...names.flatMap(name => repeatedParameter(query, name)),
  ];
  refuseIfFaulty(faults);
  const members = Object.entries(REPORT_QUERY).flatMap(([name, kind]): [string, unknown][] => {
    const text = query.get(name);
    return text === null ? [] : [[name, memberOf(name, kind, text)]];
  });
  return { tape, ...Object.fromEntries(members) };
}

function memberOf(name: string, kind: Kind, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'json') return jsonOf(text);
  const words = text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
  return OF_TEXTS.includes(name) ? words : words.map(jsonOf);
}

/** The value of a JSON text, or the text, which its schema refuses. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
