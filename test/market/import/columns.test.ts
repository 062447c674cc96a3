/** Which column of a table has which role. */
import { describe, expect, it } from 'vitest';
import { understandColumns } from '#src/market/import/columns.js';
import type { Table } from '#src/market/import/table.js';
import type { Cell } from '#src/text/numbers.js';

const tableOf = (header: string | undefined, rows: readonly (readonly Cell[])[] = [[]]): Table => ({
  header: header?.split(','),
  rows,
  lineOf: row => row + 1,
  lastRowMayBeCut: false,
  says: {},
});

type Named = Parameters<typeof understandColumns>[2];
/** The columns as `time 0, close 1; volume binance/USDT 2; not used: x`, or the reason why there are none. */
function read(header: string | undefined, named: Named = {}, asset?: string, rows?: readonly Cell[][]) {
  const found = understandColumns(tableOf(header, rows), { asset }, named);
  if (typeof found === 'string') return found;
  const { roles, volumes, leftAside, form, exchange } = found;
  return [
    [...roles].map(([role, index]) => `${role} ${index}`).join(', '),
    ...volumes.map(({ index, exchange: of, quote }) => `volume ${of}/${quote} ${index}`),
    ...(leftAside.length > 0 ? [`not used: ${leftAside.join(', ')}`] : []),
    ...[form, exchange].flatMap(text => text ?? []),
  ].join('; ');
}

describe('A header', () => {
  it.each([
    // The first column has a role as any other.
    ['close,date', 'time 1, close 0'],
    ['Snapped At,O,H,L,C,V', 'time 0, close 4, open 1, high 2, low 3, volume 5'],
    ['date,open,high,low,last,base volume', 'time 0, close 4, open 1, high 2, low 3, volume 5'],
    // The first of the known names, whatever the order of the columns.
    ['date,last,close', 'time 0, close 2; not used: last'],
    ['date,price,rate,pair', 'time 0, price 1, rate 2, symbol 3'],
    ['date,close,trades,x', 'time 0, close 1; not used: trades, x'],
    // Volumes of several markets, only where there is no price.
    ['date,Binance_usdt, kraken_USD', 'time 0; volume binance/USDT 1; volume kraken/USD 2'],
    ['date,close,binance_usdt', 'time 0, close 1; not used: binance_usdt'],
    ['date,price,binance_usdt', 'time 0, price 1; not used: binance_usdt'],
    ['open_time,binance_usdt,a_b_c', 'time 0; volume binance/USDT 1; not used: a_b_c'],
    // The index of pandas is the time where nothing else is.
    [',close', 'close 1, time 0'],
    ['Unnamed: 0,close', 'close 1, time 0'],
    ['index,close,x', 'close 1, time 0; not used: x'],
    ['index,close,date', 'time 2, close 1; not used: index'],
    ['x,index,close', 'no column holds a time; there are x, index, close'],
    ['close', 'no column holds a time; there are close'],
    ['date,open', 'no column holds a close, a price or a funding rate; there are date, open'],
  ])('%s is understood as it says', (header, columns) => {
    expect(read(header)).toBe(columns);
  });

  it('has the volume in coins of the asset before another volume', () => {
    const header = 'date,close,Volume,Volume BTC';
    expect(read(header, {}, 'BTC')).toBe('time 0, close 1, volume 3');
    expect(read(header, {}, 'ETH')).toBe('time 0, close 1, volume 2');
    expect(read(header)).toBe('time 0, close 1, volume 2');
    // A price in coins of the asset is none of it.
    expect(read('date,Open BTC,close', {}, 'BTC')).toBe('time 0, close 2; not used: Open BTC');
  });

  it('gives a column that an option names that role alone', () => {
    expect(read('date,close,x', { close: 'X' })).toBe('close 2, time 0; not used: close');
    expect(read('date,close', { open: 'close' })).toBe(
      'no column holds a close, a price or a funding rate; there are date, close',
    );
    expect(read('date,a', { time: 'date', funding: 'a' })).toBe('time 0, funding 1');
    expect(read('a,close', { time: 'a' })).toBe('time 0, close 1');
    expect(read('date,close', { open: 'first' })).toBe('there is no column first; there are date, close');
  });
});

describe('Rows without names', () => {
  const byRows = (...rows: readonly Cell[][]) => read(undefined, {}, undefined, rows);
  const KLINE = [0, 10, 12, 9, 11, 10, 0, 0, 0, 0, 0, 0];

  it.each([
    [5, 'time 0, open 1, high 2, low 3, close 4; OHLC'],
    [7, 'time 0, open 1, high 2, low 3, close 4, volume 5; Kraken OHLCVT'],
    [9, 'time 0, open 1, high 2, low 3, close 4, volume 5, turnover 7, closed 8; OKX candles'],
    [2, 'time 0, price 1; pairs of time and price'],
    [8, 'time 0, open 1, high 2, low 3, close 4, volume 6; Kraken OHLC'],
    [12, 'time 0, open 1, high 2, low 3, close 4, volume 5, end 6, turnover 7; Binance klines; binance'],
  ])('have a form by their %d fields', (fields, columns) => {
    expect(byRows(KLINE.slice(0, fields))).toBe(columns);
  });

  it.each([0, 3, 4, 10, 11, 13])('have no form with %d fields', fields => {
    expect(byRows(new Array<Cell>(fields).fill(1))).toBe(
      `the rows have no names and ${fields} fields; without names, rows have 2, 5 to 9 or 12 fields`,
    );
    expect(byRows()).toContain('no names and 0 fields');
  });

  const CCXT = 'time 0, open 1, high 2, low 3, close 4, volume 5; ccxt OHLCV';
  const COINBASE = 'time 0, low 1, high 2, open 3, close 4, volume 5; Coinbase candles';
  /** Every bar here is one of both forms. */
  const EITHER = [0, 9, 11, 9, 11, 1];

  it.each([
    ['low is third', CCXT, [[0, 10, 12, 9, 11, 1]]],
    ['low is first', COINBASE, [[0, 9, 12, 10, 11, 1]]],
    ['low is first and the close highest', COINBASE, [[0, 9, 11, 10, 11, 1]]],
    ['one row alone has its low first, the first', COINBASE, [[0, 9, 12, 10, 11, 1], EITHER]],
    ['one row alone has its low first, the last', COINBASE, [EITHER, [0, 9, 12, 10, 11, 1]]],
    ['low is that of both', CCXT, [EITHER]],
    // A bar that is wrong in both forms.
    ['high is below the close', CCXT, [[0, 9, 10, 9.5, 11, 1]]],
    ['high is below all', CCXT, [[0, 9, 8, 10, 11, 1]]],
    ['high is below the third field', CCXT, [[0, 9, 10, 11, 9.5, 1]]],
  ])('of 6 fields are told apart by the extremes: %s', (_, columns, rows) => {
    expect(byRows(...rows)).toBe(columns);
  });

  it('of 6 fields are told apart by their first 500', () => {
    const rows = (alike: number) => [...new Array<Cell[]>(alike).fill(EITHER), [0, 9, 12, 10, 11, 1]];
    expect(byRows(...rows(499))).toBe(COINBASE);
    expect(byRows(...rows(500))).toBe(CCXT);
  });
});
