import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayOf,
  formatCalendarDate,
  formatIsoDate,
  parseCalendarDate,
  parseIsoDate,
} from '#src/text/calendar-date.js';

describe('calendar dates', () => {
  it('are counted from 1970-01-01', () => {
    expect(parseCalendarDate('01-01-1970')).toBe(0);
    expect(parseCalendarDate('12-31-1969')).toBe(-1);
    // 56 years with 14 leap days (1972 to 2024), then 29 days of January.
    expect(parseCalendarDate('01-30-2026')).toBe(56 * 365 + 14 + 29);
  });

  it('have leap years', () => {
    expect(parseCalendarDate('02-29-2024')).toBeDefined();
    expect(parseCalendarDate('02-29-2000')).toBeDefined();
    expect(parseCalendarDate('02-29-2023')).toBeUndefined();
    expect(parseCalendarDate('02-29-1900')).toBeUndefined();
  });

  it.each(['02-30-2026', '13-01-2026', '00-10-2026', '04-31-2026', '01-00-2026', '01-01-0000'])(
    'refuses %s, which no calendar has',
    text => expect(parseCalendarDate(text)).toBeUndefined(),
  );

  it.each([
    '1-30-2026',
    '2026-01-30',
    '01/30/2026',
    ' 01-30-2026',
    '01-30-2026\n',
    '01-30-26',
    '',
    '٠١-30-2026',
  ])('are not read from %j, which has another form', text => expect(parseCalendarDate(text)).toBeUndefined());

  it('are read as they are written, for every day of the years 1 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), day => {
        expect(parseCalendarDate(formatCalendarDate(day))).toBe(day);
        expect(parseIsoDate(formatIsoDate(day))).toBe(day);
      }),
    );
  });

  it('have midnight in the day that begins, and the millisecond before in the day that ends', () => {
    const day = parseIsoDate('2026-01-30') as number;
    expect(dayOf(new Date('2026-01-30T00:00:00.000Z'))).toBe(day);
    expect(dayOf(new Date('2026-01-29T23:59:59.999Z'))).toBe(day - 1);
    expect(dayOf(new Date('1969-12-31T23:59:59.999Z'))).toBe(-1);
  });
});
