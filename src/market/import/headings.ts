/**
 * What a heading of a column means: its role, and the currency, unit or zone that it names.
 *
 * One table for every file; `Close (USD)`, `close_usd` and `USD close` are one heading. Must not know: the rows below it.
 */
import { simpleName } from '../../text/nearest-name.ts';
import type { NumberColumn } from '../store/rows.ts';

/**
 * - `end`: the end of a row's bar; `moment`: the moment at which the row was written
 * - `turnover`: a second volume, in another unit than `volume`
 * - `rate`: a funding rate or an exchange rate
 * - `closed`: whether the bar has ended; `interval`: hours between settlements
 */
export type Role =
  | 'time'
  | 'clock'
  | 'end'
  | 'moment'
  | NumberColumn
  | 'turnover'
  | 'price'
  | 'funding'
  | 'rate'
  | 'symbol'
  | 'closed'
  | 'interval';

const words = (text: string): readonly string[] => text.split(' ');

/** Names by role, reduced to lower-case letters and digits; of several the first is taken. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  time: words(
    'opentime opentimestamp timeopen baropen starttime start timestamp time unix unixtimestamp unixtime epoch ' +
      'datetime date day snappedat fundingtime calctime finalat t ts observationdate timeperiod tradedate timestamps ticks ' +
      'datum zeit datumzeit zeitstempel fecha horodatage',
  ),
  clock: [],
  end: words('closetime timeclose closetimestamp endtime barend end'),
  moment: words('timestamp lastupdated updatedat asof'),
  open: words('open o openprice pxopen eroffnung eroffnungskurs eroffn ouverture'),
  high: words('high h highprice max pxhigh hoch hochst plushaut haut'),
  low: words('low l lowprice min pxlow tief tiefst plusbas bas'),
  close: words(
    'close c closeprice closingprice last lastprice pxlast closelast adjclose adjustedclose settle pxsettle ' +
      'schluss schlusskurs zuletzt cloture dernier',
  ),
  volume: words(
    'basevolume volumebase volumefrom basevol baseassetvolume homenotional volume v vol pxvolume volccy volumeccy volumen',
  ),
  turnover: words(
    'quotevolume quoteassetvolume volumequote volumeto quotevol quoteassetvol volccyquote foreignnotional turnover',
  ),
  price: words('price value obsvalue referencerate kurs preis prix cours'),
  funding: words('fundingrate lastfundingrate realizedfundingrate'),
  rate: ['rate'],
  symbol: words('symbol pair ticker instid instrument'),
  closed: words('confirm confirmed isclosed windowclose isfinal final complete iscomplete'),
  interval: words('fundingintervalhours fundinginterval intervalhours'),
};

/** The unit that a name of a volume states. */
const VOLUME_NAMES: Readonly<Record<'base' | 'quote', ReadonlySet<string>>> = {
  base: new Set(words('basevolume volumebase volumefrom basevol baseassetvolume homenotional')),
  quote: new Set(NAMES.turnover.filter(name => name !== 'turnover')),
};

/** Prices at the start of a day, of the index that Coin Metrics publishes. */
const MOMENT_NAMES: ReadonlySet<string> = new Set(['referencerate', 'snappedat']);

/** Money that no coin has the name of. */
const FIAT: ReadonlySet<string> = new Set(
  words('USD EUR GBP JPY CHF CAD AUD NZD KRW CNY HKD SGD INR BRL TRY MXN SEK NOK DKK PLN'),
);
/** Currencies that headings name. The longer first, so that USDT is not read as USD. */
const CURRENCIES = [...words('FDUSD USDT USDC BUSD TUSD DAI BTC ETH'), ...FIAT];
const SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '₿': 'BTC' };
const ZONES = /^(utc|gmt|z|utc ?[+-]?0{1,2}(:?00)?|ms|s|sec|seconds|milliseconds|unix|epoch)$/i;

/** Dollars, and the coins that count as such: one for the other in a heading is no contradiction. */
export const DOLLARS: ReadonlySet<string> = new Set(words('FDUSD USDT USDC BUSD TUSD USD DAI'));
export const isSameCurrency = (one: string, other: string): boolean =>
  one === other || (DOLLARS.has(one) && DOLLARS.has(other));

/** The currency of a sign or a name in a heading or a cell; undefined where it is none. */
export function currencyOf(text: string): string | undefined {
  const name = text.trim().toUpperCase();
  return Object.hasOwn(SIGNS, name) ? SIGNS[name] : CURRENCIES.find(each => each === name);
}

/** One heading. */
export interface Heading {
  readonly role: Role;
  /** Place among the names of the role, the preferred first. */
  readonly rank: number;
  readonly currency?: string;
  /** A zone other than UTC. */
  readonly zone?: string;
  readonly percent?: boolean;
  readonly volumeUnit?: 'base' | 'quote';
  /** Whether the values are of the moment of their row, even where the row has a day alone. */
  readonly isMoment?: boolean;
}

const SPLIT = /^([^([]*)(?:[([]([^)\]]*)[)\]])?(.*)$/;

/** The meanings of a heading, none where it is not known. @param market the asset, and the quote, whose names a heading may have */
export function headingsOf(
  text: string,
  market: { readonly asset?: string | undefined; readonly quote?: string | undefined } = {},
): readonly Heading[] {
  const [, before, inside = '', after] = SPLIT.exec(text.replace(/^\s*#/, '').trim()) ?? ['', text, '', ''];
  const name = simpleName(`${before} ${after}`);
  const percent = /^%$|percent/i.test(inside.trim()) || /%/.test(before) || /(percent|pct)$/.test(name);
  const plain = name.replace(/(percent|pct)$/, '');
  const currencies = [
    ...CURRENCIES,
    ...[market.asset, market.quote].flatMap(each => each?.toUpperCase() ?? []),
  ];
  const stated = currencyOf(inside) ?? currencies.find(each => each === inside.trim().toUpperCase());
  const found = named(plain, stated, percent, inside);
  if (found.length > 0) return found;
  for (const currency of currencies) {
    const part = currency.toLowerCase();
    for (const rest of [
      plain.endsWith(part) ? plain.slice(0, -part.length) : '',
      plain.startsWith(part) ? plain.slice(part.length) : '',
    ]) {
      const split = rest.length < 3 ? [] : named(rest, currency, percent, inside);
      if (split.length > 0) return split;
    }
  }
  // A heading such as USD, in tables of exchange rates.
  if (FIAT.has(plain.toUpperCase()))
    return [{ role: 'price', rank: NAMES.price.length, currency: plain.toUpperCase() }];
  return /utc$/.test(plain) && plain.length > 3 ? named(plain.slice(0, -3), stated, percent, inside) : [];
}

function named(
  name: string,
  currency: string | undefined,
  percent: boolean,
  inside: string,
): readonly Heading[] {
  return (Object.keys(NAMES) as Role[]).flatMap((role): Heading[] => {
    const rank = NAMES[role].indexOf(name);
    if (rank < 0) return [];
    const volumeUnit = (['base', 'quote'] as const).find(unit => VOLUME_NAMES[unit].has(name));
    const isTime = role === 'time' || role === 'end' || role === 'moment';
    return [
      {
        role,
        rank,
        ...(currency !== undefined && !isTime && { currency }),
        ...(isTime && inside !== '' && !ZONES.test(inside.trim()) && { zone: inside.trim() }),
        ...(percent && { percent }),
        ...(volumeUnit !== undefined && { volumeUnit }),
        ...(MOMENT_NAMES.has(name) && { isMoment: true }),
      },
    ];
  });
}

/** How many headings of a row are known; 0 where none of them is a time. */
export function knownHeadings(cells: readonly string[]): number {
  const meanings = cells.map(cell => (/[a-z]/i.test(cell) && cell.length < 60 ? headingsOf(cell) : []));
  const hasTime = meanings.some(each => each.some(({ role }) => role === 'time' || role === 'end'));
  if (!hasTime) return 0;
  // A time beside names of markets, such as BTC.
  const isNamed =
    cells.length > 1 && cells.every(cell => /^[a-z][^\s,;]*$/i.test(cell) || headingsOf(cell).length > 0);
  return Math.max(meanings.filter(each => each.length > 0).length, isNamed ? 2 : 0);
}
