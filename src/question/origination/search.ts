/**
 * The search of /loan_origination: the nominal ratio N that brings a score to its target (methodology part 4), and the interval of that N
 * (docs/methodology.md, "Accuracy").
 *
 * Takes: a function that scores many N at once. Must not know: engines, scores.
 */
import { type FigureAccuracy, shareFigure, without } from '../../core/figures/accuracy.ts';

/** Scores of several N, in their order. */
export type ScoreMany = (nominalRatios: Float64Array) => Promise<Float64Array>;

export interface OriginationTarget {
  /** Target of the score. */
  readonly target: number;
  /** Distance from it that counts as reached, >= 0. */
  readonly tolerance: number;
  /** Range of N. */
  readonly low: number;
  readonly high: number;
  /** Intervals between the first candidates; 4096 where absent. */
  readonly intervals?: number;
  /** Width to which an interval is bisected; 1e-9 where absent. */
  readonly resolution?: number;
  /** Halvings in one pass of scores; 13 where absent. */
  readonly halvingsPerPass?: number;
}

/** A candidate and its score. */
export interface ScoredRatio {
  readonly nominalRatio: number;
  readonly score: number;
}

/** The N found, or the nearest one of the range. */
export type OriginationResult =
  | (ScoredRatio & {
      readonly found: true;
      /** The candidates of the first pass and their scores. */
      readonly candidates: Float64Array;
      readonly scores: Float64Array;
    })
  | {
      readonly found: false;
      readonly nearest: ScoredRatio;
      readonly scoreAtLow: number;
      readonly scoreAtHigh: number;
    };

/** Scores between two candidates that stay as near the target are those of one root: paths are few, or the curve is flat. */
const ONE_ROOT = 0.002;

/**
 * The places of a scan where the score meets its target, rising: each the candidate nearest the target within the tolerance, or next to a
 * crossing. Places without a score between them further away than twice the tolerance and 0.002 are one.
 */
export function rootsOf(
  { candidates, scores }: { readonly candidates: Float64Array; readonly scores: Float64Array },
  { target, tolerance }: Pick<OriginationTarget, 'target' | 'tolerance'>,
): readonly ScoredRatio[] {
  const distance = scores.map(score => Math.abs(score - target));
  const crosses = (k: number) => k > 0 && scores[k] > target !== scores[k - 1] > target;
  const roots: number[] = [];
  let isApart = true;
  for (const [k, away] of distance.entries()) {
    const meets = away <= tolerance ? k : crosses(k) ? (away < distance[k - 1] ? k : k - 1) : -1;
    if (meets >= 0) {
      const known = roots.length - 1;
      if (isApart) roots.push(meets);
      else if (distance[meets] <= distance[roots[known]]) roots[known] = meets;
      isApart = false;
    }
    if (away > 2 * tolerance + ONE_ROOT) isApart = true;
  }
  return roots.map(k => at(candidates, scores, k));
}

/** Intervals between candidates of the first pass. */
export const CANDIDATE_INTERVALS = 4096;
const RESOLUTION = 1e-9;
/** Two passes reach the resolution in any range up to 100. */
const HALVINGS_PER_PASS = 13;

/**
 * Scores N_k = low + k (high - low) / 4096 and takes, of the runs of neighbours within the tolerance, the one at the
 * largest N and in it the candidate nearest the target, the larger N at a tie. Without such a run the interval at
 * the largest N whose ends lie on either side of the target is bisected to 1e-9, and its end nearest the target taken.
 */
export async function searchNominalRatio(
  search: OriginationTarget,
  scoreMany: ScoreMany,
): Promise<OriginationResult> {
  const { target, tolerance, low, high, intervals = CANDIDATE_INTERVALS } = search;
  const candidates = spaced(low, high, intervals);
  const scores = await scoreMany(candidates);
  const distance = scores.map(score => Math.abs(score - target));
  const last = distance.findLastIndex(d => d <= tolerance);
  if (last >= 0) {
    const first = distance.subarray(0, last).findLastIndex(d => d > tolerance) + 1;
    return {
      found: true,
      ...at(candidates, scores, nearestIndex(distance, first, last)),
      candidates,
      scores,
    };
  }
  const crossing = scores.findLastIndex((score, k) => k > 0 && score > target !== scores[k - 1] > target);
  if (crossing >= 0) {
    const bracket = candidates.slice(crossing - 1, crossing + 1);
    const root = await bisect(search, scoreMany, bracket, scores[crossing - 1] > target);
    return { found: true, ...root, candidates, scores };
  }
  return {
    found: false,
    nearest: at(candidates, scores, nearestIndex(distance, 0, intervals)),
    scoreAtLow: scores[0],
    scoreAtHigh: scores[intervals],
  };
}

/**
 * Bisection with several halvings per pass: a pass scores all points that plain bisection could visit.
 *
 * @param aboveAtLow whether the score at the lower end is above the target
 */
async function bisect(
  search: OriginationTarget,
  scoreMany: ScoreMany,
  bracket: Float64Array,
  aboveAtLow: boolean,
): Promise<ScoredRatio> {
  let [low, high] = bracket;
  const { resolution = RESOLUTION, halvingsPerPass = HALVINGS_PER_PASS } = search;
  for (;;) {
    const halvings = Math.min(halvingsPerPass, Math.max(0, Math.ceil(Math.log2((high - low) / resolution))));
    const points = spaced(low, high, 2 ** halvings);
    const scores = await scoreMany(points);
    let left = 0;
    let right = points.length - 1;
    while (right - left > 1) {
      const middle = (left + right) / 2;
      if (scores[middle] > search.target === aboveAtLow) left = middle;
      else right = middle;
    }
    low = points[left];
    high = points[right];
    if (high - low <= resolution || halvings === 0) {
      const leftIsNearer = Math.abs(scores[left] - search.target) < Math.abs(scores[right] - search.target);
      return at(points, scores, leftIsNearer ? left : right);
    }
  }
}

/** low, low + (high - low) / intervals, ..., high. */
function spaced(low: number, high: number, intervals: number): Float64Array {
  return Float64Array.from({ length: intervals + 1 }, (_, k) =>
    k === intervals ? high : low + (k * (high - low)) / intervals,
  );
}

/** Index of the smallest distance in first..last, the larger index at a tie. */
function nearestIndex(distance: Float64Array, first: number, last: number): number {
  let nearest = last;
  for (let k = last - 1; k >= first; k--) if (distance[k] < distance[nearest]) nearest = k;
  return nearest;
}

const at = (candidates: Float64Array, scores: Float64Array, k: number): ScoredRatio => ({
  nominalRatio: candidates[k],
  score: scores[k],
});

/** Scores of a scan: shares of `paths` paths at rising candidates. */
interface ScoredCandidates {
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
