/** Distributions as charts draw them, and as the engine of a page counts them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  AMOUNT_BINS,
  allSlots,
  histogramOf,
  RATIO_BINS,
  ratioQuantile,
  slotOf,
  slotsOf,
} from '#src/core/distribution/bins.js';
import { valueDistribution } from '#src/core/distribution/values.js';
import type { LoanDistribution } from '#src/core/figures/distribution.js';
import { mergeOutcomes } from '#src/core/plan/merge-outcomes.js';
import { compileKernel, instantiateKernel } from '#src/core/simd/kernel.js';
import { runSimdRange, simdChunksOf } from '#src/core/simd/products.js';
import { createSimdEngine } from '#src/core/simd/simd-engine.js';
import { figuresOf } from '../../console/src/compute/figures.ts';
import {
  type BarValues,
  barsOf,
  fanOf,
  invertedFan,
  invertedValues,
} from '../../console/src/ui/distributions.ts';
import { randomLoanPlan } from '../support/random-plans.ts';

/** Amounts as a member of a distribution. */
function amounts(values: readonly number[], unit = 1): BarValues {
  const { counts } = valueDistribution(Float64Array.from(values), unit);
  const sorted = [...values].sort((a, b) => a - b);
  return {
    quantiles: {
      'q00.5': sorted[Math.floor(0.005 * sorted.length)],
      'q99.5': sorted[Math.floor(0.995 * sorted.length)],
    },
    histogram: histogramOf(AMOUNT_BINS, allSlots(AMOUNT_BINS, counts), unit),
  };
}

/** Ratios as a member of a distribution. */
function ratios(values: readonly number[]): BarValues {
  const slots = new Float64Array(slotsOf(RATIO_BINS));
  for (const value of values) slots[slotOf(RATIO_BINS, value)]++;
  return {
    quantiles: { 'q00.5': ratioQuantile(slots, 0.005), 'q99.5': ratioQuantile(slots, 0.995) },
    histogram: histogramOf(RATIO_BINS, slots),
  };
}

const total = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0);

describe('bars of a histogram', () => {
  it('have every scenario once, outliers in the outer bars', () => {
    const { shares, from, width } = barsOf(
      amounts([...Array.from({ length: 1000 }, (_, i) => i / 1000), 1e9]),
    );
    expect(total(shares)).toBeCloseTo(1, 12);
    expect(from[from.length - 1] + width).toBeLessThan(1.02);
    expect(shares.at(-1)).toBeGreaterThan(shares[shares.length - 2]);
  });

  it('have at a height that does not change even values', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => 5 + i / 20_000);
    const { shares } = barsOf(amounts(values));
    const inner = shares.slice(1, -1);
    for (const share of inner) expect(Math.abs(share * shares.length - 1)).toBeLessThan(0.05);
  });

  it('are one bar where all values are the same', () => {
    const { shares, from, width } = barsOf(amounts([2, 2, 2]));
    expect(shares).toEqual([1]);
    expect(from[0]).toBeLessThanOrEqual(2);
    expect(from[0] + width).toBeGreaterThan(2);
  });

  it('are one bar where all values are 0', () => {
    const { shares, from } = barsOf(amounts([0, 0]));
    expect(shares).toEqual([1]);
    expect(from).toEqual([0]);
  });

  it('have the values of 0 in the bar of 0', () => {
    const values = [
      ...Array.from({ length: 500 }, () => 0),
      ...Array.from({ length: 500 }, (_, i) => i - 250),
    ];
    const { shares, from, width } = barsOf(amounts(values, 100));
    const bar = shares.indexOf(Math.max(...shares));
    expect(shares[bar]).toBeGreaterThan(0.5);
    expect(from[bar]).toBeLessThan(1e-9);
    expect(from[bar] + width).toBeGreaterThan(-1e-9);
  });
});

describe('inverted ratios', () => {
  it('have the shares of 1/x', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => 1 + i / 10_000);
    const bars = barsOf(invertedValues(ratios(values)));
    const below = (end: number) => values.filter(value => 1 / value < end).length / values.length;
    let reached = 0;
    for (const [i, share] of bars.shares.slice(0, -1).entries()) {
      reached += share;
      expect(reached).toBeCloseTo(below(bars.from[i] + bars.width), 2);
    }
  });

  it('have a fan whose quantiles rise', () => {
    const rising = (by: number) =>
      Object.fromEntries(
        ['q01', 'q05', 'q25', 'q50', 'q75', 'q95', 'q99'].map((name, i) => [name, [1 + by * i]]),
      );
    const member = { resolution: 0.01, days: [1], ...rising(0.1) } as unknown as LoanDistribution['Fan'];
    const { days, quantiles } = invertedFan(fanOf(member, 2, 1));
    expect(days).toEqual([0, 1]);
    for (let level = 1; level < quantiles.length; level++) {
      expect(quantiles[level][0]).toBe(0.5);
      expect(Number(quantiles[level][1])).toBeGreaterThan(Number(quantiles[level - 1][1]));
    }
  });
});

it('the SIMD engine of a page counts every chunk once', async () => {
  const plan = { ...randomLoanPlan(11, 'gbm', 20_000), distribution: { daySteps: 24 } as const };
  const bytes = new Uint8Array(readFileSync(new URL('../../dist/engine/wasm/kernel.wasm', import.meta.url)));
  const engine = createSimdEngine(bytes);
  const page = figuresOf(plan, await engine.run(plan), {});
  await engine.close();
  const kernel = instantiateKernel(compileKernel(bytes));
  const chunks = simdChunksOf(plan).map(chunk => runSimdRange(kernel, plan, chunk));
  expect(chunks.length).toBeGreaterThan(1);
  expect(page.distribution?.scenarios).toBe(20_000);
  expect(page).toEqual(figuresOf(plan, mergeOutcomes(chunks), {}));
});
