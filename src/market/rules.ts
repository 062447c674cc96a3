/**
 * The rules of a server on market data: which series price an asset, and the aliases of symbols.
 *
 * Takes: a rules file, or its JSON. Gives: the rules with defaults. Must not know: the content of a store.
 */
import { readFileSync } from 'node:fs';
import { EXCHANGE_FORM, SYMBOL_FORM } from './store/series-key.ts';
import { type Alias, assetOfAlias, isDollar } from './symbols.ts';

/** `BTC/USD kraken`: a market that prices an asset regardless of the order. */
export interface PreferredMarket {
  readonly quote: string;
  readonly exchange: string;
}

export interface MarketRules {
  /** Exchanges in order of preference; others follow in alphabetical order. */
  readonly exchanges: readonly string[];
  /** Quotes that count as USD one to one, the preferred first. */
  readonly quotes: readonly string[];
  /** Assets with a configured market for their price. */
  readonly prices: Readonly<Record<string, PreferredMarket>>;
  /** Aliases, which always apply. */
  readonly aliases: Readonly<Record<string, Alias>>;
  /** Old names of coins by which the series of the new name begins, one to one: MATIC by POL. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** The publisher of daily snapshots that are not of a single exchange. */
export const SNAPSHOT_PUBLISHER = 'index';

export const DEFAULT_RULES: MarketRules = {
  exchanges: [SNAPSHOT_PUBLISHER, 'binance', 'coinbase', 'kraken', 'bitstamp', 'okx', 'bybit'],
  quotes: ['USD', 'USDT', 'USDC'],
  prices: {},
  aliases: {},
  renamed: {},
};

/** A rules file that cannot be used; the message has one line per fault. */
export class MarketRulesError extends Error {
  override readonly name = 'MarketRulesError';
}

const MEMBERS = ['exchanges', 'quotes', 'prices', 'aliases', 'renamed'];

/**
 * The rules that a file states, defaults where it states none.
 *
 * @param text JSON: `{"exchanges": ["kraken"], "quotes": ["USD"], "prices": {"BTC": "BTC/USD kraken"}, "aliases": {"WBTC": "BTC"}, "renamed": {"MATIC": "POL"}}`
 * @param place name of the file, for messages
 * @throws MarketRulesError with every fault
 */
export function parseRules(text: string, place: string): MarketRules {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MarketRulesError(`${place} is not JSON: ${(error as Error).message}`);
  }
  const faults: string[] = [];
  const fault = (member: string, bound: string) => faults.push(`${place}: ${member} must be ${bound}`);
  if (!isObject(value)) throw new MarketRulesError(`${place} must contain an object`);
  for (const name of Object.keys(value)) {
    if (!MEMBERS.includes(name)) faults.push(`${place}: ${name} is unknown; known are ${MEMBERS.join(', ')}`);
  }
  const list = (
    name: 'exchanges' | 'quotes',
    form: RegExp,
    adapt: (text: string) => string,
  ): readonly string[] => {
    const sent = value[name];
    if (sent === undefined) return DEFAULT_RULES[name];
    const read = Array.isArray(sent) ? sent.map(each => (typeof each === 'string' ? adapt(each) : '')) : [];
    if (read.length === 0 || !read.every(each => form.test(each)) || new Set(read).size < read.length) {
      fault(name, `a list of one or more different ${name}`);
    }
    return read;
  };
  const map = <T>(
    name: 'prices' | 'aliases' | 'renamed',
    read: (key: string, value: unknown) => T | undefined,
    bound: string,
  ) => {
    const sent = value[name];
    if (sent === undefined) return {};
    if (!isObject(sent)) {
      fault(name, 'an object');
      return {};
    }
    const entries = Object.entries(sent).flatMap(([key, each]): [string, T][] => {
      const symbol = key.toUpperCase();
      const to = SYMBOL_FORM.test(symbol) ? read(symbol, each) : undefined;
      if (to === undefined) fault(`${name}.${key}`, bound);
      return to === undefined ? [] : [[symbol, to]];
    });
    return Object.fromEntries(entries) as Record<string, T>;
  };
  const rules: MarketRules = {
    exchanges: list('exchanges', EXCHANGE_FORM, each => each.toLowerCase()),
    quotes: list('quotes', SYMBOL_FORM, each => each.toUpperCase()),
    prices: map<PreferredMarket>(
      'prices',
      (key, each) => {
        const parts = typeof each === 'string' ? MARKET_TEXT.exec(each.trim()) : null;
        return parts?.[1].toUpperCase() === key
          ? { quote: parts[2].toUpperCase(), exchange: parts[3].toLowerCase() }
          : undefined;
      },
      'a market of the asset, written BTC/USD kraken',
    ),
    aliases: map<Alias>('aliases', aliasFrom, ALIAS_BOUND),
    renamed: map<string>('renamed', anotherSymbol, 'another symbol'),
  };
  for (const name of ['aliases', 'renamed'] as const)
    for (const [from, alias] of Object.entries(rules[name])) {
      const to = assetOfAlias(alias);
      if (isDollar(from))
        faults.push(`${place}: ${name}.${from} must be left out: ${from} is the dollar itself`);
      if (to in rules[name])
        fault(
          `${name}.${from}`,
          `the asset itself; ${to} is ${name === 'aliases' ? 'an alias' : 'renamed'} too`,
        );
    }
  if (faults.length > 0) throw new MarketRulesError(faults.join('\n'));
  return rules;
}

const MARKET_TEXT = /^([^/\s]+)\/([^/\s]+)\s+(\S+)$/;

/** Most units of an asset in one unit of an alias. */
const MAX_RATE = 1e6;
const ALIAS_BOUND = `another symbol, or {"asset": "ETH", "rate": 1.17} with a rate above 0 and at most ${MAX_RATE}: the units of the asset in one of the alias`;

function aliasFrom(key: string, sent: unknown): Alias | undefined {
  if (!isObject(sent)) return anotherSymbol(key, sent);
  const { asset: name, rate, ...others } = sent;
  const asset = anotherSymbol(key, name);
  const isRate = typeof rate === 'number' && rate > 0 && rate <= MAX_RATE;
  if (asset === undefined || !isRate || Object.keys(others).length > 0) return undefined;
  return rate === 1 ? asset : { asset, rate };
}

const anotherSymbol = (key: string, sent: unknown): string | undefined => {
  if (typeof sent !== 'string') return undefined;
  const to = sent.toUpperCase();
  return SYMBOL_FORM.test(to) && to !== key ? to : undefined;
};

/** The rules of the file at `path`, the defaults where it is empty. @throws MarketRulesError */
export function readRules(path: string): MarketRules {
  if (path === '') return DEFAULT_RULES;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new MarketRulesError(`${path}, which cannot be read: ${(error as Error).message}`);
  }
  return parseRules(text, path);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
