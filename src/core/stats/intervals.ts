/**
 * Standard errors and intervals of figures of independent paths, from counts, sums and sums of squares.
 * A bound that does not follow from the sample is `undefined`.
 */
import { firstTrue } from './first-true.ts';
import { betaQuantile, regularisedBeta, twoSidedNormal } from './special-functions.ts';

/** Standard error and interval of a figure, in its unit. */
export interface Interval {
  readonly standardError: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** An interval with both bounds. */
export type BoundedInterval = Interval & { readonly low: number; readonly high: number };

/** Fewest hits, and misses, of Wilson's interval; the exact one below. */
const FEW_HITS = 10;

/** Standard error sqrt(p (1 - p) / n) of a share p = hits / trials. @param hits 0..trials */
const shareError = (hits: number, trials: number) =>
  Math.sqrt(((hits / trials) * (1 - hits / trials)) / trials);

/** Whether the interval of this share is Clopper and Pearson's. */
export const isRareShare = (hits: number, trials: number) => Math.min(hits, trials - hits) < FEW_HITS;

/**
 * Wilson's score interval of a share.
 *
 * E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212.
 * @param level in (0, 1)
 */
export function wilsonInterval(hits: number, trials: number, level: number): Interval {
  const z = twoSidedNormal(level);
  const p = hits / trials;
  const weight = 1 + (z * z) / trials;
  const centre = (p + (z * z) / (2 * trials)) / weight;
  const half = (z / weight) * Math.sqrt((p * (1 - p)) / trials + (z * z) / (4 * trials * trials));
  return {
    standardError: shareError(hits, trials),
    low: Math.max(0, centre - half),
    high: Math.min(1, centre + half),
  };
}

/**
 * Clopper and Pearson's exact interval of a share: its coverage is at least the level. Hits and trials may be fractional:
 * effective numbers of dependent trials.
 *
 * C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
 * Biometrika 26 (1934), 404-413.
 * @param level in (0, 1)
 */
export function clopperPearsonInterval(hits: number, trials: number, level: number): BoundedInterval {
  const tail = (1 - level) / 2;
  return {
    standardError: shareError(hits, trials),
    low: hits <= 0 ? 0 : betaQuantile(hits, trials - hits + 1, tail),
    high: hits >= trials ? 1 : betaQuantile(hits + 1, trials - hits, 1 - tail),
  };
}

/** Sums over n paths of one amount x per path. */
export interface AmountSums {
  readonly paths: number;
  readonly sum: number;
  readonly squares: number;
}

/** Standard error s / sqrt(n) of a mean; undefined below two paths. */
export function meanError({ paths, sum, squares }: AmountSums): number | undefined {
  if (paths < 2) return undefined;
  const variance = Math.max(0, squares - (sum * sum) / paths) / (paths - 1);
  return Math.sqrt(variance / paths);
}

/** Sums over n paths of an amount A and a number of events K per path. */
export interface EventSums {
  readonly paths: number;
  /** Sum of K. */
  readonly events: number;
  /** Sum of K^2. */
  readonly eventSquares: number;
  /** Sum of A. */
  readonly amount: number;
  /** Sum of A^2. */
  readonly amountSquares: number;
  /** Sum of A K. */
  readonly products: number;
}

/**
 * Standard error of the ratio R = sum A / sum K, by linearisation:
 * sqrt(sum (A - R K)^2 / (n (n - 1))) / mean K.
 *
 * W. G. Cochran, Sampling Techniques, 3rd ed. (1977), 2.11.
 * @returns undefined where there are no events or fewer than two paths
 */
export function ratioError(sums: EventSums): number | undefined {
  const { paths: n, events, amount } = sums;
  if (n < 2 || events === 0) return undefined;
  const ratio = amount / events;
  const residuals = Math.max(
    0,
    sums.amountSquares - 2 * ratio * sums.products + ratio * ratio * sums.eventSquares,
  );
  return Math.sqrt(residuals / (n * (n - 1))) / (events / n);
}

/** Sums over the lower tail of n values: shortfall (v - x) of the values x at or below v. */
export interface TailSums {
  readonly paths: number;
  /** Sum of (v - x)+. */
  readonly shortfall: number;
  /** Sum of ((v - x)+)^2. */
  readonly shortfallSquares: number;
}

/**
 * Standard error of the mean of the lowest share p of n values: sqrt(var((v - x)+) / n) / p, its influence function at
 * the quantile v.
 *
 * S. X. Chen, "Nonparametric estimation of expected shortfall", Journal of Financial Econometrics 6 (2008), 87-107.
 * @param probability p in (0, 1)
 */
export function tailMeanError({ paths, shortfall, shortfallSquares }: TailSums, probability: number) {
  const error = meanError({ paths, sum: shortfall, squares: shortfallSquares });
  return error === undefined ? undefined : error / probability;
}

/** Ends of an interval below and above an estimate, in standard errors. */
export interface Reach {
  readonly below: number;
  readonly above: number;
}

/** z standard errors to either side, z the two-sided normal quantile. */
export function normalReach(level: number): Reach {
  const z = twoSidedNormal(level);
  return { below: z, above: z };
}

/** An interval around an estimate, cut at the ends of the figure's range. */
export function intervalOfReach(
  estimate: number,
  standardError: number,
  { below, above }: Reach,
  range: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): Interval {
  return {
    standardError,
    low: Math.max(range[0], estimate - below * standardError),
    high: Math.min(range[1], estimate + above * standardError),
  };
}

/** Ranks of the order statistics around a quantile, from 0; undefined where the sample is too small. */
export interface QuantileRanks {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/**
 * Order statistics around the quantile at `probability` of n independent values: the largest rank l (from 1) with
 * P(Bin(n, u) <= l - 1) <= alpha / 2 and the smallest r with P(Bin(n, u) <= r - 1) >= 1 - alpha / 2.
 *
 * H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed. (2003), 7.1. Binomial tails are exact.
 * @param count n >= 1
 * @param probability u in (0, 1)
 * @param level 1 - alpha, in (0, 1)
 */
export function quantileRanks(count: number, probability: number, level: number): QuantileRanks {
  const tail = (1 - level) / 2;
  const below = firstTrue(count, k => binomialAtMost(k, count, probability) > tail);
  const reached = firstTrue(count, k => binomialAtMost(k, count, probability) >= 1 - tail);
  // l - 1 is the last k with a small enough tail, r - 1 the first with a large enough one.
  return { low: below === 0 ? undefined : below - 1, high: reached >= count ? undefined : reached };
}

/** P(Bin(n, u) <= k), 0 <= k < n. */
export function binomialAtMost(k: number, n: number, u: number): number {
  return regularisedBeta(n - k, k + 1, 1 - u, u);
}

/** Standard error of an interval between order statistics: (high - low) / (2 z). */
export function errorOfWidth(low: number, high: number, level: number): number {
  return (high - low) / (2 * twoSidedNormal(level));
}

/**
 * Upper bound, with confidence `level`, of the share of the paths below the lowest of n: -ln(1 - level) / n.
 *
 * The rule of three at level 0.95: B. D. Jovanovic, P. S. Levy, The American Statistician 51 (1997), 137-139.
 */
export const massBelowMinimum = (paths: number, level: number): number =>
  Math.min(1, -Math.log1p(-level) / paths);
