/** Times of market data with the year last. */
import { describe, expect, it } from 'vitest';
import { isYearLast, readTime } from '#src/market/import/dates.js';

describe('A date', () => {
  it('with the year last is read in the order of its parts', () => {
    expect(isYearLast(' 31/01/2024 ')).toBe(true);
    expect(isYearLast('2024-01-31')).toBe(false);
    expect(isYearLast(31_012_024)).toBe(false);
    const dayFirst = readTime('5/1/2024', 'dmy');
    expect(dayFirst).toEqual({ ms: Date.UTC(2024, 0, 5), dayOnly: true });
    expect(readTime('5/1/2024', 'mdy')?.ms).toBe(Date.UTC(2024, 4, 1));
    expect(readTime('2024-01-31', 'dmy')?.ms).toBe(Date.UTC(2024, 0, 31));
    for (const [text, h, m, s] of [
      ['31.01.2024, 9:05', 9, 5, 0],
      ['31/1/2024 19:05', 19, 5, 0],
      ['31-01-2024T9:05:07', 9, 5, 7],
      ['31.01.2024 19:05:07', 19, 5, 7],
    ] as const)
      expect(readTime(text, 'dmy'), text).toEqual({
        ms: Date.UTC(2024, 0, 31, h, m, s),
        dayOnly: false,
      });
  });
});
