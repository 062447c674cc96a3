/**
 * The roles of the columns of a table: from their names, an option, or the known formats of exchanges without header.
 *
 * Must not know: times, files.
 */
import { simpleName } from '../../text/nearest-name.ts';
import type { Cell } from '../../text/numbers.ts';
import type { NumberColumn } from '../store/rows.ts';
import type { Table } from './table.ts';

export type Role = 'time' | NumberColumn | 'price' | 'funding' | 'symbol';

/** Volume of one market in a table of several. */
export interface VolumeColumn {
  readonly index: number;
  readonly exchange: string;
  readonly quote: string;
}

export interface Columns {
  /** Index of each role's column. */
  readonly roles: ReadonlyMap<Role, number>;
  /** Volumes named `<exchange>_<quote>`; then there are no prices. */
  readonly volumes: readonly VolumeColumn[];
  /** Names of columns that are not used. */
  readonly leftAside: readonly string[];
  /** How rows without names were understood, for people. */
  readonly form?: string;
  /** The exchange whose form it is. */
  readonly exchange?: string;
}

/** Names of columns, reduced to lower-case letters and digits. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  time: (
    'timestamp time opentime opentimestamp baropen unix unixtimestamp datetime date day ' +
    'snappedat fundingtime calctime finalat t ts'
  ).split(' '),
  open: ['open', 'o', 'openprice'],
  high: ['high', 'h', 'highprice', 'max'],
  low: ['low', 'l', 'lowprice', 'min'],
  close: ['close', 'c', 'closeprice', 'closingprice', 'last'],
  volume: ['volume', 'v', 'vol', 'basevolume', 'volumebase', 'volumefrom'],
  price: ['price', 'priceusd', 'usd', 'value'],
  funding: ['fundingrate', 'lastfundingrate', 'rate'],
  symbol: ['symbol', 'pair', 'ticker'],
};

/** Rows without names, by their number of fields. */
const FORMS: readonly {
  readonly form: string;
  readonly exchange?: string;
  readonly fields: number;
  readonly roles: readonly (Role | '')[];
}[] = [
  { form: 'ccxt OHLCV', fields: 6, roles: ['time', 'open', 'high', 'low', 'close', 'volume'] },
  { form: 'Coinbase candles', fields: 6, roles: ['time', 'low', 'high', 'open', 'close', 'volume'] },
  { form: 'Kraken OHLCVT', fields: 7, roles: ['time', 'open', 'high', 'low', 'close', 'volume', ''] },
  { form: 'Kraken OHLC', fields: 8, roles: ['time', 'open', 'high', 'low', 'close', '', 'volume', ''] },
  {
    form: 'Binance klines',
    exchange: 'binance',
    fields: 12,
    roles: ['time', 'open', 'high', 'low', 'close', 'volume', '', '', '', '', '', ''],
  },
  { form: 'OHLC', fields: 5, roles: ['time', 'open', 'high', 'low', 'close'] },
];
/** Rows read to distinguish two forms. */
const LOOKED_AT = 500;

/**
 * The columns of a table, or a sentence on why they are not understood.
 *
 * @param named names by role as the caller gave them; they go before any guess
 */
export function understandColumns(
  table: Table,
  asset: string | undefined,
  named: Readonly<Partial<Record<Role, string>>>,
): Columns | string {
  return table.header === undefined ? byForm(table) : byName(table.header, asset, named);
}

function byName(
  header: readonly string[],
  asset: string | undefined,
  named: Readonly<Partial<Record<Role, string>>>,
): Columns | string {
  const names = header.map(simpleName);
  const roles = new Map<Role, number>();
  for (const [role, name] of Object.entries(named) as [Role, string][]) {
    const index = names.indexOf(simpleName(name));
    if (index < 0) return `there is no column ${name}; there are ${header.join(', ')}`;
    roles.set(role, index);
  }
  for (const role of Object.keys(NAMES) as Role[]) {
    if (roles.has(role)) continue;
    // CryptoDataDownload calls the volume in coins "Volume BTC".
    const own = role === 'volume' && asset !== undefined ? [`volume${asset.toLowerCase()}`] : [];
    const index = [...own, ...NAMES[role]]
      .map(name => names.indexOf(name))
      .find(found => found >= 0 && ![...roles.values()].includes(found));
    if (index !== undefined) roles.set(role, index);
  }
  // An index of pandas has no name.
  if (!roles.has('time') && /^(|unnamed0|index)$/.test(names[0])) roles.set('time', 0);
  const volumes = roles.has('close') || roles.has('price') ? [] : volumeColumns(header, roles);
  const used = new Set([...roles.values(), ...volumes.map(({ index }) => index)]);
  const leftAside = header.filter((_, index) => !used.has(index));
  if (!roles.has('time')) return `no column holds a time; there are ${header.join(', ')}`;
  if (!['close', 'price', 'funding'].some(role => roles.has(role as Role)) && volumes.length === 0) {
    return `no column holds a close, a price or a funding rate; there are ${header.join(', ')}`;
  }
  return { roles, volumes, leftAside };
}

function volumeColumns(header: readonly string[], roles: ReadonlyMap<Role, number>): readonly VolumeColumn[] {
  return header.flatMap((name, index): VolumeColumn[] => {
    const parts = /^([a-z0-9]+)_([a-z0-9]+)$/i.exec(name.trim());
    if (parts === null || [...roles.values()].includes(index)) return [];
    return [{ index, exchange: parts[1].toLowerCase(), quote: parts[2].toUpperCase() }];
  });
}

function byForm({ rows }: Table): Columns | string {
  const width = rows[0]?.length ?? 0;
  const fitting = FORMS.filter(({ fields }) => fields === width);
  const form = fitting.find(each => enclosed(rows, each.roles)) ?? fitting[0];
  if (form === undefined) {
    return `the rows have no names and ${width} fields; without names, rows have 5 to 8 or 12 fields`;
  }
  const roles = new Map(form.roles.flatMap((role, i): [Role, number][] => (role === '' ? [] : [[role, i]])));
  const { exchange } = form;
  return { roles, volumes: [], leftAside: [], form: form.form, ...(exchange && { exchange }) };
}

/** Whether high and low enclose open and close in every row read. */
function enclosed(rows: readonly (readonly Cell[])[], roles: readonly (Role | '')[]): boolean {
  const at = (row: readonly Cell[], role: Role): number => Number(row[roles.indexOf(role)]);
  return rows.slice(0, LOOKED_AT).every(row => {
    const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map(role => at(row, role));
    return !(high < Math.max(open, close, low) || low > Math.min(open, close));
  });
}
