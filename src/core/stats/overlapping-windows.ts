/**
 * Standard errors of figures over overlapping windows, whose outcomes depend on each other: the variance of the mean of n
 * contributions, windows of w steps in the order of their ends, by an orthonormal series of cosines, and intervals with Student's
 * t. K = n / w windows do not overlap.
 * Sources: U. K. Mueller, "HAC corrections for strongly autocorrelated time series", JBES 32 (2014), 311-322, section 3;
 * E. Lazarus, D. J. Lewis, J. H. Stock, M. W. Watson, "HAR inference", JBES 36 (2018), 541-559 (cosine basis, t with B
 * degrees of freedom).
 */
import { type BoundedInterval, clopperPearsonInterval, type Reach } from './intervals.ts';
import { skewedReach, skewnessOfMean } from './skewness.ts';
import { twoSidedNormal, twoSidedStudentT } from './special-functions.ts';

/** Fewest windows without overlap that give an interval. */
const MIN_INDEPENDENT_WINDOWS = 10;

/** Numbers of windows. */
export interface Overlap {
  readonly windows: number;
  /** K = n / w. */
  readonly independent: number;
  /** B = floor(K / 2), the number of cosines and the degrees of freedom. */
  readonly cosines: number;
}

/** @param windows n @param steps w, steps of one window */
export function overlapOf(windows: number, steps: number): Overlap {
  const independent = windows / steps;
  return { windows, independent, cosines: Math.floor(independent / 2) };
}

export const enoughWindows = ({ independent }: Overlap): boolean => independent >= MIN_INDEPENDENT_WINDOWS;

/**
 * Variance of the mean of contributions x_t, t = 1..n: V = (1 / (n B)) sum over j <= B of L_j^2,
 * L_j = sqrt(2 / n) sum over t of cos(pi j (t - 1/2) / n) (x_t - mean).
 *
 * @param contributions one value per window
 */
export function cosineVariance(contributions: ArrayLike<number>, { cosines }: Overlap): number {
  const n = contributions.length;
  let mean = 0;
  for (let t = 0; t < n; t++) mean += contributions[t] / n;
  let sum = 0;
  for (let j = 1; j <= cosines; j++) {
    // cos((t + 1/2) angle) by its recurrence, restarted before rounding errors grow.
    const angle = (Math.PI * j) / n;
    let total = 0;
    for (let first = 0; first < n; first += RESTART) {
      const end = Math.min(n, first + RESTART);
      const twice = 2 * Math.cos(angle);
      let previous = Math.cos((first - 0.5) * angle);
      let current = Math.cos((first + 0.5) * angle);
      for (let t = first; t < end; t++) {
        total += current * (contributions[t] - mean);
        const next = twice * current - previous;
        previous = current;
        current = next;
      }
    }
    sum += (2 / n) * total * total;
  }
  return sum / (n * cosines);
}

/** Steps of the cosine's recurrence between two exact values: the error stays below 1e-12. */
const RESTART = 256;

/**
 * Largest number of effective windows of a mean, in independent ones. Overlapping windows estimate the mean square of a sum with 2/3 of the variance of
 * those that do not overlap: A. W. Lo, A. C. MacKinlay, "Stock market prices do not follow random walks", Review of Financial Studies 1
 * (1988), 41-66, theorem 1 and section 1.2. The few cosines often show a smaller variance.
 */
const MAX_PER_INDEPENDENT = 1.5;

/** Fewest independent windows of a mean: in its tail, or with another amount than the commonest. */
const MIN_EVENTFUL_WINDOWS = 1;

/** Whether enough independent windows are in a tail, or have an event. @param share of all windows that are or have */
export const enoughEventfulWindows = ({ independent }: Overlap, share: number): boolean =>
  // 1 - 0.9 is not 0.1 in binary.
  independent * share >= MIN_EVENTFUL_WINDOWS - 1e-9;

/** Error of a mean over windows. */
interface WindowMean {
  readonly standardError: number;
  /** In standard errors. */
  readonly reach: Reach;
}

/**
 * Standard error of a mean of contributions, and the reach of its interval: as of n* = min(n, 1.5 K, s^2 / V) independent ones, s their
 * standard deviation, with the quantile of Student's t with B degrees of freedom, corrected for their skewness over sqrt(n*)
 * (stats/skewness.ts).
 *
 * @param variance V of `cosineVariance`
 * @returns undefined where all contributions are equal
 */
export function windowMean(
  contributions: ArrayLike<number>,
  variance: number,
  { windows, independent, cosines }: Overlap,
  level: number,
): WindowMean | undefined {
  // Deviations from one of them: equal contributions leave exactly 0.
  let sum = 0;
  let squares = 0;
  let cubes = 0;
  for (let t = 1; t < contributions.length; t++) {
    const deviation = contributions[t] - contributions[0];
    const square = deviation * deviation;
    sum += deviation;
    squares += square;
    cubes += square * deviation;
  }
  const mean = sum / contributions.length;
  const spread = squares / contributions.length - mean * mean;
  if (!(spread > 0)) return undefined;
  const effective = Math.min(windows, MAX_PER_INDEPENDENT * independent, spread / variance);
  const skewness = skewnessOfMean({ paths: contributions.length, sum, squares, cubes });
  return {
    standardError: Math.sqrt(spread / effective),
    reach: skewedReach(
      skewness * Math.sqrt(contributions.length / effective),
      twoSidedStudentT(cosines, level),
    ),
  };
}

/**
 * Interval of a share of windows: Clopper and Pearson's with the number of independent windows n* that has the
 * variance V and the quantile of t: n* = min(n, 2 K, p (1 - p) / V (z / t_B)^2), hits p n*; n* = K where p is 0 or 1.
 *
 * @param share p; for the interval of a quantile its probability: the quantile is between the values at both ends
 * @param variance V of the share of windows with the event, or at or below the quantile found
 */
export function overlappingShareInterval(
  share: number,
  variance: number,
  { windows, independent, cosines }: Overlap,
  level: number,
): BoundedInterval {
  const spread = share * (1 - share);
  const quantiles = twoSidedNormal(level) / twoSidedStudentT(cosines, level);
  // With a variance of 0 the bound is twice the independent windows.
  const effective =
    spread === 0
      ? independent
      : Math.min(windows, 2 * independent, (spread / variance) * quantiles * quantiles);
  return {
    ...clopperPearsonInterval(share * effective, effective, level),
    standardError: Math.sqrt(variance),
  };
}
