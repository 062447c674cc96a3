/** Means over windows of history, and their intervals where they depend on few windows. */
import { describe, expect, it } from 'vitest';
import type { WindowFigure } from '#src/core/figures/accuracy.js';
import { overlapOf, windowMean } from '#src/core/stats/overlapping-windows.js';
import { accuracyOverWindows } from '#src/question/accuracy/windows.js';

const WINDOWS = 480;
/** Twenty windows do not overlap. */
const STEPS = 24;
const LEVEL = 0.9;
const EVERYWHERE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const NOT_NEGATIVE = [0, Number.POSITIVE_INFINITY] as const;
const NONE = { standard_error: null, low: null, high: null, method: 'too-few-windows' };
/** A tenth of the windows have an amount, the later ones a larger one. */
const AMOUNTS = Float64Array.from({ length: WINDOWS }, (_, t) => (t % 10 === 0 ? 1 + t / WINDOWS : 0));
const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function accuracyOf(figure: WindowFigure) {
  const asker = { caller: '', signal: new AbortController().signal };
  return (await accuracyOverWindows({ figure }, WINDOWS, STEPS, LEVEL, asker)).figure;
}

const ofMean = (contributions: Float64Array) =>
  accuracyOf({ kind: 'mean', contributions, range: EVERYWHERE });

/** Of the upper tenth of amounts above 0. */
const ofTail = (amounts: Float64Array, estimate: number, tail: 'lower' | 'upper' = 'upper') =>
  accuracyOf({
    kind: 'tail-mean',
    tail,
    probability: 0.1,
    estimate,
    contributions: amounts.map(amount => amount / 0.1),
    range: NOT_NEGATIVE,
  });

describe('The mean over windows of history', () => {
  it('of amounts from few windows has an interval that reaches further up than down', async () => {
    const { low, high } = await ofMean(AMOUNTS);
    const mean = meanOf(AMOUNTS);
    expect(Number(high) - mean).toBeGreaterThan(1.2 * (mean - Number(low)));
  });

  it('of shares that few windows lack has an interval that reaches further down than up', async () => {
    const shares = AMOUNTS.map(amount => 1 - amount / 4);
    const { low, high } = await ofMean(shares);
    const mean = meanOf(shares);
    expect(mean - Number(low)).toBeGreaterThan(1.2 * (Number(high) - mean));
  });

  it('has at least the error of one and a half windows for each window without overlap', async () => {
    // Alternating values have next to no variance at the low frequencies of the cosines.
    const values = Float64Array.from({ length: WINDOWS }, (_, t) => t % 2);
    const { standard_error } = await ofMean(values);
    expect(standard_error).toBeCloseTo(Math.sqrt(0.25 / (1.5 * 20)), 12);
    expect(windowMean(values, 0.25, overlapOf(WINDOWS, STEPS), LEVEL)?.standardError).toBeCloseTo(0.5, 12);
  });

  it('has no interval if all windows are alike, or fewer differ than one window without overlap', async () => {
    expect(await ofMean(new Float64Array(WINDOWS).fill(0.7))).toEqual(NONE);
    const last = (count: number) =>
      Float64Array.from({ length: WINDOWS }, (_, t) => (t < WINDOWS - count ? 1 : 0.4));
    expect(await ofMean(last(23))).toEqual(NONE);
    expect((await ofMean(last(24))).standard_error).toBeGreaterThan(0);
  });
});

describe('The mean beyond a quantile of windows', () => {
  const few = AMOUNTS.map((amount, t) => (t < 460 ? 0 : amount));

  it('has no interval if fewer windows lie beyond it than its tail requires, like the mean of all windows', async () => {
    expect(await ofTail(few, meanOf(few) / 0.1)).toEqual(NONE);
    expect(await ofMean(few)).toEqual(NONE);
    expect((await ofTail(AMOUNTS, meanOf(AMOUNTS) / 0.1)).standard_error).toBeGreaterThan(0);
  });

  it('reaches as far up in a lower tail as down in an upper one', async () => {
    const estimate = 100;
    const [upper, lower] = await Promise.all(
      (['upper', 'lower'] as const).map(tail => ofTail(AMOUNTS, estimate, tail)),
    );
    expect(Number(lower.high) - estimate).toBeCloseTo(estimate - Number(upper.low), 10);
    expect(estimate - Number(lower.low)).toBeCloseTo(Number(upper.high) - estimate, 10);
    expect(Number(upper.high) - estimate).toBeGreaterThan(1.2 * (estimate - Number(upper.low)));
  });

  it('stays inside its range', async () => {
    expect((await ofTail(AMOUNTS, 0.01)).low).toBe(0);
  });
});

describe('The quantile of windows', () => {
  it.each([
    [0.05, true, true],
    [0.049, false, true],
    [0.951, true, false],
    [0.99, true, false],
  ])(
    'at %d has an end only on a side where one window without overlap lies',
    async (probability, low, high) => {
      const values = Float64Array.from({ length: WINDOWS }, (_, t) => (t * 77) % WINDOWS);
      const quantile = probability * WINDOWS;
      const found = await accuracyOf({ kind: 'quantile', values, probability, quantile });
      expect([found.low !== null, found.high !== null]).toEqual([low, high]);
      expect(found.standard_error === null).toBe(!(low && high));
    },
  );

  it.each([0.05, 0.3, 0.5, 0.9, 0.95])(
    'is between those of the ends of its share of windows: %d',
    async share => {
      // Each value once, so that the share of those up to the quantile is exact.
      const values = Float64Array.from({ length: WINDOWS }, (_, t) => ((t * 77) % WINDOWS) + 1);
      const quantile = share * WINDOWS;
      const contributions = values.map(value => Number(value <= quantile));
      const [shares, { low, high, method }] = await Promise.all([
        accuracyOf({ kind: 'share', contributions }),
        accuracyOf({ kind: 'quantile', values, probability: meanOf(contributions), quantile }),
      ]);
      // The value of rank k is k; a rank outside the sample has none.
      const lowRank = Math.floor(Number(shares.low) * WINDOWS);
      expect(low).toBe(lowRank < 1 ? null : lowRank);
      expect(high).toBe(Number(shares.high) >= 1 ? null : Math.ceil(Number(shares.high) * WINDOWS));
      expect(method).toBe('cosine-t');
    },
  );
});
