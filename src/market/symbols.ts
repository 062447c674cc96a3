/**
 * The table of symbols: the asset of each symbol, given the rules and the stored assets.
 *
 * Must not know: requests.
 */

import { sortedBy } from '../text/sorted-by.ts';
import { type AliasEntry, DOLLAR, type ResolveSymbol, resolverOf } from '../text/symbols.ts';

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
  readonly resolve: ResolveSymbol;
  /** Every alias of a stored asset, with that asset, sorted. */
  aliases(): readonly AliasEntry[];
}

/** The asset of an alias, and how many units of it one of the alias is, where that is not 1: `{"asset": "ETH", "rate": 1.17}`. */
export type Alias = string | { readonly asset: string; readonly rate: number };

export const assetOfAlias = (alias: Alias): string => (typeof alias === 'string' ? alias : alias.asset);

/**
 * @param held assets with prices
 */
export function symbolTable(
  held: { has(symbol: string): boolean },
  rules: {
    readonly aliases: Readonly<Record<string, Alias>>;
    readonly renamed: Readonly<Record<string, string>>;
  },
): SymbolTable {
  const table = new Map<string, string>();
  const rates = new Map<string, number>();
  for (const [from, to] of Object.entries({ ...EXCHANGE_NAMES, ...RENAMED })) {
    if (!held.has(from) && held.has(to)) table.set(from, to);
  }
  for (const [from, to] of Object.entries(rules.renamed)) if (held.has(to)) table.set(from, to);
  for (const [from, to] of Object.entries(rules.aliases)) {
    const asset = assetOfAlias(to);
    table.set(from, isDollar(asset) ? DOLLAR : asset);
    if (typeof to !== 'string') rates.set(from, to.rate);
  }
  for (const name of DOLLAR_NAMES) table.set(name, DOLLAR);
  const sorted = sortedBy(table, ([name]) => name).map(([name, asset]): AliasEntry => {
    const rate = rates.get(name);
    return rate === undefined ? [name, asset] : [name, asset, rate];
  });
  return { resolve: resolverOf(sorted), aliases: () => sorted };
}
