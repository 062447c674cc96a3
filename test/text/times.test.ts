/** The forms of a moment that files have. */
import { describe, expect, it } from 'vitest';
import { isLocalDate, readMoment } from '#src/text/times.js';

/** 2024-01-31 23:00:00 UTC. */
const MS = Date.UTC(2024, 0, 31, 23);

describe('A number', () => {
  it.each([
    ['seconds', MS / 1000],
    ['milliseconds', MS],
    ['microseconds', MS * 1e3],
    ['nanoseconds', MS * 1e6],
  ])('is %s since 1970 by its size', (_, value) => {
    expect(readMoment(value)).toEqual({ ms: MS, dayOnly: false });
    expect(readMoment(BigInt(value))).toEqual({ ms: MS, dayOnly: false });
    expect(readMoment(String(value))).toEqual({ ms: MS, dayOnly: false });
  });

  it('is rounded to a millisecond, and not a moment before 2001-09-09 or above the range of nanoseconds', () => {
    expect(readMoment(1_706_742_000.1236)?.ms).toBe(1_706_742_000_124);
    expect(readMoment(1e9)?.ms).toBe(1e12);
    expect(readMoment(1e9 - 1)).toBeUndefined();
    expect(readMoment(1e20)).toBeUndefined();
    expect(readMoment(-1e12)).toBeUndefined();
  });

  it('changes its unit at 1e11, 1e14 and 1e17', () => {
    expect(readMoment(1e11)?.ms).toBe(1e11);
    expect(readMoment(1e14)?.ms).toBe(1e11);
    expect(readMoment(1e17)?.ms).toBe(1e11);
  });
});

describe('A text', () => {
  it.each([
    '2024-01-31T23:00:00Z',
    '2024-01-31 23:00',
    ' 2024-01-31 23:00:00.123 UTC ',
    '2024-02-01T00:30:00+01:30',
    '2024-01-31T18:00:00-0500',
  ])('%s is a moment in UTC', text => {
    expect(readMoment(text)).toEqual({ ms: MS, dayOnly: false });
  });

  it('is a day where it has no time, and may have seconds', () => {
    expect(readMoment('2024-01-31')).toEqual({ ms: Date.UTC(2024, 0, 31), dayOnly: true });
    expect(readMoment('2024-01-31 23:59:59')?.ms).toBe(MS + 3_599_000);
  });

  it.each([
    '2024-02-30',
    '2024-01-31T24:00',
    '2024-01-31T23:60',
    '2024-01-31T23:00:60',
    '31.01.2024',
    'x',
    '',
  ])('"%s" is not a moment', text => {
    expect(readMoment(text)).toBeUndefined();
  });

  it('with the year last is read in the order of its parts', () => {
    expect(isLocalDate(' 31/01/2024 ')).toBe(true);
    expect(isLocalDate('2024-01-31')).toBe(false);
    expect(isLocalDate(31_012_024)).toBe(false);
    const dayFirst = readMoment('5/1/2024', 'dmy');
    expect(dayFirst).toEqual({ ms: Date.UTC(2024, 0, 5), dayOnly: true });
    expect(readMoment('5/1/2024', 'mdy')?.ms).toBe(Date.UTC(2024, 4, 1));
    expect(readMoment('2024-01-31', 'dmy')?.ms).toBe(Date.UTC(2024, 0, 31));
    for (const [text, h, m, s] of [
      ['31.01.2024, 9:05', 9, 5, 0],
      ['31/1/2024 19:05', 19, 5, 0],
      ['31-01-2024T9:05:07', 9, 5, 7],
      ['31.01.2024 19:05:07', 19, 5, 7],
    ] as const)
      expect(readMoment(text, 'dmy'), text).toEqual({
        ms: Date.UTC(2024, 0, 31, h, m, s),
        dayOnly: false,
      });
  });
});

it('No cell is a moment where it is empty', () => {
  expect(readMoment(undefined)).toBeUndefined();
});
