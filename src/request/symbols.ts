/** Symbols of a request: how many, and which asset one stands for. The table is the market's; this file declares only the look-up. */

/** Largest number of symbols in a weight map, and of distinct symbols in both maps of a request. */
export const MAX_SYMBOLS = 32;

/** The asset that an upper-case symbol stands for. */
export type ResolveSymbol = (symbol: string) => string;

/** Where no market is at hand: CASH is the dollar, every other symbol is an asset. */
export const cashIsDollar: ResolveSymbol = symbol => (symbol === 'CASH' ? 'USD' : symbol);
