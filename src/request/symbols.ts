/** Which asset a symbol of a request stands for. The table is the market's; this file declares only the look-up. */

/** The asset that an upper-case symbol stands for. */
export type ResolveSymbol = (symbol: string) => string;

/** Where no market is at hand: CASH is the dollar, every other symbol is an asset. */
export const cashIsDollar: ResolveSymbol = symbol => (symbol === 'CASH' ? 'USD' : symbol);
