/** Rows of a series in memory: copies, merges, and what they are known by. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentHash,
  copyRow,
  firstRows,
  gapsOf,
  makeRows,
  mergeRows,
  NUMBER_COLUMNS,
  type Rows,
  sameNumbers,
} from '#src/market/store/rows.js';
import type { SeriesKey } from '#src/market/store/series-key.js';

const KEY: SeriesKey = { kind: 'price', asset: 'BTC', quote: 'USD', exchange: 'x', timeframe: '8h' };

/** Rows of hours and closes, all of one import and file. */
function rowsOf(closes: ReadonlyMap<number, number>, imported: number): Rows {
  const rows = makeRows(closes.size);
  [...closes].forEach(([hour, close], i) => {
    rows.hours[i] = hour;
    NUMBER_COLUMNS.forEach((name, k) => {
      rows.numbers[name][i] = name === 'open' ? Number.NaN : close + k;
    });
    rows.imports[i] = imported;
    rows.files[i] = imported + 10;
  });
  return rows;
}
/** Every row as one text. */
const textsOf = ({ hours, numbers, imports, files }: Rows): string[] =>
  Array.from(hours, (hour, i) =>
    [hour, ...NUMBER_COLUMNS.map(name => numbers[name][i]), imports[i], files[i]].join(' '),
  );
const mapOf = (closes: Readonly<Record<number, number>>) =>
  new Map(Object.entries(closes).map(([hour, close]) => [Number(hour), close]));

describe('A merge of rows', () => {
  it('has those of both, where they differ the new one, and counts them', () => {
    const held = rowsOf(mapOf({ 8: 1, 16: 2, 32: 4 }), 1);
    const { rows, counts } = mergeRows(held, rowsOf(mapOf({ 0: 9, 16: 2, 24: 3, 32: 5, 40: 6 }), 2));
    expect(textsOf(rows)).toEqual([
      '0 NaN 10 11 12 13 2 12',
      '8 NaN 2 3 4 5 1 11',
      '16 NaN 3 4 5 6 1 11',
      '24 NaN 4 5 6 7 2 12',
      '32 NaN 6 7 8 9 2 12',
      '40 NaN 7 8 9 10 2 12',
    ]);
    expect(counts).toEqual({ added: 3, replaced: 1, unchanged: 1 });
    expect(mergeRows(held, rowsOf(mapOf({ 8: 7 }), 1)).counts).toEqual({
      added: 0,
      replaced: 1,
      unchanged: 0,
    });
  });

  it('is that of maps for any rows', () => {
    const closes = fc
      .dictionary(fc.integer({ min: 0, max: 12 }).map(String), fc.integer({ min: 1, max: 3 }))
      .map(mapOf);
    fc.assert(
      fc.property(closes, closes, (held, incoming) => {
        const { rows, counts } = mergeRows(rowsOf(held, 1), rowsOf(incoming, 2));
        const both = new Map([...held, ...incoming]);
        expect(Array.from(rows.hours)).toEqual([...both.keys()].sort((a, b) => a - b));
        expect(Array.from(rows.numbers.high)).toEqual(
          Array.from(rows.hours, hour => (both.get(hour) as number) + 1),
        );
        expect(Array.from(rows.imports)).toEqual(
          Array.from(rows.hours, hour => (held.get(hour) === both.get(hour) ? 1 : 2)),
        );
        const common = [...incoming.keys()].filter(hour => held.has(hour));
        const unchanged = common.filter(hour => held.get(hour) === incoming.get(hour)).length;
        const replaced = common.length - unchanged;
        const added = incoming.size - common.length;
        expect(counts).toEqual({ added, replaced, unchanged });
      }),
    );
  });
});

it('A row is copied and cut with all of its columns', () => {
  const rows = rowsOf(mapOf({ 8: 1, 16: 2 }), 3);
  const target = makeRows(2);
  copyRow(rows, 1, target, 0);
  expect(textsOf(target)).toEqual(['16 NaN 3 4 5 6 3 13', '0 NaN NaN NaN NaN NaN 0 0']);
  expect(textsOf(firstRows(rows, 1))).toEqual(['8 NaN 2 3 4 5 3 13']);
});

it('Rows have the same numbers where each column is equal or missing in both', () => {
  const rows = rowsOf(mapOf({ 8: 1, 16: 1 }), 1);
  expect(sameNumbers(rows, 0, rows, 1)).toBe(true);
  for (const name of NUMBER_COLUMNS) {
    const other = rowsOf(mapOf({ 8: 1, 16: 1 }), 1);
    other.numbers[name][1] = 99;
    expect(sameNumbers(rows, 0, other, 1), name).toBe(false);
    expect(sameNumbers(rows, 0, other, 0), name).toBe(true);
    expect(contentHash(KEY, other), name).not.toBe(contentHash(KEY, rows));
  }
});

it('The content is that of key, hours and numbers, whoever wrote them', () => {
  const one = contentHash(KEY, rowsOf(mapOf({ 8: 1, 16: 1 }), 1));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(contentHash(KEY, rowsOf(mapOf({ 8: 1, 16: 1 }), 2))).toBe(one);
  expect(contentHash(KEY, rowsOf(mapOf({ 8: 1, 24: 1 }), 1))).not.toBe(one);
  expect(contentHash({ ...KEY, asset: 'ETH' }, rowsOf(mapOf({ 8: 1, 16: 1 }), 1))).not.toBe(one);
});

it.each([
  [[], 0],
  [[8], 0],
  [[8, 16, 24], 0],
  [[8, 24], 1],
  [[8, 16, 48, 64], 4],
])('Rows at hours %j lack %d', (hours, gaps) => {
  expect(gapsOf(KEY, rowsOf(new Map(hours.map(hour => [hour, 1])), 1))).toBe(gaps);
});
