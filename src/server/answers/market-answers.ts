/** The answers of GET /symbols, /prices and /scenarios: assets, the closes at which amounts would be valued, and the scenarios that /stress accepts by name. */
import { type FaultCode, RiskError } from '../../core/errors.ts';
import { secondsSince } from '../../market/data-ages.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import { type MarketData, type MarketHandle, marketDataText } from '../../market/market-data.ts';
import { SYMBOL, SYMBOL_BOUND } from '../../question/request/fields.ts';
import type { Checked } from '../../question/request/parse.ts';
import { repeatedParameter, unknownParameters } from '../../question/request/query.ts';
import { drawdownOf, shippedWindows } from '../../question/scenario/library.ts';
import { type NamedScenario, scenarioLibrary } from '../../question/scenario/scenario.ts';
import {
  type Day,
  dayOf,
  formatCalendarDate,
  formatHour,
  parseCalendarDate,
} from '../../text/calendar-date.ts';
import { show } from '../../text/message.ts';
import { DOLLAR, MAX_SYMBOLS, type ResolveSymbol, rateOf } from '../../text/symbols.ts';
import type { Middleware } from '../transport/context.ts';

export const SYMBOLS_PATH = '/symbols';

/** Answers 200 with the assets of the current version of the market. */
export function symbolsMiddleware(market: MarketHandle, now: () => Date): Middleware {
  return async ctx => {
    const current = market.current();
    const moment = now();
    const aliases = current.symbols.aliases();
    const aliasesOf = (symbol: string) =>
      aliases.flatMap(([alias, asset]) => (asset === symbol ? [alias] : []));
    const ratesOf = (symbol: string) => {
      const rated = aliases.flatMap(([alias, asset, rate]) =>
        asset === symbol && rate !== undefined ? [[alias, rate] as const] : [],
      );
      return rated.length === 0 ? {} : { alias_rates: Object.fromEntries(rated) };
    };
    ctx.set('x-market-data', marketDataText(current));
    ctx.body = {
      symbols: (await current.assets()).map(
        ({ symbol, firstDay, lastDay, lastHour, missingDays, hours, sources }) => ({
          symbol,
          first_day: firstDay,
          last_day: lastDay,
          missing_days: missingDays,
          hours: hours ?? null,
          sources,
          aliases: aliasesOf(symbol),
          ...ratesOf(symbol),
          age_seconds: Math.round(secondsSince(lastHour, moment)),
        }),
      ),
      // The dollar itself: no series, price 1.
      cash: { symbol: DOLLAR, aliases: aliasesOf(DOLLAR), ...ratesOf(DOLLAR) },
    };
  };
}

export const PRICES_PATH = '/prices';

/** Answers 200 with the last close of each asset at or before the end of a day. */
export function pricesMiddleware(market: MarketHandle, now: () => Date): Middleware {
  return async ctx => {
    const current = market.current();
    const body = await pricesBody(current, new URLSearchParams(ctx.querystring), now());
    ctx.set('x-market-data', marketDataText(current));
    ctx.body = body;
  };
}

/** The body of GET /prices. @throws RiskError with every fault of the query, and for assets without a close */
export async function pricesBody(current: MarketData, query: URLSearchParams, moment: Date) {
  const checked = checkPriceQuery(query, dayOf(moment), current.symbols.resolve);
  if (!checked.ok)
    throw new RiskError('invalid-request', 'The request is not valid.', { faults: checked.faults });
  const { assets, date } = checked.value;
  const day = lastCompleteDay(date, moment);
  const wanted = [...new Set(assets.map(({ asset }) => asset))];
  const { prices, filled } = await current.dailyCloses(wanted, day, 1).catch(atSymbols);
  const carried = new Set(filled.map(({ symbol }) => symbol));
  return {
    date: formatCalendarDate(day),
    time: formatHour(24 * (day + 1)),
    prices: assets.map(({ symbol, asset, rate }) => ({
      symbol,
      price: rate * prices[wanted.indexOf(asset)][0],
      carried: carried.has(asset),
    })),
  };
}

/** The query of GET /prices. */
interface PriceQuery {
  /** Distinct assets in the order of the query; an alias with a rate under its own name. */
  readonly assets: readonly { readonly symbol: string; readonly asset: string; readonly rate: number }[];
  readonly date: Day;
}

const PARAMETERS: readonly string[] = ['symbols', 'date'];

/** Reads the query on the day `today`; the day is `today` where none is sent. */
export function checkPriceQuery(
  sent: URLSearchParams,
  today: Day,
  resolve: ResolveSymbol,
): Checked<PriceQuery> {
  const faults = [
    ...unknownParameters(sent, PARAMETERS),
    ...PARAMETERS.flatMap(name => repeatedParameter(sent, name)),
  ];
  const refuse = (code: FaultCode, name: string, message: string) =>
    faults.push({ code, path: `query.${name}`, message });
  const listed = (sent.get('symbols') ?? '').split(',').map(symbol => symbol.trim());
  const bound = `1 to ${MAX_SYMBOLS} symbols separated by commas`;
  if (!sent.has('symbols')) refuse('missing', 'symbols', `symbols is missing; it must be ${bound}`);
  else if (listed.length > MAX_SYMBOLS)
    refuse('out_of_range', 'symbols', `symbols must be ${bound}; got ${listed.length} of them`);
  else
    for (const symbol of listed)
      if (!SYMBOL.test(symbol))
        refuse('malformed', 'symbols', `symbols must be ${SYMBOL_BOUND}; got ${show(symbol)}`);

  const text = sent.get('date');
  const date = text === null ? today : parseCalendarDate(text);
  if (date === undefined || date > today)
    refuse(
      date === undefined ? 'malformed' : 'out_of_range',
      'date',
      `date must be a day of the calendar, written MM-DD-YYYY, at most today, ${formatCalendarDate(today)} in UTC; got ${show(text)}`,
    );
  if (faults.length > 0 || date === undefined) return { ok: false, faults };
  const assets = listed.map(each => {
    const name = each.toUpperCase();
    const [asset, rate] = [resolve(name), rateOf(resolve, name)];
    return { symbol: rate === 1 ? asset : name, asset, rate };
  });
  return {
    ok: true,
    value: { assets: [...new Map(assets.map(each => [each.symbol, each])).values()], date },
  };
}

/** The error with its faults at the parameter that names the assets. @throws always */
function atSymbols(error: unknown): never {
  if (!(error instanceof RiskError) || error.reason !== 'missing-market-data') throw error;
  const { reason, message, faults } = error;
  const moved = faults.map(fault => ({ ...fault, path: 'query.symbols' }));
  throw new RiskError(reason, message, { faults: moved, cause: error });
}

export const SCENARIOS_PATH = '/scenarios';

const shown = ({ name, title, priceShock, volatilityShock, replay }: NamedScenario) => ({
  name,
  title,
  ...(replay && { from: formatHour(replay.from), hours: replay.hours }),
  ...(replay && { drawdowns: drawdownsOf(replay.name, replay.hours) }),
  ...(priceShock && { price_shock: priceShock }),
  ...(volatilityShock === undefined ? {} : { volatility_shock: volatilityShock }),
});

/** Of the assets whose prices ship with the program. */
function drawdownsOf(window: string | undefined, hours: number) {
  const prices = window === undefined ? undefined : shippedWindows().get(window)?.prices;
  return Object.fromEntries([...(prices ?? [])].map(([asset, each]) => [asset, drawdownOf(each, hours)]));
}

/** The windows of the program in the order of time, then the scenarios `own`. */
export const scenariosBody = (own: readonly NamedScenario[]) => ({
  scenarios: [...scenarioLibrary(own).values()].map(shown),
});

/** Answers 200 with the scenarios of the program and of the server. */
export function scenariosMiddleware(own: readonly NamedScenario[]): Middleware {
  let list: ReturnType<typeof scenariosBody> | undefined;
  return ctx => {
    list ??= scenariosBody(own);
    ctx.body = list;
  };
}
