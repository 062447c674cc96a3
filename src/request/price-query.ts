/** The query of GET /prices: symbols and a day, or every fault at `query.<name>`. */
import { type Day, formatCalendarDate, parseCalendarDate } from '../text/calendar-date.ts';
import { SYMBOL, SYMBOL_BOUND } from './fields.ts';
import { show } from './message.ts';
import type { Checked } from './parse.ts';
import { repeatedParameter, unknownParameters } from './query.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from './symbols.ts';

export interface PriceQuery {
  /** Distinct assets in the order of the query. */
  readonly assets: readonly string[];
  readonly date: Day;
}

const NAMES: readonly string[] = ['symbols', 'date'];

/** Reads the query on the day `today`; the day is `today` where none is sent. */
export function checkPriceQuery(
  sent: URLSearchParams,
  today: Day,
  resolve: ResolveSymbol,
): Checked<PriceQuery> {
  const faults = [...unknownParameters(sent, NAMES), ...NAMES.flatMap(name => repeatedParameter(sent, name))];
  const refuse = (name: string, message: string) => faults.push({ path: `query.${name}`, message });
  const listed = (sent.get('symbols') ?? '').split(',').map(symbol => symbol.trim());
  const bound = `1 to ${MAX_SYMBOLS} symbols separated by commas`;
  if (!sent.has('symbols')) refuse('symbols', `symbols is missing; it must be ${bound}`);
  else if (listed.length > MAX_SYMBOLS)
    refuse('symbols', `symbols must be ${bound}; got ${listed.length} of them`);
  else
    for (const symbol of listed)
      if (!SYMBOL.test(symbol)) refuse('symbols', `symbols must be ${SYMBOL_BOUND}; got ${show(symbol)}`);

  const text = sent.get('date');
  const date = text === null ? today : parseCalendarDate(text);
  if (date === undefined || date > today)
    refuse(
      'date',
      `date must be a day of the calendar, written MM-DD-YYYY, at most today, ${formatCalendarDate(today)} in UTC; got ${show(text)}`,
    );
  if (faults.length > 0 || date === undefined) return { ok: false, faults };
  return { ok: true, value: { assets: [...new Set(listed.map(each => resolve(each.toUpperCase())))], date } };
}
