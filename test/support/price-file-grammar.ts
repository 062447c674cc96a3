/**
 * A grammar of exports of prices: files drawn from it, each with the closes and volumes that are right, and the options that a person
 * would give. Headings, order of columns, marks between fields, stamps, units of volumes, money, titles and totals are independent.
 */
import type { ImportOptions } from '#src/market/import/reading.js';

/** A file of the grammar. */
export interface DrawnFile {
  readonly name: string;
  readonly text: string;
  readonly options: ImportOptions;
  /** What a person answers where the import asks. */
  readonly answers: ImportOptions;
  /** Close and coins by the hour at which a row is known; coins are NaN where the file has no volumes. */
  readonly truth: ReadonlyMap<number, { readonly close: number; readonly coins: number }>;
}

/** Numbers in [0, 1), the same for the same seed (Park and Miller 1988). */
export function drawsOf(seed: number): () => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (n: number) => String(n).padStart(2, '0');

/** How days are written, by their parts; the first of each row is drawn most. */
const DAYS: readonly ((year: number, month: number, day: number) => string)[] = [
  (y, m, d) => `${y}-${two(m)}-${two(d)}`,
  (y, m, d) => `${y}/${two(m)}/${two(d)}`,
  (y, m, d) => `${y}${two(m)}${two(d)}`,
  (y, m, d) => `${two(d)}.${two(m)}.${y}`,
  (y, m, d) => `${two(m)}/${two(d)}/${y}`,
  (y, m, d) => `${d}/${m}/${y}`,
  (y, m, d) => `${two(d)}-${MONTHS[m - 1]}-${two(y % 100)}`,
  (y, m, d) => `${MONTHS[m - 1]} ${two(d)}, ${y}`,
  (y, m, d) => `${two(m)}/${two(d)}/${two(y % 100)}`,
];

/** How moments are written. */
const MOMENTS: readonly ((date: Date) => string)[] = [
  date => date.toISOString(),
  date => `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)}`,
  date => `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 16)}`,
  date => `${date.toISOString().slice(0, 19)}+00:00`,
  date => `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)} UTC`,
  date => String(date.getTime()),
  date => String(date.getTime() / 1000),
];

type Numbers = (value: number) => string;
const grouped = (text: string, mark: string) => text.replace(/\B(?=(\d{3})+(?!\d))/g, mark);
const parts = (value: number, digits: number) => value.toFixed(digits).split('.');

/** How numbers are written; `marks` are the delimiters with which they are. */
const NUMBERS: readonly { readonly form: (digits: number) => Numbers; readonly marks: string }[] = [
  { form: digits => value => value.toFixed(digits), marks: ',;\t' },
  { form: digits => value => value.toFixed(digits), marks: ',;\t' },
  {
    form: digits => value =>
      parts(value, digits)
        .map((part, i) => (i === 0 ? grouped(part, ',') : part))
        .join('.'),
    marks: ',;\t',
  },
  {
    form: digits => value =>
      `$${parts(value, digits)
        .map((part, i) => (i === 0 ? grouped(part, ',') : part))
        .join('.')}`,
    marks: ',;\t',
  },
  { form: digits => value => value.toFixed(digits).replace('.', ','), marks: ';\t' },
  {
    form: digits => value =>
      parts(value, digits)
        .map((part, i) => (i === 0 ? grouped(part, '.') : part))
        .join(','),
    marks: ';',
  },
];

const CLOSES = [
  'Close',
  'close',
  'Close Price',
  'CLOSE',
  'Last',
  'Close*',
  'Adj Close',
  'c',
  'Close (Q)',
  'close_q',
  'PX_LAST',
];
const ALONE = ['Price', 'price', 'value', 'PriceQ', 'Q', 'A', 'A-Q', 'rate', 'price_q', 'Close', 'Price (Q)'];
const TIMES = ['Date', 'date', 'Time', 'timestamp', 'Date (UTC)', 'datetime', 'Timestamp', 'open_time'];
const TITLES = [
  ['Prices of the fund'],
  ['# exported by hand', ''],
  ['https://example.com/data'],
  ['Daily closes', 'All times UTC', ''],
];
const TOTALS = [['Average', 'x'], ['Source: own'], ['Highest: 5']];
const ASSETS = [
  { asset: 'BTC', price: 60_000 },
  { asset: 'ETH', price: 2500 },
  { asset: 'SOL', price: 140 },
  { asset: 'XRP', price: 0.52 },
  { asset: 'SHIB', price: 0.0000081 },
];

/** One file. @param seed a whole number; the same file for the same seed */
export function drawPriceFile(seed: number): DrawnFile {
  const draw = drawsOf(seed);
  const below = (count: number) => Math.floor(draw() * count);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)];
  const chance = (share: number) => draw() < share;

  const { asset, price: start } = oneOf(ASSETS);
  const quote = oneOf(['USD', 'USD', 'USDT', 'EUR']);
  const exchange = oneOf(['kraken', 'binance', 'bitstamp', 'coinbase', 'own']);
  const isHourly = chance(0.2);
  const step = isHourly ? 1 : 24;
  const count = 20 + below(100);
  const first = 24 * (19_700 + below(300));
  const digits = start < 0.001 ? 10 : start < 10 ? 5 : oneOf([2, 2, 2, 0, 3]);
  const numbers = oneOf(digits > 3 ? NUMBERS.slice(0, 2) : NUMBERS);
  const write = numbers.form(digits);
  const delimiter = oneOf([...numbers.marks]);

  const hasBars = chance(0.55);
  // A price with a time is that of its moment; a day, and a bar with or without a time, begin with their label.
  const hasTime = isHourly || chance(0.3);
  const isSnapshot = hasTime && !hasBars;
  const dayForm = oneOf([DAYS[0], DAYS[0], ...DAYS]);
  const momentForm = oneOf(MOMENTS);
  const label = (hour: number): string => {
    const date = new Date((hour - (isSnapshot ? 0 : step)) * 3_600_000);
    if (hasTime) return momentForm(date);
    return dayForm(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  };
  const named = (text: string) =>
    text.replace(/\bA\b/g, asset).replace(/Q\b/g, quote).replace(/_q$/, `_${quote.toLowerCase()}`);

  const volumeForm = hasBars
    ? oneOf(['none', 'plain', 'asset', 'quote', 'turnover', 'both', 'contracts'])
    : 'none';
  const isDerivative = volumeForm === 'contracts';
  const rows: Record<string, string>[] = [];
  const truth = new Map<number, { close: number; coins: number }>();
  const timeName = oneOf(TIMES);
  const closeName = named(
    hasBars
      ? oneOf(CLOSES)
      : isSnapshot
        ? oneOf(ALONE.filter(name => name !== 'rate' && name !== 'Close'))
        : oneOf(ALONE),
  );
  const close = closeName === timeName ? 'Close' : closeName;
  let level = start * (0.7 + 0.6 * draw());
  for (let i = 0; i < count; i++) {
    const hour = first + step * (i + 1);
    const open = Number(level.toFixed(digits));
    level *= Math.exp(0.05 * (draw() - 0.5));
    const value = Number(level.toFixed(digits));
    const coins = Math.round(1e6 * (50 + 400 * draw()) * (2000 / start)) / 1e6;
    const row: Record<string, string> = { [timeName]: label(hour), [close]: write(value) };
    if (hasBars) {
      row.Open = write(open);
      row.High = write(Math.max(open, value) + 10 ** -digits);
      row.Low = write(Math.max(10 ** -digits, Math.min(open, value) - 10 ** -digits));
    }
    const amount = (size: number) => numbers.form(3)(size).replace('$', '');
    const mean = (open + value) / 2;
    if (volumeForm === 'plain') row.Volume = amount(coins);
    if (volumeForm === 'asset') row[`Volume ${asset}`] = amount(coins);
    if (volumeForm === 'quote') row[`Volume (${quote})`] = amount(coins * value);
    if (volumeForm === 'turnover') {
      row.Volume = amount(coins);
      row['Quote volume'] = amount(coins * mean);
    }
    if (volumeForm === 'both') {
      row[`Volume ${asset}`] = amount(coins);
      row[`Volume ${quote}`] = amount(coins * mean);
    }
    if (volumeForm === 'contracts') {
      row.volume = amount((coins * mean) / 10);
      row.quote_volume = amount(coins);
    }
    rows.push(row);
    truth.set(hour, { close: value, coins: volumeForm === 'none' ? Number.NaN : coins });
  }
  const columns = Object.keys(rows[0]);
  const others = columns.slice(1);
  for (let i = others.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [others[i], others[j]] = [others[j], others[i]];
  }
  const order = [columns[0], ...others];
  const field = (text: string) => (text.includes(delimiter) || chance(0.05) ? `"${text}"` : text);
  const lineOf = (cells: readonly string[]) => cells.map(field).join(delimiter);
  const body = rows.map(row => lineOf(order.map(name => row[name])));
  if (chance(0.4)) body.reverse();
  const text = [
    ...(chance(0.2) ? oneOf(TITLES) : []),
    lineOf(order),
    ...body,
    ...(chance(0.15) ? ['', ...oneOf(TOTALS).map(cell => lineOf([cell]))] : []),
  ].join('\n');
  const isMonthFirst = dayForm === DAYS[4] || dayForm === DAYS[8];
  return {
    name: isDerivative ? `${exchange}_${asset}${quote}_perp.csv` : 'prices.csv',
    text: `${text}\n`,
    options: { asset, quote, exchange, ...(isDerivative && { kind: 'price' as const }) },
    answers: {
      dates: isMonthFirst ? 'mdy' : 'dmy',
      decimal: numbers.marks.includes(',') ? 'point' : 'comma',
      ...(volumeForm === 'quote'
        ? { volumeUnit: 'quote' as const }
        : volumeForm === 'contracts'
          ? {}
          : { volumeUnit: 'base' as const }),
      timeframe: isHourly ? '1h' : '1d',
      kind: 'price',
    },
    truth,
  };
}
