/**
 * The roles of the columns of a table: from their headings, an option, or the known formats of exchanges without header.
 *
 * Must not know: times, files.
 */
import { simpleName } from '../../text/nearest-name.ts';
import type { Cell } from '../../text/numbers.ts';
import { splitPair } from './file-name.ts';
import { currencyOf, type Heading, headingsOf, isSameCurrency, type Role } from './headings.ts';
import type { Table } from './table.ts';

/** Volume of one market in a table of several. */
export interface VolumeColumn {
  readonly index: number;
  readonly exchange: string;
  readonly quote: string;
}

/** A column of volumes, and the unit that its heading states. */
export interface Amount {
  readonly field: number;
  readonly unit?: 'base' | 'quote' | undefined;
  /** Whether it is known to be an amount by its heading or an option; else only by its numbers. */
  readonly named: boolean;
}

export interface Columns {
  /** Index of each role's column. */
  readonly roles: ReadonlyMap<Role, number>;
  /** Volumes named `<exchange>_<quote>`; then there are no prices. */
  readonly volumes: readonly VolumeColumn[];
  /** Every column of volumes of a table of prices, that with the role first. */
  readonly amounts: readonly Amount[];
  /** Names of columns that are not used. */
  readonly leftAside: readonly string[];
  /** The currency that the heading of the price names. */
  readonly currency?: string;
  /** Whether the price is that of the moment of its row, even where the row has a day alone. */
  readonly isMoment?: boolean;
  /** Whether the only time of a row is the end of its bar. */
  readonly isEnd?: boolean;
  /** Whether the heading of a rate says that it is in percent. */
  readonly percent?: boolean;
  /** How rows without names were understood, for people. */
  readonly form?: string;
  /** The exchange whose form it is. */
  readonly exchange?: string;
}

/** What is known of the market before the columns are. */
export interface KnownMarket {
  readonly asset?: string | undefined;
  readonly quote?: string | undefined;
}

/** Rows without names, by their number of fields. `other` is a volume in another unit, if its numbers say so. */
const FORMS: readonly {
  readonly form: string;
  readonly exchange?: string;
  readonly fields: number;
  readonly roles: readonly (Role | 'other' | '')[];
}[] = [
  { form: 'pairs of time and price', fields: 2, roles: ['time', 'price'] },
  { form: 'ccxt OHLCV', fields: 6, roles: ['time', 'open', 'high', 'low', 'close', 'volume'] },
  { form: 'Coinbase candles', fields: 6, roles: ['time', 'low', 'high', 'open', 'close', 'volume'] },
  { form: 'Bitfinex candles', fields: 6, roles: ['time', 'open', 'close', 'high', 'low', 'volume'] },
  { form: 'Kraken OHLCVT', fields: 7, roles: ['time', 'open', 'high', 'low', 'close', 'volume', 'other'] },
  { form: 'KuCoin candles', fields: 7, roles: ['time', 'open', 'close', 'high', 'low', 'volume', 'other'] },
  { form: 'Kraken OHLC', fields: 8, roles: ['time', 'open', 'high', 'low', 'close', '', 'volume', ''] },
  {
    form: 'Bitget candles',
    fields: 8,
    roles: ['time', 'open', 'high', 'low', 'close', 'volume', 'turnover', ''],
  },
  {
    form: 'OKX candles',
    fields: 9,
    roles: ['time', 'open', 'high', 'low', 'close', 'volume', 'other', 'turnover', 'closed'],
  },
  {
    form: 'Binance klines',
    exchange: 'binance',
    fields: 12,
    roles: ['time', 'open', 'high', 'low', 'close', 'volume', 'end', 'turnover', '', '', '', ''],
  },
  { form: 'OHLC', fields: 5, roles: ['time', 'open', 'high', 'low', 'close'] },
];
/** Rows read to distinguish two forms. */
const LOOKED_AT = 500;

const PRICES: readonly Role[] = ['close', 'price', 'rate'];
const IN_MONEY: ReadonlySet<Role> = new Set(['open', 'high', 'low', 'close', 'price']);

/**
 * The columns of a table, or a sentence on why they are not understood.
 *
 * @param named names by role as the caller gave them; they go before any guess
 */
export function understandColumns(
  table: Table,
  market: KnownMarket,
  named: Readonly<Partial<Record<Role, string>>>,
): Columns | string {
  return table.header === undefined ? byForm(table) : byName(table.header, table.rows, market, named);
}

interface Candidate extends Heading {
  readonly index: number;
}

function byName(
  header: readonly string[],
  rows: Table['rows'],
  market: KnownMarket,
  named: Readonly<Partial<Record<Role, string>>>,
): Columns | string {
  const names = header.map(simpleName);
  const roles = new Map<Role, number>();
  for (const [role, name] of Object.entries(named) as [Role, string][]) {
    const index = header.indexOf(name) < 0 ? names.indexOf(simpleName(name)) : header.indexOf(name);
    if (index < 0) return `there is no column ${name}; there are ${header.join(', ')}`;
    roles.set(role, index);
  }
  const byOption = new Set(roles.values());
  const candidates = header.flatMap((text, index) =>
    byOption.has(index) ? [] : headingsOf(text, market).map((each): Candidate => ({ ...each, index })),
  );
  const chosen = new Map<Role, Candidate>();
  for (const role of candidateRoles(candidates)) {
    if (roles.has(role)) continue;
    const best = bestOf(
      candidates.filter(each => each.role === role && ![...roles.values()].includes(each.index)),
      market,
    );
    if (best === undefined) continue;
    roles.set(role, best.index);
    chosen.set(role, best);
  }
  withClock(roles, names, rows);
  // An index of pandas has no name.
  if (!roles.has('time') && /^(|unnamed0|index)$/.test(names[0])) roles.set('time', 0);
  const isEnd = !roles.has('time') && roles.has('end');
  if (isEnd) {
    roles.set('time', roles.get('end') as number);
    roles.delete('end');
    if (chosen.has('end')) chosen.set('time', chosen.get('end') as Candidate);
  }
  if (!roles.has('time')) return `no column holds a time; there are ${header.join(', ')}`;
  const zone = chosen.get('time')?.zone;
  if (zone !== undefined)
    return `the times of the column ${header[roles.get('time') as number]} are of the zone ${zone}, and not UTC`;
  const volumes = PRICES.some(role => roles.has(role)) ? [] : volumeColumns(header, roles);
  if (![...PRICES, 'funding' as const].some(role => roles.has(role)) && volumes.length === 0) {
    const own = ownColumn(header, market);
    if (own === undefined)
      return `no column holds a close, a price or a funding rate; there are ${header.join(', ')}`;
    roles.set('price', own.index);
    chosen.set('price', own);
  }
  const amounts = amountsOf(roles, chosen, candidates, market);
  const used = new Set([
    ...roles.values(),
    ...volumes.map(({ index }) => index),
    ...amounts.filter(each => each.named).map(({ field }) => field),
  ]);
  const leftAside = header.filter((_, index) => !used.has(index));
  const price = PRICES.map(role => chosen.get(role)).find(each => each !== undefined);
  const percent = chosen.get('funding')?.percent ?? chosen.get('rate')?.percent;
  return {
    roles,
    volumes,
    amounts,
    leftAside,
    ...(price?.currency !== undefined && { currency: price.currency }),
    ...((price?.isMoment ?? false) && { isMoment: true }),
    ...(isEnd && { isEnd }),
    ...(percent !== undefined && { percent }),
  };
}

/** The roles of some candidates in the order in which they take their columns. */
const candidateRoles = (candidates: readonly Candidate[]): readonly Role[] => {
  const order: readonly Role[] = ['time', 'close', 'price'];
  const all = [...new Set(candidates.map(({ role }) => role))];
  return [...order.filter(role => all.includes(role)), ...all.filter(role => !order.includes(role))];
};

/** The preferred of the columns of one role: by name; then in the quote before one without a currency, that before another. */
function bestOf(candidates: readonly Candidate[], { asset, quote }: KnownMarket): Candidate | undefined {
  const place = ({ role, currency }: Candidate): number => {
    if (role === 'volume' || role === 'turnover') {
      if (currency === undefined) return 1;
      return currency === asset?.toUpperCase() ? 0 : 2;
    }
    if (currency === undefined) return 2;
    if (currency === quote?.toUpperCase()) return 0;
    if (quote !== undefined && isSameCurrency(currency, quote.toUpperCase())) return 1;
    return currency === 'USD' ? 3 : 4;
  };
  return candidates
    .filter(each => !isForeign(each, asset?.toUpperCase()))
    .reduce<Candidate | undefined>(
      (best, each) =>
        best === undefined || each.rank < best.rank || (each.rank === best.rank && place(each) < place(best))
          ? each
          : best,
      undefined,
    );
}

/** A price in units of the asset itself, or a volume in another currency: a turnover, which `amountsOf` has. */
const isForeign = ({ role, currency }: Candidate, asset: string | undefined): boolean =>
  currency !== undefined &&
  (role === 'volume' ? currency !== asset : IN_MONEY.has(role) && currency === asset);

/** Every column of volumes, that with the role first. */
function amountsOf(
  roles: ReadonlyMap<Role, number>,
  chosen: ReadonlyMap<Role, Candidate>,
  candidates: readonly Candidate[],
  { asset, quote }: KnownMarket,
): readonly Amount[] {
  const unitOf = ({ currency, volumeUnit }: Candidate): 'base' | 'quote' | undefined => {
    if (currency === undefined) return volumeUnit;
    if (currency === asset?.toUpperCase()) return 'base';
    return quote === undefined || isSameCurrency(currency, quote.toUpperCase()) ? 'quote' : undefined;
  };
  const own = roles.get('volume');
  const amounts = candidates
    .filter(({ role, index }) => (role === 'volume' || role === 'turnover') && index !== own)
    .filter(each => each.currency === undefined || unitOf(each) !== undefined)
    .map((each): Amount => ({ field: each.index, unit: unitOf(each), named: true }));
  if (own === undefined) return amounts;
  const heading = chosen.get('volume');
  return [{ field: own, unit: heading && unitOf(heading), named: true }, ...amounts];
}

/** A date and a time of day in two columns. */
function withClock(roles: Map<Role, number>, names: readonly string[], rows: Table['rows']): void {
  const [day, clock] = [names.indexOf('date'), names.indexOf('time')];
  if (day < 0 || clock < 0 || !/^\d{1,2}:\d{2}(:\d{2})?$/.test(String(rows[0]?.[clock] ?? ''))) return;
  roles.set('time', day);
  roles.set('clock', clock);
}

/** The one column whose heading is the market itself: `BTC`, `BTC-USD`, or `CBBTCUSD`. */
function ownColumn(header: readonly string[], { asset, quote }: KnownMarket): Candidate | undefined {
  const found = header.flatMap((text, index): Candidate[] => {
    const name = text.trim().toUpperCase();
    const pair = splitPair(text.trim());
    const plain = name.replace(/[^A-Z0-9]/g, '');
    const isOwn =
      (asset !== undefined && name === asset.toUpperCase()) ||
      (pair !== undefined && (asset === undefined || pair.asset === asset.toUpperCase())) ||
      (asset !== undefined &&
        pair !== undefined &&
        plain.endsWith(`${asset.toUpperCase()}${quote?.toUpperCase() ?? pair.quote}`));
    const currency = pair?.quote ?? currencyOf(name);
    const isMoney = asset !== undefined && quote !== undefined && currencyOf(name) === quote.toUpperCase();
    if (!isOwn && !isMoney) return [];
    return [
      { role: 'price', rank: 0, index, ...(currency !== asset && currency !== undefined && { currency }) },
    ];
  });
  return found.length === 1 ? found[0] : undefined;
}

function volumeColumns(header: readonly string[], roles: ReadonlyMap<Role, number>): readonly VolumeColumn[] {
  return header.flatMap((name, index): VolumeColumn[] => {
    const parts = /^([a-z0-9]+)_([a-z0-9]+)$/i.exec(name.trim());
    if (parts === null || currencyOf(parts[2]) === undefined) return [];
    if ([...roles.values()].includes(index)) return [];
    return [{ index, exchange: parts[1].toLowerCase(), quote: parts[2].toUpperCase() }];
  });
}

function byForm({ rows }: Table): Columns | string {
  const width = rows[0]?.length ?? 0;
  const fitting = FORMS.filter(({ fields }) => fields === width);
  const form = fitting.find(each => enclosed(rows, each.roles)) ?? fitting[0];
  if (form === undefined) {
    return `the rows have no names and ${width} fields; without names, rows have 2, 5 to 9 or 12 fields`;
  }
  const roles = new Map(
    form.roles.flatMap((role, i): [Role, number][] => (role === '' || role === 'other' ? [] : [[role, i]])),
  );
  const amounts = form.roles.flatMap((role, field): Amount[] =>
    role === 'volume' || role === 'turnover' || role === 'other' ? [{ field, named: role !== 'other' }] : [],
  );
  const { exchange } = form;
  return { roles, volumes: [], amounts, leftAside: [], form: form.form, ...(exchange && { exchange }) };
}

/** Whether high and low enclose open and close in every row read, and the field of Kraken's average price, too. */
function enclosed(rows: readonly (readonly Cell[])[], roles: readonly (Role | 'other' | '')[]): boolean {
  const at = (row: readonly Cell[], role: Role): number => Number(row[roles.indexOf(role)]);
  const average = roles.length === 8 && roles[5] === '' ? 5 : undefined;
  return rows.slice(0, LOOKED_AT).every(row => {
    const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map(role => at(row, role));
    const mean = average === undefined ? 0 : Number(row[average]);
    return (
      !(high < Math.max(open, close, low) || low > Math.min(open, close)) &&
      !(mean > 0 && (mean > high || mean < low))
    );
  });
}
