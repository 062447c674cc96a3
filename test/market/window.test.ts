import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Series } from '#src/market/series.js';
import { type CarryRule, cutWindow, DAILY_CARRY, HOURLY_CARRY, NO_CARRY } from '#src/market/window.js';

const _ = Number.NaN;
/** A series that begins at grid point 100. */
const series = (...values: number[]): Series => ({ first: 100, values: Float64Array.from(values) });

describe('carrying daily closes forward', () => {
  it('does not change a window without gaps', () => {
    expect(cutWindow(series(1, 2, 3, 4), 101, 2, DAILY_CARRY)).toEqual({
      values: Float64Array.of(2, 3),
      carried: [],
      missing: [],
    });
  });

  it('carries 3 missing closes in a row', () => {
    const { values, carried, missing } = cutWindow(series(1, _, _, _, 5), 100, 5, DAILY_CARRY);
    expect([...values]).toEqual([1, 1, 1, 1, 5]);
    expect(carried).toEqual([1, 2, 3]);
    expect(missing).toEqual([]);
  });

  it('does not carry 4, and names them', () => {
    const { missing, carried } = cutWindow(series(1, _, _, _, _, 6), 100, 6, DAILY_CARRY);
    expect(missing).toEqual([{ first: 101, last: 104 }]);
    expect(carried).toEqual([]);
  });

  it('carries the first close from up to 3 days before the window', () => {
    // Points 101 to 103 are missing; a window that begins at the last of them looks 3 days back.
    const { values, carried } = cutWindow(series(1, _, _, _, 5), 103, 2, DAILY_CARRY);
    expect([...values]).toEqual([1, 5]);
    expect(carried).toEqual([0]);
  });

  it('does not carry it from 4 days before', () => {
    expect(cutWindow(series(1, _, _, _, _, 6), 104, 2, DAILY_CARRY).missing).toEqual([
      { first: 104, last: 104 },
    ]);
  });

  it('counts days before the window and in it as one run', () => {
    // 2 before and 2 within make 4.
    expect(cutWindow(series(1, _, _, _, _, 6), 103, 3, DAILY_CARRY).missing).toEqual([
      { first: 103, last: 104 },
    ]);
  });

  it('lets a series stop 2 days before the window', () => {
    const { values, carried } = cutWindow(series(1, 2), 100, 4, DAILY_CARRY);
    expect([...values]).toEqual([1, 2, 2, 2]);
    expect(carried).toEqual([2, 3]);
  });

  it('does not let it stop 3 days before', () => {
    expect(cutWindow(series(1, 2), 100, 5, DAILY_CARRY).missing).toEqual([{ first: 102, last: 104 }]);
  });

  it('treats a gap that reaches the end alike, whether or not the series continues', () => {
    const goesOn = cutWindow(series(1, _, _, _, 5), 100, 4, DAILY_CARRY);
    expect(goesOn.missing).toEqual([{ first: 101, last: 103 }]);
    expect(goesOn.missing).toEqual(cutWindow(series(1), 100, 4, DAILY_CARRY).missing);
  });

  it('carries nothing before the series begins', () => {
    expect(cutWindow(series(1, 2), 98, 4, DAILY_CARRY).missing).toEqual([{ first: 98, last: 99 }]);
  });

  it('names the whole window when the series ended long before', () => {
    expect(cutWindow(series(1, 2), 500, 3, DAILY_CARRY).missing).toEqual([{ first: 500, last: 502 }]);
  });
});

describe('carrying hourly closes forward', () => {
  const hole = (hours: number) => series(1, ...new Array<number>(hours).fill(_), 9);

  it('carries 6 missing hours in a row, within and at the end', () => {
    expect(cutWindow(hole(6), 100, 8, HOURLY_CARRY).carried).toHaveLength(6);
    expect(cutWindow(hole(6), 100, 7, HOURLY_CARRY).carried).toHaveLength(6);
  });

  it('does not carry 7', () => {
    expect(cutWindow(hole(7), 100, 9, HOURLY_CARRY).missing).toEqual([{ first: 101, last: 107 }]);
    expect(cutWindow(hole(7), 100, 8, HOURLY_CARRY).missing).toEqual([{ first: 101, last: 107 }]);
  });
});

describe('volumes', () => {
  it('are never carried', () => {
    expect(cutWindow(series(1, _, 3), 100, 3, NO_CARRY)).toEqual({
      values: Float64Array.of(1, _, 3),
      carried: [],
      missing: [{ first: 101, last: 101 }],
    });
  });
});

/** The rule once more, point by point. */
function plainWindow(values: readonly number[], first: number, count: number, rule: CarryRule): number[] {
  const at = (point: number) => values[point - 100] ?? Number.NaN;
  const last = first + count - 1;
  return Array.from({ length: count }, (__, i) => {
    let before = first + i;
    while (before >= 100 && Number.isNaN(at(before))) before--;
    let end = first + i;
    while (end < last && Number.isNaN(at(end)) && Number.isNaN(at(end + 1))) end++;
    if (before === first + i) return at(before);
    return before >= 100 && end - before <= (end === last ? rule.longestEnd : rule.longestRun)
      ? at(before)
      : Number.NaN;
  });
}

describe('any window', () => {
  const holes = fc
    .array(fc.option(fc.integer({ min: 1, max: 9 }), { nil: Number.NaN, freq: 2 }), { maxLength: 30 })
    .map(values => [1, ...values, 2]);
  const rule = fc.constantFrom(DAILY_CARRY, HOURLY_CARRY, NO_CARRY);
  const place = fc.record({
    first: fc.integer({ min: 95, max: 140 }),
    count: fc.integer({ min: 1, max: 20 }),
  });

  it('agrees with the rule applied point by point', () => {
    fc.assert(
      fc.property(holes, place, rule, (values, { first, count }, carry) => {
        const window = cutWindow(series(...values), first, count, carry);
        expect([...window.values]).toEqual(plainWindow(values, first, count, carry));
        const missing = window.missing.flatMap(run =>
          Array.from({ length: run.last - run.first + 1 }, (__, i) => run.first + i - first),
        );
        expect(missing).toEqual([...window.values.keys()].filter(i => Number.isNaN(window.values[i])));
      }),
      { numRuns: 2000 },
    );
  });

  it('depends on nothing after it', () => {
    fc.assert(
      fc.property(holes, place, rule, (values, { first, count }, carry) => {
        const known = values.slice(0, Math.max(0, first + count - 100));
        expect(cutWindow(series(...known), first, count, carry)).toEqual(
          cutWindow(series(...values), first, count, carry),
        );
      }),
    );
  });
});
