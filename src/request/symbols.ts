/** Symbols of a request: their number, and the lookup of their assets in the table of the market. */

/** Most symbols in a weight map, and distinct symbols in both maps of a request. */
export const MAX_SYMBOLS = 32;

/** The asset of an upper-case symbol. */
export type ResolveSymbol = (symbol: string) => string;

/** The lookup without a market: CASH is the dollar, every other symbol is an asset. */
export const cashIsDollar: ResolveSymbol = symbol => (symbol === 'CASH' ? 'USD' : symbol);

const STEADY: ReadonlySet<string> = new Set(['USD', 'USDC', 'USDT', 'DAI']);

/** Whether an asset is the dollar, or meant to be worth one. */
export const isSteady = (symbol: string): boolean => STEADY.has(symbol);
