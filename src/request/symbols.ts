/** Which asset a symbol of a request stands for. The table is the market's; this file declares only the look-up. */

/** The asset that an upper-case symbol stands for. */
export type ResolveSymbol = (symbol: string) => string;

/** Where no market is at hand: dollars are USDC. */
export const dollarsAreUsdc: ResolveSymbol = symbol => (symbol === 'USD' ? 'USDC' : symbol);
