/** Files of all forms as tables. */
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '#src/market/import/import-error.js';
import { MAX_TEXT_BYTES, readTable, type Table } from '#src/market/import/table.js';

const read = (text: string, path = 'a.csv'): Promise<Table> => readTable(path, Buffer.from(text));

/** Everything that a table says, with the lines of its rows and of one beyond them. */
async function shown(text: string, path = 'a.csv') {
  const { header, rows, lineOf, lastRowMayBeCut, says } = await read(text, path);
  const lines = [...rows.keys(), rows.length].map(lineOf);
  return { header, rows, lines, lastRowMayBeCut, says };
}
const refusal = (table: Promise<Table>): Promise<string> =>
  table.then(
    () => 'read',
    (error: unknown) => {
      expect(error).toBeInstanceOf(UnreadableFile);
      return `${(error as UnreadableFile).message} / ${(error as UnreadableFile).remedy}`;
    },
  );

describe('A text', () => {
  it('is a header and rows with their lines', async () => {
    expect(await shown('date,close\n2024-01-01,1\n\n2024-01-02,2\n')).toEqual({
      header: ['date', 'close'],
      rows: [
        ['2024-01-01', '1'],
        ['2024-01-02', '2'],
      ],
      lines: [2, 4, 0],
      lastRowMayBeCut: false,
      says: {},
    });
  });

  it('has no header where its first line has times and numbers alone', async () => {
    expect(await shown('2024-01-01T00:00:00Z,1e5,-.5,+1.E-3\n2024-01-01 01:00 UTC,2,3,4')).toEqual({
      header: undefined,
      rows: [
        ['2024-01-01T00:00:00Z', '1e5', '-.5', '+1.E-3'],
        ['2024-01-01 01:00 UTC', '2', '3', '4'],
      ],
      lines: [1, 2, 0],
      lastRowMayBeCut: true,
      says: {},
    });
  });

  it.each(['1,a', '1,1e', '1,2024-01-01X'])('has a header where a cell of it is a word: %s', async line => {
    expect((await read(`${line}\n1,2\n`)).header).toEqual(line.split(','));
  });

  it('has the mark that its first line has most of between its fields, the comma before others', async () => {
    const fields = async (line: string) => (await read(line)).header;
    expect(await fields('a,b;c')).toEqual(['a', 'b;c']);
    expect(await fields('a,b;c;d')).toEqual(['a,b', 'c', 'd']);
    expect(await fields('a;b\tc\td')).toEqual(['a;b', 'c', 'd']);
    expect(await fields('\n \na;b\n1,2;3,4')).toEqual(['a', 'b']);
    expect(await fields('\tb\n1\t2')).toEqual(['', 'b']);
    expect((await read('a,b\n1;2;3;4,5\n')).rows).toEqual([['1;2;3;4', '5']]);
  });

  it('may have quotes, spaces, lines of another length and other ends of lines', async () => {
    const { rows } = await read('a,b\r\n "1,5" , x"y \r\n2\n1,2,3\n');
    expect(rows).toEqual([['1,5', 'x"y'], ['2'], ['1', '2', '3']]);
  });

  it.each(['# by hand', '  #1 x', 'https://a.b/c', '"http://a.b"', 'www.a.b'])(
    'has up to five lines such as "%s" above',
    async above => {
      const with5 = await shown(`${`${above}\n`.repeat(5)}date,close\n2024-01-01,1\n`);
      expect(with5).toMatchObject({ header: ['date', 'close'], lines: [7, 0] });
      const without = await shown(`${`${above}\n`.repeat(5)}2024-01-01,1\n`);
      expect(without).toMatchObject({ header: undefined, lines: [6, 0] });
      const with6 = await read(`${`${above}\n`.repeat(6)}2024-01-01,1\n`);
      expect(with6.rows).toHaveLength(1);
      expect(with6.header).toBeDefined();
    },
  );

  it('that is a comment alone has no rows', async () => {
    expect(await shown('# by hand\n')).toMatchObject({ header: undefined, rows: [], lines: [0] });
    expect(await shown('# by hand')).toMatchObject({ header: ['by hand'], rows: [] });
  });

  it('of CoinGecko or Yahoo says so by its header', async () => {
    expect((await read('Snapped_At,price\n')).says).toEqual({ exchange: 'coingecko', snapshots: true });
    expect((await read('price,snapped_at\n')).says).toEqual({});
    expect((await read('date,Adj Close\n')).says).toEqual({});
    for (const name of ['Adj Close', 'adj. close', 'AdjClose'])
      expect((await read(`date,Close,${name}\n`)).says, name).toEqual({
        exchange: 'yahoo',
        volumeUnit: 'quote',
      });
  });
});

describe('A text of yfinance', () => {
  const YAHOO = { exchange: 'yahoo', symbol: 'BTC-USD', volumeUnit: 'quote' };
  const table = (rows: readonly string[][], lines: readonly number[]) => ({
    header: ['Date', 'Close', 'Open'],
    rows,
    lines,
    lastRowMayBeCut: false,
    says: YAHOO,
  });

  it.each([
    ['three lines above', 'Price,Close,Open\nTicker,BTC-USD,BTC-USD\nDate,,\n2024-01-01,1,2\n', [4, 0]],
    ['two lines above', ',Close,Open\n,BTC-USD,BTC-USD\n2024-01-01,1,2\n', [3, 0]],
  ])('with %s has the names of the first and the ticker of the second', async (_, text, lines) => {
    expect(await shown(text)).toEqual(table([['2024-01-01', '1', '2']], lines));
  });

  it('may have one column', async () => {
    expect(await shown('Price,Close\nTicker,BTC-USD\n2024-01-01,1\n')).toEqual({
      ...table([['2024-01-01', '1']], [3, 0]),
      header: ['Date', 'Close'],
    });
  });

  it('may have no rows', async () => {
    expect(await shown('Price,Close,Open\nTicker,BTC-USD,BTC-USD\n')).toEqual(table([], [0]));
  });

  it.each([
    ['other names', 'Date,Close,Open\nTicker,BTC-USD,BTC-USD\n'],
    ['another second line', 'Price,Close,Open\n2024-01-01,BTC-USD,BTC-USD\n'],
    ['two tickers', 'Price,Close,Open\nTicker,BTC-USD,ETH-USD\n'],
    ['a ticker that is no pair', 'Price,Close,Open\nTicker,SPY,SPY\n'],
    ['one line', 'Price,Close,Open\n'],
  ])('is none with %s', async (_, text) => {
    expect((await read(text)).says).toEqual({});
  });
});

describe('JSON', () => {
  const json = async (value: unknown) => {
    const { header, rows, lines, says, lastRowMayBeCut } = await shown(JSON.stringify(value), 'a.json');
    expect(lastRowMayBeCut).toBe(false);
    expect(lines).toEqual([...rows.keys(), rows.length].map(row => row + 1));
    return { header: header?.join(), rows: JSON.stringify(rows), says };
  };
  const ROWS = [
    [1, 2],
    [3, null],
  ];

  it.each([
    ['a list of lists', ROWS, undefined, '[[1,2],[3,null]]'],
    ['a list of objects', [{ a: 1, b: 2 }, { c: '3' }], 'a,b,c', '[[1,2,null],[null,null,"3"]]'],
    ['columns', { a: [1, 2], b: ['x', null] }, 'a,b', '[[1,"x"],[2,null]]'],
    ['columns beside other members', { a: [1], b: [2], name: 'x', none: [] }, 'a,b', '[[1,2]]'],
    ['rows under a member', { result: { list: ROWS }, ok: true }, undefined, '[[1,2],[3,null]]'],
    ['rows under four members', { a: { b: { c: { d: [[1]] } } } }, undefined, '[[1]]'],
  ])('is a table as %s', async (_, value, header, rows) => {
    expect(await json(value)).toEqual({ header, rows, says: {} });
  });

  it('is that of CoinGecko with prices at moments', async () => {
    const value = { prices: ROWS, total_volumes: ROWS };
    const says = { exchange: 'coingecko', snapshots: true };
    expect(await json(value)).toEqual({ header: 'timestamp,price', rows: JSON.stringify(ROWS), says });
  });

  it('has the columns of its first 100 objects', async () => {
    const objects = (alike: number) => [...new Array(alike).fill({ a: 1 }), { b: 2 }];
    expect((await json(objects(99))).header).toBe('a,b');
    expect((await json(objects(100))).header).toBe('a');
  });

  it.each([
    ['an empty list', []],
    ['a list of numbers', [1, 2]],
    ['a list of rows and others', [[1], { a: 1 }]],
    ['a list of objects and others', [{ a: 1 }, 2]],
    ['a list of objects and nothing', [{ a: 1 }, null]],
    ['one column', { a: [1, 2] }],
    ['columns of two lengths', { a: [1, 2], b: [1] }],
    ['a column of objects and one of numbers', { a: [1], b: [{}, 1] }],
    ['two tables', { a: ROWS, b: ROWS }],
    ['rows under five members', { a: { b: { c: { d: { e: [[1]] } } } } }],
    ['prices that are no rows', { prices: [1, 2] }],
    ['a number', 5],
    ['null', null],
  ])('is no table as %s', async (_, value) => {
    expect(await refusal(read(JSON.stringify(value), 'a.json'))).toMatch(
      /^the JSON is no list of rows \/ Rows are lists \(/,
    );
  });

  it('is read by its first character where the name does not say so', async () => {
    expect((await read(' [[1,2]]')).rows).toEqual([[1, 2]]);
    expect((await read('{"a":[[1]]}', 'a.txt')).rows).toEqual([[1]]);
    expect(await refusal(read('1,2', 'a.JSON'))).toContain('the file is not whole JSON');
  });
});

describe('A file that is no text', () => {
  const zeroAt = (place: number) => {
    const bytes = Buffer.from('date,close\n2024-01-01,1\n'.repeat(200));
    bytes[place] = 0;
    return bytes;
  };

  it('has a byte of 0 in its first 4,096', async () => {
    const message = /the file is no text in UTF-8: it has bytes of 0 \/ Save it as "CSV UTF-8"\./;
    expect(await refusal(readTable('a.csv', zeroAt(0)))).toMatch(message);
    expect(await refusal(readTable('a.csv', zeroAt(4095)))).toMatch(message);
    expect(await refusal(readTable('a.csv', zeroAt(4096)))).toBe('read');
  });

  it('begins as an archive', async () => {
    expect(await refusal(read('x\x1f\x8b,y\n'))).toBe('read');
    expect(await refusal(read('\ufeff \n'))).toBe('the file is empty / Download it again.');
  });

  it('may have as many bytes as the limit', async () => {
    const text = 'date,close\n2024-01-01,1\n';
    const bytes = (length: number) => ({ length, toString: () => text }) as unknown as Buffer;
    expect(await refusal(readTable('a.csv', bytes(MAX_TEXT_BYTES)))).toBe('read');
    expect(await refusal(readTable('a.csv', bytes(MAX_TEXT_BYTES + 1)))).toBe(
      'the file has 134217729 bytes, and at most 134217728 are read / Write hours or days in place of shorter bars, or split the file.',
    );
  });
});
