/**
 * Origination: docs/methodology.md, part 5 (Origination).
 *
 * Takes: the range, the target and a score of each candidate N. Gives: the candidates, their ratios, and the N that answers. The score of
 * a candidate is a figure of its own loan: `loan.ts`.
 */

/** Of a search: what is sent, by the names of methodology part 5. */
export interface OriginationTerms {
  readonly L: number;
  readonly variableMin: number;
  readonly variableMax: number;
  /** Fixed by the request. */
  readonly M?: number;
  readonly R?: number;
}

/** The ratios of the candidate N, R = N and M the middle of L and N, or fixed: docs/methodology.md, "Origination". */
export function ratiosOfCandidate(terms: OriginationTerms, N: number): Record<'N' | 'M' | 'L' | 'R', number> {
  const { L, variableMin, variableMax } = terms;
  const middle = Math.min(Math.max((L + N) / 2, variableMin), variableMax, N);
  return { N, M: terms.M ?? middle, L, R: terms.R ?? N };
}

/** N_k = lo + k (hi - lo) / intervals, k = 0..intervals: docs/methodology.md, "Origination". */
export function candidates(lo: number, hi: number, intervals = 4096): number[] {
  return Array.from({ length: intervals + 1 }, (_, k) =>
    k === intervals ? hi : lo + (k * (hi - lo)) / intervals,
  );
}

/**
 * In the run at the largest N of candidates within the tolerance, the one nearest the target; at a tie the larger N: rule 1 of
 * docs/methodology.md, "Origination".
 */
export function candidateWithinTolerance(
  score: (N: number) => number,
  all: readonly number[],
  target: number,
  tolerance: number,
): number | undefined {
  const distance = all.map(N => Math.abs(score(N) - target));
  let last = all.length - 1;
  while (last >= 0 && distance[last] > tolerance) last--;
  if (last < 0) return undefined;
  let first = last;
  while (first > 0 && distance[first - 1] <= tolerance) first--;
  let best = first;
  for (let k = first; k <= last; k++) if (distance[k] <= distance[best]) best = k;
  return all[best];
}

/**
 * The interval between the neighbours on either side of the target at the largest N, halved until it is no wider than 1e-9: rule 2 of
 * docs/methodology.md, "Origination".
 */
export function intervalAroundTarget(
  score: (N: number) => number,
  all: readonly number[],
  target: number,
): { low: number; high: number } | undefined {
  const isAbove = (N: number) => score(N) > target;
  for (let k = all.length - 1; k >= 1; k--) {
    let [low, high] = [all[k - 1], all[k]];
    if (isAbove(low) === isAbove(high)) continue;
    while (high - low > 1e-9) {
      const middle = (low + high) / 2;
      if (isAbove(middle) === isAbove(low)) low = middle;
      else high = middle;
    }
    return { low, high };
  }
  return undefined;
}
