/** Jumps and gaps in the rows of a series. */
import { describe, expect, it } from 'vitest';
import { describeGaps, findJumps } from '#src/market/import/inspect-rows.js';
import { makeRows } from '#src/market/store/rows.js';
import type { SeriesKey } from '#src/market/store/series-key.js';

const START = 24 * 19_723;

function rowsOf(closes: readonly number[], hours: readonly number[] = closes.map((_, i) => START + 24 * i)) {
  const rows = makeRows(closes.length);
  rows.hours.set(hours);
  rows.numbers.close.set(closes);
  return rows;
}

describe('A jump', () => {
  /** `row 1: 21 x 21` with `and back`. */
  const jumps = (...closes: number[]) =>
    findJumps(rowsOf(closes)).map(
      ({ hour, close, factor, back }) =>
        `row ${(hour - START) / 24}: ${close} x ${factor}${back ? ' and back' : ''}`,
    );

  it.each([
    ['none up to a factor of 20', [1, 20, 1], []],
    ['up', [1, 21, 21, 21, 21], ['row 1: 21 x 21']],
    ['down', [42, 2, 2, 2, 2], ['row 1: 2 x 0.047619047619047616']],
    ['up and back in the next row', [1, 21, 2], ['row 1: 21 x 21 and back']],
    ['back to a factor of 20 from the start', [1, 30, 20], ['row 1: 30 x 30 and back']],
    ['back in the third row after it', [1, 21, 21, 21, 1], ['row 1: 21 x 21 and back']],
    [
      'back in the fourth row, which is another jump',
      [1, 21, 21, 21, 21, 1],
      ['row 1: 21 x 21', 'row 5: 1 x 0.047619047619047616'],
    ],
    ['at the end', [1, 21], ['row 1: 21 x 21']],
    ['at the end, one row before it', [1, 21, 21], ['row 1: 21 x 21']],
    // The row that is back is no jump, and the next jump counts from it.
    ['twice', [1, 21, 1, 30, 1], ['row 1: 21 x 21 and back', 'row 3: 30 x 30 and back']],
    ['up twice', [1, 21, 442, 442, 442, 442], ['row 1: 21 x 21', 'row 2: 442 x 21.047619047619047']],
  ])('is found: %s', (_, closes, found) => {
    expect(jumps(...closes)).toEqual(found);
  });
});

describe('Gaps', () => {
  const key = (timeframe: SeriesKey['timeframe']): SeriesKey => ({
    kind: 'price',
    asset: 'BTC',
    quote: 'USD',
    exchange: 'kraken',
    timeframe,
  });
  const gaps = (timeframe: SeriesKey['timeframe'], ...after: number[]) =>
    describeGaps(
      key(timeframe),
      rowsOf(
        after,
        after.map(hours => START + hours),
      ),
    );

  it.each([
    ['1d', [24, 48, 72], undefined],
    ['1d', [24], undefined],
    ['1d', [24, 72], '1 row missing in 1 gap, the longest 2024-01-02'],
    ['1d', [24, 96], '2 rows missing in 1 gap, the longest 2024-01-02 to 2024-01-03'],
    ['1d', [24, 72, 96, 192, 264], '6 rows missing in 3 gaps, the longest 2024-01-05 to 2024-01-07'],
    // The first of two that are as long.
    ['1d', [24, 96, 168], '4 rows missing in 2 gaps, the longest 2024-01-02 to 2024-01-03'],
    ['1h', [1, 3], '1 row missing in 1 gap, the longest 2024-01-01T01:00Z'],
    ['1h', [1, 4, 5], '2 rows missing in 1 gap, the longest 2024-01-01T01:00Z to 2024-01-01T02:00Z'],
    ['8h', [8, 24], '1 row missing in 1 gap, the longest 2024-01-01T08:00Z'],
  ] as const)('of rows of %s that end after %j hours: %s', (timeframe, after, words) => {
    expect(gaps(timeframe, ...after)).toBe(words);
  });
});
