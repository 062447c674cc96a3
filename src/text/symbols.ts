/** Symbols of a request: their number, and the lookup of their assets in the table of the market. */

/** Most symbols in a weight map, and distinct symbols in both maps of a request. */
export const MAX_SYMBOLS = 32;

/** The dollar itself: price 1 on every grid, no volatility. It has no series. */
export const DOLLAR = 'USD';

/** The asset of an upper-case symbol, and how many units of it one of the symbol is: 1 where absent. */
export interface ResolveSymbol {
  (symbol: string): string;
  readonly rate?: (symbol: string) => number;
}

/** A symbol, its asset, and how many units of the asset one of the symbol is: 1 where absent. */
export type AliasEntry = readonly [symbol: string, asset: string, rate?: number];

/** The lookup in a table of aliases. */
export function resolverOf(entries: readonly AliasEntry[]): ResolveSymbol {
  const table = new Map(entries.map(entry => [entry[0], entry]));
  const resolve = (symbol: string) => table.get(symbol)?.[1] ?? symbol;
  return Object.assign(resolve, { rate: (symbol: string) => table.get(symbol)?.[2] ?? 1 });
}

/** Units of the asset in one unit of an upper-case symbol. */
export const rateOf = ({ rate }: ResolveSymbol, symbol: string): number => rate?.(symbol) ?? 1;

/** The lookup without a market: CASH is the dollar, every other symbol is an asset. */
export const cashIsDollar: ResolveSymbol = symbol => (symbol === 'CASH' ? DOLLAR : symbol);

const STEADY: ReadonlySet<string> = new Set([DOLLAR, 'USDC', 'USDT', 'DAI']);

/** Whether an asset is the dollar, or meant to be worth one. */
export const isSteady = (symbol: string): boolean => STEADY.has(symbol);

/** Currencies of states beside the dollar. */
const CURRENCIES: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS INR JPY KRW MXN NOK NZD PLN SEK SGD TRY ZAR'.split(' '),
);

/** Whether an asset may have closes on weekdays alone. */
export const hasWeekends = (symbol: string): boolean => CURRENCIES.has(symbol);

/** Further coins meant to be worth one unit of a currency. */
const MONEY_COINS: ReadonlySet<string> = new Set('EURC FDUSD PYUSD RLUSD TUSD USDS'.split(' '));

/** Whether an asset is money, whose price stays when all coins move. */
export const isMoney = (symbol: string): boolean =>
  isSteady(symbol) || hasWeekends(symbol) || MONEY_COINS.has(symbol);

/** Coins that stand for a unit of another asset, staked or not, with that asset; null where no asset of a market moves like it. */
const WRAPPED: Readonly<Record<string, string | null>> = {
  WBTC: 'BTC',
  CBBTC: 'BTC',
  TBTC: 'BTC',
  WETH: 'ETH',
  STETH: 'ETH',
  WSTETH: 'ETH',
  RETH: 'ETH',
  CBETH: 'ETH',
  WEETH: 'ETH',
  WSOL: 'SOL',
  PAXG: null,
  XAUT: null,
};

/** The asset that a coin wraps; null for one that wraps something without a market here, undefined for others. */
export const wrappedBy = (symbol: string): string | null | undefined => WRAPPED[symbol];
