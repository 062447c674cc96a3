/**
 * The table of symbols: the asset of each symbol, given the rules and the stored assets.
 *
 * Must not know: requests.
 */

import { sortedBy } from '../text/sorted-by.ts';
import { DOLLAR } from '../text/symbols.ts';

/** Other names of the dollar; no series, and no rule, gives them another meaning. */
const DOLLAR_NAMES: readonly string[] = ['CASH'];
/** True for the dollar itself and its other names. */
export const isDollar = (symbol: string): boolean => symbol === DOLLAR || DOLLAR_NAMES.includes(symbol);

/** Other names of one coin, as exchanges write them; not of a wrapped or staked one, which is another asset. */
export const EXCHANGE_NAMES: Readonly<Record<string, string>> = { XBT: 'BTC', XXBT: 'BTC', XDG: 'DOGE' };

/** Coins that were renamed, one to one: the old name is an alias of the new one if only the new one has a price. */
const RENAMED: Readonly<Record<string, string>> = {
  MATIC: 'POL',
  FTM: 'S',
  EOS: 'A',
  RNDR: 'RENDER',
};

/** The old and the new name of a coin that was renamed. */
export const renamedPair = (symbol: string): readonly [from: string, to: string] | undefined =>
  Object.entries(RENAMED).find(pair => pair.includes(symbol));

export interface SymbolTable {
  /** The asset of an upper-case symbol; the symbol itself if it is not an alias. */
  resolve(symbol: string): string;
  /** Every alias of a stored asset, with that asset, sorted. */
  aliases(): readonly (readonly [symbol: string, asset: string])[];
}

/**
 * @param held assets with prices
 */
export function symbolTable(
  held: { has(symbol: string): boolean },
  rules: {
    readonly aliases: Readonly<Record<string, string>>;
    readonly renamed: Readonly<Record<string, string>>;
  },
): SymbolTable {
  const table = new Map<string, string>();
  for (const [from, to] of Object.entries({ ...EXCHANGE_NAMES, ...RENAMED })) {
    if (!held.has(from) && held.has(to)) table.set(from, to);
  }
  for (const [from, to] of Object.entries(rules.renamed)) if (held.has(to)) table.set(from, to);
  for (const [from, to] of Object.entries(rules.aliases)) table.set(from, isDollar(to) ? DOLLAR : to);
  for (const name of DOLLAR_NAMES) table.set(name, DOLLAR);
  const sorted = sortedBy(table, ([name]) => name);
  return { resolve: symbol => table.get(symbol) ?? symbol, aliases: () => sorted };
}
