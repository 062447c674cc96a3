/** The forms of a moment that files have. */
import { describe, expect, it } from 'vitest';
import { readMoment } from '#src/text/times.js';

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
});

it('No cell is a moment where it is empty', () => {
  expect(readMoment(undefined)).toBeUndefined();
});
