/** Bins of ratios and amounts: slots by definition, histograms and quantiles of counts, places of sections. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AMOUNT_BINS,
  allSlots,
  type BinScale,
  heldSlots,
  histogramOf,
  RATIO_BINS,
  RATIO_RESOLUTION,
  ratioQuantile,
  slotAt,
  slotOf,
  slotsOf,
} from '#src/core/distribution/bins.js';
import { DISTRIBUTION_LEVELS } from '#src/core/distribution/levels.js';
import { valueDistribution } from '#src/core/distribution/values.js';
import { countsLayout, daysOf, fanSteps, RATIO_SLOTS } from '#src/core/plan/distribution.js';
import { LOAN_SECTIONS } from '#src/core/plan/product/loan.js';
import { quantileType7 } from '#src/core/stats/quantile.js';
import { PLAIN_AMOUNTS, PLAIN_RATIOS, plainFanSteps, slotFaults } from '../../support/distribution.ts';

const counted = (scale: BinScale, values: readonly number[]): Float64Array => {
  const slots = new Float64Array(slotsOf(scale));
  for (const value of values) slots[slotOf(scale, value)]++;
  return slots;
};

/** Relative error of a double after a logarithm and a product. */
const ROUNDING = 1e-14;

describe('Slots with counts', () => {
  it('are those from the first to the last with one', () => {
    expect(heldSlots(Float64Array.of(0, 0, 3, 0, 1, 0))).toEqual({ first: 2, counts: [3, 0, 1] });
    expect(heldSlots(Float64Array.of(2, 0))).toEqual({ first: 0, counts: [2] });
    expect(heldSlots(Float64Array.of(0, 5))).toEqual({ first: 1, counts: [5] });
    expect(heldSlots(new Float64Array(3)).counts).toEqual([]);
    const all = allSlots(RATIO_BINS, { first: 2, counts: [3, 0, 1] });
    expect([all.length, ...all.subarray(0, 6)]).toEqual([1004, 0, 0, 3, 0, 1, 0]);
  });

  it('of the lowest and the highest bin are in the histogram, and those beside them are not', () => {
    const of = (...values: number[]) => histogramOf(RATIO_BINS, counted(RATIO_BINS, values));
    const [low, high] = [Math.exp(-4.995), Math.exp(5.005)];
    const { counts, edges, ...beside } = of(low, high, high, 0, 0, 0, 1e-9, 1e9, 1e9);
    expect([counts.length, edges.length, counts[0], counts.at(-1)]).toEqual([1001, 1002, 1, 2]);
    expect([edges[0], edges.at(-1)]).toEqual([Math.exp(-5), Math.exp(5.01)]);
    expect(beside).toEqual({ below: 1, zero: 3, above: 2 });
    expect(of(0, 1e9)).toEqual({ below: 0, zero: 1, above: 1, edges: [], counts: [] });
  });

  it('have quantiles from the lowest to the highest bin, 0 up to the share of zeros, and none beside them', () => {
    const of = (p: number, ...values: number[]) => ratioQuantile(counted(RATIO_BINS, values), p);
    expect(of(0.25, 0, 2, 2, 2)).toBe(0);
    expect(of(0.26, 0, 2, 2, 2)).toBeCloseTo(2, 1);
    expect([of(0.25, 1e-9, 2, 2, 2), of(0.9, 2, 2, 2, 1e9)]).toEqual([null, null]);
    expect(of(0.9, 2, Math.exp(5.005))).toBeCloseTo(Math.exp(5 + 0.008), 0);
    expect(of(0.1, Math.exp(-4.995), 2)).toBeCloseTo(Math.exp(-4.998), 4);
    expect(RATIO_RESOLUTION).toBeCloseTo(0.01005, 5);
  });
});

describe('The slot of a value', () => {
  it('at minus infinity is that of 0', () => {
    expect(slotAt(RATIO_BINS, Number.NEGATIVE_INFINITY)).toBe(1003);
    expect(slotAt(RATIO_BINS, Number.POSITIVE_INFINITY)).toBe(1002);
    expect(slotAt(RATIO_BINS, -1e300)).toBe(0);
  });

  it.each([
    ['ratios', RATIO_BINS, 1, 501],
    ['ratios', RATIO_BINS, Math.exp(0.01) * (1 + 1e-12), 502],
    ['ratios', RATIO_BINS, Math.exp(0.01) * (1 - 1e-12), 501],
    ['ratios', RATIO_BINS, 1 - 1e-12, 500],
    ['ratios', RATIO_BINS, Math.exp(-5) * (1 + 1e-12), 1],
    ['ratios', RATIO_BINS, Math.exp(-5) * (1 - 1e-12), 0],
    ['ratios', RATIO_BINS, Math.exp(5.01) * (1 - 1e-12), 1001],
    ['ratios', RATIO_BINS, Math.exp(5.01) * (1 + 1e-12), 1002],
    ['ratios', RATIO_BINS, 0, 1003],
    ['ratios', RATIO_BINS, Number.MIN_VALUE, 0],
    ['amounts', AMOUNT_BINS, 0, 4003],
    ['amounts', AMOUNT_BINS, 1e-9, 2001],
    ['amounts', AMOUNT_BINS, -1e-9, 2000],
    ['amounts', AMOUNT_BINS, 1, 2001 + 88],
    ['amounts', AMOUNT_BINS, -1, 2001 - 89],
    ['amounts', AMOUNT_BINS, 1e9, 4002],
    ['amounts', AMOUNT_BINS, -1e9, 0],
  ] as const)('of %s follows from the definition of the bins: %#', (_, scale, value, slot) => {
    expect(slotOf(scale, value), `value ${value}`).toBe(slot);
  });

  it('is that of the plain definition for any values', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-4, max: 1e4, noNaN: true }), { maxLength: 30 }), values => {
        expect(slotFaults(counted(RATIO_BINS, values), values, PLAIN_RATIOS, ROUNDING)).toEqual([]);
        const signed = values.map((value, i) => (i % 2 === 0 ? value : -value));
        expect(slotFaults(counted(AMOUNT_BINS, signed), signed, PLAIN_AMOUNTS, ROUNDING)).toEqual([]);
      }),
    );
  });

  it('has a fault by the plain definition when a value is counted in the neighbouring bin', () => {
    const slots = counted(RATIO_BINS, [1.005]);
    slots.copyWithin(502, 501, 502).fill(0, 501, 502);
    expect(slotFaults(slots, [1.005], PLAIN_RATIOS, ROUNDING)).not.toEqual([]);
  });
});

describe('A histogram', () => {
  it('has all bins from the first to the last with a count', () => {
    const { edges, ...rest } = histogramOf(
      RATIO_BINS,
      counted(RATIO_BINS, [1.005, 1.005, 1.036, 0, 1e-9, 1e9]),
    );
    expect(rest).toEqual({ below: 1, zero: 1, above: 1, counts: [2, 0, 0, 1] });
    expect(edges).toEqual([0, 0.01, 0.02, 0.03, 0.04].map(Math.exp));
  });

  it('is in the unit of its amounts', () => {
    const { edges, counts } = histogramOf(AMOUNT_BINS, counted(AMOUNT_BINS, [-0.5]), 1000);
    expect(counts).toEqual([1]);
    expect(edges[0]).toBeLessThanOrEqual(-500);
    expect(edges[1]).toBeGreaterThan(-500);
  });

  it('is empty where no value lies in the bins', () => {
    expect(histogramOf(RATIO_BINS, counted(RATIO_BINS, [0]))).toEqual({
      below: 0,
      zero: 1,
      above: 0,
      edges: [],
      counts: [],
    });
  });
});

describe('A quantile of counted ratios', () => {
  it('differs from the value of rank ceil(p n) by less than the resolution', () => {
    const ratio = fc.oneof(
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 1, maxLength: 200 }), values => {
        const slots = counted(RATIO_BINS, values);
        const sorted = values.toSorted((a, b) => a - b);
        for (const [name, p] of Object.entries(DISTRIBUTION_LEVELS)) {
          const exact = sorted[Math.ceil(p * values.length) - 1];
          const got = ratioQuantile(slots, p);
          const off = Math.abs((got ?? Number.NaN) / exact - 1);
          expect(off, `${name} of ${values}: ${got} for ${exact}`).toBeLessThanOrEqual(
            RATIO_RESOLUTION * (1 + 1e-12),
          );
        }
      }),
    );
  });

  it('rises linearly within a bin', () => {
    const slots = counted(RATIO_BINS, [1, 1, 1, 1]);
    const width = Math.expm1(0.01);
    expect(ratioQuantile(slots, 0.25)).toBeCloseTo(1 + width / 4, 12);
    expect(ratioQuantile(slots, 0.999)).toBeCloseTo(1 + 0.999 * width, 12);
  });

  it('is 0 among zeros, and null below the bins and above them', () => {
    const slots = counted(RATIO_BINS, [0, 1e-9, 1e9, 1e9]);
    expect(ratioQuantile(slots, 0.2)).toBe(0);
    expect(ratioQuantile(slots, 0.5)).toBeNull();
    expect(ratioQuantile(slots, 0.75)).toBeNull();
  });
});

it('Values in memory have exact quantiles and are all counted', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), values => {
      const sorted = Float64Array.from(values).sort();
      const { quantiles, counts } = valueDistribution(Float64Array.from(values), 250);
      const expected = Object.values(DISTRIBUTION_LEVELS).map(p => quantileType7(sorted, p));
      // Selection and answers do not distinguish -0 from 0.
      const unsigned = (value: number) => value + 0;
      expect(quantiles.map(unsigned)).toEqual(expected.map(unsigned));
      // Only 0 is counted as 0, not a value that the division makes smaller than any double.
      const relative = values.map(value => value / 250 || Math.sign(value) * Number.MIN_VALUE);
      expect(
        slotFaults(allSlots(AMOUNT_BINS, counts), relative, PLAIN_AMOUNTS, ROUNDING),
        String(values),
      ).toEqual([]);
    }),
    { examples: [[[5e-324, 0]], [[0, 1.0123e-320]], [[-1e-308, 0, 1e-308]]], numRuns: 300 },
  );
});

describe('The sections of a distribution', () => {
  it.each([1, 2, 63, 64, 65, 720, 8760])('have rising, even times over %i steps', steps => {
    const times = Array.from(fanSteps(steps));
    expect(times).toEqual(plainFanSteps(steps));
    expect(new Set(times).size).toBe(Math.min(64, steps));
    expect(times.at(-1)).toBe(steps);
    expect(times[0]).toBeGreaterThan(0);
  });

  it.each([
    [1, 24, 1],
    [24, 24, 1],
    [25, 24, 2],
    [30, 1, 30],
  ] as const)('have for %i steps, %i a day, %i days', (steps, daySteps, days) => {
    expect(daysOf(steps, { daySteps })).toBe(days);
  });

  it('follow each other without gaps', () => {
    const { places, length } = countsLayout(LOAN_SECTIONS, 50, { daySteps: 24 });
    const list = Object.values(places);
    expect(list.map(place => place.length)).toEqual([RATIO_SLOTS, RATIO_SLOTS, 3, 3, 3, 50 * RATIO_SLOTS]);
    let first = 0;
    for (const place of list) {
      expect(place.first).toBe(first);
      first += place.length;
    }
    expect(length).toBe(first);
  });
});
