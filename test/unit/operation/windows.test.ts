/** Figures over windows of history: which of the means are corrected for the few windows that carry them. */
import { describe, expect, it } from 'vitest';
import { cosineVariance, overlapOf } from '#src/core/stats/overlapping-windows.js';
import { twoSidedStudentT } from '#src/core/stats/special-functions.js';
import { windowFigures } from '#src/operation/accuracy/windows.js';

const WINDOWS = 480;
const STEPS = 24;
const LEVEL = 0.9;
const EVERYWHERE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
/** A tenth of the windows have an amount, the later ones a larger one. */
const AMOUNTS = Float64Array.from({ length: WINDOWS }, (_, t) => (t % 10 === 0 ? 1 + t / WINDOWS : 0));
const MEAN = AMOUNTS.reduce((sum, value) => sum + value, 0) / WINDOWS;

async function ends(kind: 'mean' | 'mean-of-few', contributions = AMOUNTS) {
  const figures = [{ kind, contributions, range: EVERYWHERE }];
  const [accuracy] = await windowFigures(figures, WINDOWS, STEPS, LEVEL, new AbortController().signal);
  return accuracy;
}

describe('The mean over windows of history', () => {
  it('of what every window has reaches as far to either side, by Student and the variance of the cosines', async () => {
    const accuracy = await ends('mean');
    const overlap = overlapOf(WINDOWS, STEPS);
    const standardError = Math.sqrt(cosineVariance(AMOUNTS, overlap));
    const reach = standardError * twoSidedStudentT(overlap.cosines, LEVEL);
    expect(accuracy.standard_error).toBeCloseTo(standardError, 12);
    expect(accuracy.low).toBeCloseTo(MEAN - reach, 12);
    expect(accuracy.high).toBeCloseTo(MEAN + reach, 12);
  });

  it('of amounts that few windows carry reaches further up than down', async () => {
    const { low, high } = await ends('mean-of-few');
    expect(Number(high) - MEAN).toBeGreaterThan(1.2 * (MEAN - Number(low)));
  });

  it.each(['mean', 'mean-of-few'] as const)('has no interval where all windows are alike: %s', async kind => {
    expect(await ends(kind, new Float64Array(WINDOWS).fill(0.7))).toEqual({
      standard_error: null,
      low: null,
      high: null,
      method: 'too-few-windows',
    });
  });
});
