/**
 * How sure the nominal ratio of an origination is: the candidates whose score could as well be the target.
 *
 * Takes: candidates, their scores on the same paths, and the answer. Gives: the first candidates on either side whose interval
 * no longer contains the target (docs/methodology.md, "Accuracy").
 */
import { type FigureAccuracy, shareFigure, without } from '../../core/figures/accuracy.ts';

/** Scores of a scan: shares of `paths` paths at rising candidates. */
export interface ScoredCandidates {
  readonly candidates: Float64Array;
  readonly scores: Float64Array;
  readonly paths: number;
}

/** The answer of a search. */
export interface ScoredRatio {
  readonly nominalRatio: number;
  readonly score: number;
}

/**
 * Interval of N; null at an end of the range, and where the interval at the answer itself excludes the target. Where few candidates
 * were scored, as for loans that are run one by one, the ends are those of a coarse list: the interval is wider, never too narrow.
 */
export function nominalRatioAccuracy(
  { candidates, scores, paths }: ScoredCandidates,
  answer: ScoredRatio,
  target: number,
  level: number,
): FigureAccuracy {
  const holdsTarget = (score: number) => {
    const { low, high } = shareFigure(Math.round(score * paths), paths, level);
    return low !== null && high !== null && low <= target && target <= high;
  };
  if (!holdsTarget(answer.score)) return without('inverted');
  let low = candidates.findLastIndex(n => n < answer.nominalRatio);
  while (low >= 0 && holdsTarget(scores[low])) low--;
  let high = candidates.findIndex(n => n > answer.nominalRatio);
  while (high >= 0 && high < candidates.length && holdsTarget(scores[high])) high++;
  return {
    ...without('inverted'),
    low: low < 0 ? null : candidates[low],
    high: high < 0 || high >= candidates.length ? null : candidates[high],
  };
}
