/** Cells of a sample: every value in one, in order, and the chosen ones as they stand; tails among them as among all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tailsAndDistribution } from '#src/core/distribution/values.js';
import { ValueCells } from '#src/core/stats/value-cells.js';
import { lowerTails } from '../../support/lower-tails.ts';

/** Clusters, constants, single values far away, and the largest numbers. */
const samples = fc.array(
  fc.oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    fc.constantFrom(0, 1, 1e300, -1e300, Number.MAX_VALUE, Number.MIN_VALUE),
  ),
  { minLength: 1, maxLength: 400 },
);

describe('the cells of a sample', () => {
  it('rise with the values and contain all of them', () => {
    fc.assert(
      fc.property(samples, list => {
        const values = Float64Array.from(list);
        const cells = new ValueCells(values);
        const all = cells.choose(new Uint8Array(cells.counts.length).fill(1));
        expect(Array.from(all.values)).toEqual(list);
        expect(cells.counts.reduce((sum, count) => sum + count, 0)).toBe(list.length);
        const inOrder = list.map((value, i) => ({ value, cell: all.cells[i] }));
        inOrder.sort((a, b) => a.value - b.value);
        for (let i = 1; i < inOrder.length; i++) {
          expect(inOrder[i].cell).toBeGreaterThanOrEqual(inOrder[i - 1].cell);
          expect(cells.cellOf(inOrder[i].value)).toBe(inOrder[i].cell);
        }
      }),
    );
  });

  it('are some for every four values, from 16 to 4096, and two beside them', () => {
    const cellsOf = (count: number) =>
      new ValueCells(Float64Array.from({ length: count }, (_, i) => (i * 7919) % count));
    expect([1, 60, 127, 128, 10_007, 40_009].map(count => cellsOf(count).counts.length - 2)).toEqual([
      16, 16, 16, 32, 2048, 4096,
    ]);
    // A grid that is 1.6 times as wide as the values, of which a cell has 1.6 times as many.
    expect(Math.max(...cellsOf(10_007).counts)).toBeLessThan(1.7 * (10_007 / 2048));
  });

  it('begin and end at the bounds of their range', () => {
    const cells = new ValueCells(Float64Array.of(1, 2, 3, 5));
    const [low, high] = cells.range ?? [];
    if (low === undefined || high === undefined) throw new Error('no range');
    const last = cells.counts.length - 1;
    expect([low - 1e-9, low, high - 1e-9, high + 1e-9].map(value => cells.cellOf(value))).toEqual([
      0,
      1,
      last - 1,
      last,
    ]);
    expect(new ValueCells(new Float64Array(5).fill(2)).range).toBeUndefined();
  });

  it('find the cell of each order statistic', () => {
    fc.assert(
      fc.property(samples, list => {
        const sorted = Float64Array.from(list).sort();
        const cells = new ValueCells(Float64Array.from(list));
        const places = cells.find(Array.from(sorted, (_, rank) => rank));
        places.forEach(({ cell, before }, rank) => {
          expect(cell).toBe(cells.cellOf(sorted[rank]));
          expect(before).toBe(sorted.findIndex(value => cells.cellOf(value) === cell));
        });
      }),
    );
  });

  it('refuse no values, and a value that is not finite at every place', () => {
    expect(() => new ValueCells(new Float64Array(0))).toThrow(/at least 1/);
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      for (let at = 0; at < 6; at++) {
        const values = Float64Array.of(1, 2, 3, 4, 5, 6);
        values[at] = wrong;
        expect(() => new ValueCells(values)).toThrow(`values[${at}] is ${wrong}, must be finite`);
      }
  });
});

describe('tails from cells', () => {
  const levels = fc.array(fc.double({ noNaN: true, min: 0.001, max: 0.999 }), {
    minLength: 1,
    maxLength: 4,
  });
  const moderate = fc.array(
    fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constantFrom(0, 1, 7)),
    { minLength: 1, maxLength: 400 },
  );

  it('are those of all values, with and without the distribution, and do not change the values', () => {
    fc.assert(
      fc.property(moderate, levels, (list, quantiles) => {
        const values = Float64Array.from(list);
        const asked = { quantiles, intervalLevel: 0.9 };
        const { tails, distribution } = tailsAndDistribution(values, asked);
        expect(distribution).toBeUndefined();
        expect(tailsAndDistribution(values, { ...asked, scale: 3 }).tails).toEqual(tails);
        expect(Array.from(values)).toEqual(list);
        lowerTails(values, quantiles, 0.9).forEach((tail, i) => {
          const { quantile, level, low, high, tailMean } = tails[i];
          expect({ quantile, level, low, high }).toEqual({
            quantile: tail.quantile,
            level: tail.level,
            low: tail.low,
            high: tail.high,
          });
          // The sums are of up to 400 terms of 2e6 in another order, over a size of 0.001 or more: 400 x 2e6 x 2^-53.
          const size = Math.min(1, list.length * (1 - quantiles[i]));
          expect(Math.abs(tailMean - tail.tailMean)).toBeLessThanOrEqual(1e-7 / size);
        });
      }),
    );
  });
});
