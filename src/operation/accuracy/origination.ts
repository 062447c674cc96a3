/**
 * How sure the nominal ratio of an origination is: the candidates whose score could as well be the target.
 *
 * Takes: candidates, their scores on the same paths, and the answer. Gives: the first candidates on either side whose interval
 * no longer holds the target (docs/methodology.md, "Accuracy").
 */
import { type FigureAccuracy, shareFigure, without } from './figures.ts';

/** Scores of a scan: shares of `paths` paths at rising candidates. */
export interface ScoredCandidates {
  readonly candidates: Float64Array;
  readonly scores: Float64Array;
  readonly paths: number;
}

/** Interval of N; null at an end of the range, and where the interval at the answer itself excludes the target. */
export function nominalRatioAccuracy(
  { candidates, scores, paths }: ScoredCandidates,
  nominalRatio: number,
  target: number,
  level: number,
): FigureAccuracy {
  const holdsTarget = (k: number) => {
    const { low, high } = shareFigure(Math.round(scores[k] * paths), paths, level);
    return low !== null && high !== null && low <= target && target <= high;
  };
  // The last candidate at or below the answer, and the first at or above it.
  const below = candidates.findLastIndex(n => n <= nominalRatio);
  const above = candidates.findIndex(n => n >= nominalRatio);
  if (!holdsTarget(below) && !holdsTarget(above)) return without('inverted');
  let low = below;
  while (low >= 0 && holdsTarget(low)) low--;
  let high = above;
  while (high < candidates.length && holdsTarget(high)) high++;
  return {
    ...without('inverted'),
    low: low < 0 ? null : candidates[low],
    high: high >= candidates.length ? null : candidates[high],
  };
}
