/**
 * Interval of the nominal ratio of an origination: from the first candidate on either side whose interval excludes the target
 * (docs/methodology.md, "Accuracy").
 */
import { type FigureAccuracy, shareFigure, without } from '../../core/figures/accuracy.ts';
import type { ScoredRatio } from './search.ts';

/** Scores of a scan: shares of `paths` paths at rising candidates. */
export interface ScoredCandidates {
  readonly candidates: Float64Array;
  readonly scores: Float64Array;
  readonly paths: number;
}

/**
 * Interval of N; an end is null at the end of the range, and both are null where the interval at the answer itself excludes the target.
 * Of few candidates, as for loans that run one by one, the interval is wider, never too narrow.
 */
export function nominalRatioAccuracy(
  { candidates, scores, paths }: ScoredCandidates,
  answer: ScoredRatio,
  target: number,
  level: number,
): FigureAccuracy {
  const containsTarget = (score: number) => {
    const { low, high } = shareFigure(Math.round(score * paths), paths, level);
    return low !== null && high !== null && low <= target && target <= high;
  };
  if (!containsTarget(answer.score)) return without('inverted');
  let low = candidates.findLastIndex(n => n < answer.nominalRatio);
  while (low >= 0 && containsTarget(scores[low])) low--;
  let high = candidates.findIndex(n => n > answer.nominalRatio);
  while (high >= 0 && high < candidates.length && containsTarget(scores[high])) high++;
  return {
    ...without('inverted'),
    low: low < 0 ? null : candidates[low],
    high: high < 0 || high >= candidates.length ? null : candidates[high],
  };
}
