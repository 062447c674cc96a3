/**
 * A market of closes that a program hands over, in the place of a store.
 *
 * Must not know: files, questions.
 */
import { type Fault, refuseIfFaulty } from '../core/errors.ts';
import { formatIsoDate, parseIsoDate } from '../text/calendar-date.ts';
import { AlignedMarket } from './aligned-market.ts';
import { DEFAULT_RULES } from './rules.ts';
import { closingHour, lastPoint, type Series } from './series.ts';
import { symbolTable } from './symbols.ts';

/** Daily closes of an asset in USD, oldest first, one a day; null where a day has none. */
export interface HandedCloses {
  /** Day of the first close, `2024-01-31`: the close is the price at its end, UTC. */
  readonly firstDay: string;
  readonly closes: readonly (number | null)[];
}

const SYMBOL = /^(?=.*[A-Z])[A-Z0-9$][A-Z0-9$._-]{0,31}$/;

/** @throws RiskError with every fault: its path is `market.<symbol>` and the member */
export function marketOfCloses(bySymbol: Readonly<Record<string, HandedCloses>>): AlignedMarket {
  const faults: Fault[] = [];
  const series = new Map<string, Series>();
  for (const [symbol, { firstDay, closes }] of Object.entries(bySymbol)) {
    const path = `market.${symbol}`;
    if (!SYMBOL.test(symbol))
      faults.push({
        code: 'malformed',
        path,
        message: `${symbol} must be a symbol in capitals, such as BTC`,
      });
    const first = parseIsoDate(firstDay);
    if (first === undefined) {
      const message = `firstDay must be a day such as 2024-01-31; got ${firstDay}`;
      faults.push({ code: 'malformed', path: `${path}.firstDay`, message });
    }
    const wrong = closes.findIndex(close => close !== null && !(Number.isFinite(close) && close > 0));
    if (wrong >= 0) {
      const message = `a close must be above 0, or null where there is none; got ${closes[wrong]}`;
      faults.push({ code: 'out_of_range', path: `${path}.closes.${wrong}`, message });
    }
    const values = Float64Array.from(closes, close => close ?? Number.NaN);
    if (first !== undefined) series.set(symbol, { first, values });
  }
  refuseIfFaulty(faults);
  const symbols = [...series.keys()].sort();
  const read = (symbol: string) => series.get(symbol) as Series;
  const lastHour = (symbol: string) => closingHour(lastPoint(read(symbol)));
  return new AlignedMarket({
    sample: false,
    description: `closes of ${symbols.length} assets that the program has handed over`,
    version: undefined,
    symbolTable: symbolTable(new Set(symbols), DEFAULT_RULES),
    dailyCloses: async symbol => series.get(symbol),
    hourlyCloses: async () => undefined,
    volatilityIndex: async () => undefined,
    baseVolume: async () => undefined,
    settlements: async () => undefined,
    symbols: () => symbols,
    youngestCloses: () => symbols.map(symbol => ({ symbol, lastHour: lastHour(symbol) })),
    assets: async () =>
      symbols.map(symbol => ({
        symbol,
        firstDay: formatIsoDate(read(symbol).first),
        lastDay: formatIsoDate(lastPoint(read(symbol))),
        lastHour: lastHour(symbol),
        missingDays: read(symbol).values.reduce((missing, close) => missing + Number(Number.isNaN(close)), 0),
        hours: undefined,
        sources: [],
      })),
    markets: () => [],
    list: async () => [],
  });
}
