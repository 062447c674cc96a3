/** The interval of N by candidates: the first on either side whose own interval excludes the target. */
import { describe, expect, it } from 'vitest';
import { nominalRatioAccuracy } from '#src/question/origination/search.js';

/** The interval of 95 % of 1,000 paths at a share of 0.5 is 0.469 to 0.531. */
const PATHS = 1000;
const at = (candidates: readonly number[], scores: readonly number[]) => ({
  candidates: Float64Array.from(candidates),
  scores: Float64Array.from(scores),
  paths: PATHS,
});
const interval = (scored: ReturnType<typeof at>, nominalRatio: number, score = 0.5) => {
  const { low, high, method } = nominalRatioAccuracy(scored, { nominalRatio, score }, 0.5, 0.95);
  expect(method).toBe('inverted');
  return [low, high];
};

describe('the interval of N', () => {
  it('ends at the first candidates whose interval excludes the target', () => {
    const scored = at([1.1, 1.2, 1.3, 1.4, 1.5], [0.6, 0.52, 0.5, 0.48, 0.4]);
    expect(interval(scored, 1.3)).toEqual([1.1, 1.5]);
    expect(interval(scored, 1.25)).toEqual([1.1, 1.5]);
  });

  it('ends at the neighbours if candidates are far apart and N lies between them', () => {
    expect(interval(at([1.1, 1.3, 1.5], [0.9, 0.7, 0.1]), 1.4)).toEqual([1.3, 1.5]);
  });

  it('has no end if the range ends first', () => {
    expect(interval(at([1.2, 1.3, 1.4], [0.52, 0.5, 0.4]), 1.3)).toEqual([null, 1.4]);
    expect(interval(at([1.2, 1.3, 1.4], [0.6, 0.5, 0.48]), 1.3)).toEqual([1.2, null]);
    expect(interval(at([1.2, 1.3], [0.6, 0.5]), 1.3)).toEqual([1.2, null]);
  });

  it('is null if the interval at N itself excludes the target', () => {
    expect(interval(at([1.2, 1.3, 1.4], [0.6, 0.5, 0.4]), 1.35, 0.45)).toEqual([null, null]);
  });
});
