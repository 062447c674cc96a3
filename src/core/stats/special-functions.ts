/**
 * Distribution functions and quantiles in double precision: gamma, beta, normal, Student's t.
 *
 * No packages: the maintained ones bring between 60 and 140 others each. Tests compare every function with SciPy.
 */
import { lowerNormalQuantile } from '../random/inverse-normal.ts';

const LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
const LANCZOS_SHIFT = 607 / 128;
/** P. Godfrey, "A note on the computation of the convergent Lanczos complex gamma approximation" (2001), 15 terms. */
const LANCZOS = [
  0.99999999999999709182, 57.156235665862923517, -59.597960355475491248, 14.136097974741747174,
  -0.49191381609762019978, 0.33994649984811888699e-4, 0.46523628927048575665e-4, -0.98374475304879564677e-4,
  0.15808870322491248884e-3, -0.21026444172410488319e-3, 0.2174396181152126432e-3, -0.16431810653676389022e-3,
  0.84418223983852743293e-4, -0.2619083840158140867e-4, 0.36899182659531625704e-5,
];
/** Least x at which the asymptotic series of Stirling's error is exact in double precision. */
const STIRLING_SERIES_FROM = 16;
/** Smallest size of a continued fraction's term, in place of 0. */
const TINY = 1e-300;
/** A continued fraction of the beta function takes about sqrt(max(a, b)) terms; samples have at most 1e7 values. */
const MAX_TERMS = 200_000;
/** Halvings and Newton steps of a quantile; some 20 are used. */
const MAX_ROOT_STEPS = 200;

/** ln Gamma(x), x > 0; absolute error about 1e-15 of the larger of 1 and the result. */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma of ${x}, must be above 0`);
  let sum = LANCZOS[0];
  for (let k = 1; k < LANCZOS.length; k++) sum += LANCZOS[k] / (x - 1 + k);
  const t = x - 0.5 + LANCZOS_SHIFT;
  return LOG_ROOT_TWO_PI + Math.log(sum) + (x - 0.5) * Math.log(t) - t;
}

/** ln Gamma(x + 1) less Stirling's (x + 1/2) ln x - x + ln sqrt(2 pi), x > 0. */
function stirlingError(x: number): number {
  if (x < STIRLING_SERIES_FROM) return logGamma(x + 1) - (x + 0.5) * Math.log(x) + x - LOG_ROOT_TWO_PI;
  const s = 1 / (x * x);
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / x;
}

/** x ln(x / m) + m - x without cancellation where x is near m. */
function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let sum = (x - m) * v;
  let power = 2 * x * v;
  for (let k = 3; ; k += 2) {
    power *= v * v;
    const next = sum + power / k;
    if (next === sum) return sum;
    sum = next;
  }
}

/**
 * x^a y^b / B(a, b) for x + y = 1, without overflow or cancellation for large a and b.
 *
 * C. Loader, "Fast and accurate computation of binomial probabilities" (2000): saddle-point form.
 */
function betaPower(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  const exponent =
    stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x) - deviance(b, n * y);
  const binomial = Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * a * b));
  return (binomial * a * b) / n;
}

/**
 * Regularised incomplete beta function I_x(a, b), the distribution function of Beta(a, b).
 *
 * Continued fraction DLMF 8.17.22 by Lentz's method.
 * @param a above 0
 * @param b above 0
 * @param x in [0, 1]
 * @param y 1 - x, if known more exactly than by subtraction
 * @returns in [0, 1], relative error about 1e-12
 */
export function regularisedBeta(a: number, b: number, x: number, y = 1 - x): number {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) throw new RangeError(`regularisedBeta of ${a}, ${b}, ${x}`);
  if (x > (a + 1) / (a + b + 2)) return 1 - betaFraction(b, a, y, x);
  return betaFraction(a, b, x, y);
}

function betaFraction(a: number, b: number, x: number, y: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return (betaPower(a, b, x, y) * fraction) / a;
}

/** Quantile of Beta(a, b): x with I_x(a, b) = p; p in [0, 1]. */
export function betaQuantile(a: number, b: number, p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`betaQuantile at ${p}, must be between 0 and 1`);
  if (p === 0 || p === 1) return p;
  return risingRoot(
    x => regularisedBeta(a, b, x) - p,
    x => betaPower(a, b, x, 1 - x) / (x * (1 - x)),
    0,
    1,
    a / (a + b),
  );
}

/**
 * Regularised lower incomplete gamma function P(a, x), the distribution function of Gamma(a, 1).
 *
 * Series DLMF 8.7.1 below a + 1, continued fraction DLMF 8.9.2 above.
 * @returns `lower` = P(a, x) and `upper` = 1 - P(a, x), each with relative error about 1e-13
 */
export function regularisedGamma(a: number, x: number): { readonly lower: number; readonly upper: number } {
  if (!(a > 0 && x >= 0)) throw new RangeError(`regularisedGamma of ${a}, ${x}`);
  if (x === 0) return { lower: 0, upper: 1 };
  const power = gammaPower(a, x);
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let k = 1; term > sum * 1e-17; k++) {
      term *= x / (a + k);
      sum += term;
    }
    return { lower: power * sum, upper: 1 - power * sum };
  }
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let fraction = d;
  for (let k = 1; k < MAX_TERMS; k++) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b || TINY);
    c = b + numerator / c || TINY;
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return { lower: 1 - power * fraction, upper: power * fraction };
}

/** x^a exp(-x) / Gamma(a), in saddle-point form. */
function gammaPower(a: number, x: number): number {
  return Math.sqrt(a / (2 * Math.PI)) * Math.exp(-stirlingError(a) - deviance(a, x));
}

/**
 * Quantile of the chi-square distribution: the root in ln x, so that small quantiles keep their relative accuracy.
 *
 * @param degreesOfFreedom above 0
 * @param p lower tail, in (0, 1)
 * @param upper 1 - p, if known more exactly than by subtraction
 */
export function chiSquareQuantile(degreesOfFreedom: number, p: number, upper = 1 - p): number {
  if (!(degreesOfFreedom > 0 && p > 0 && upper > 0))
    throw new RangeError(`chiSquareQuantile of ${degreesOfFreedom} degrees of freedom at ${p}`);
  const a = degreesOfFreedom / 2;
  // ln of the smaller tail.
  const inLower = p <= upper;
  const target = Math.log(inLower ? p : upper);
  const difference = (logX: number) => {
    const tails = regularisedGamma(a, Math.exp(logX));
    return inLower ? Math.log(tails.lower) - target : target - Math.log(tails.upper);
  };
  const slope = (logX: number) => {
    const tails = regularisedGamma(a, Math.exp(logX));
    return gammaPower(a, Math.exp(logX)) / (inLower ? tails.lower : tails.upper);
  };
  // P(a, x) <= x^a / Gamma(a + 1) bounds the root from below; a gamma variable is rarely beyond a + 40 sqrt(a) + 800.
  const low = (Math.log(p) + logGamma(a + 1)) / a - 1;
  const high = Math.log(a + 40 * Math.sqrt(a) + 800);
  return 2 * Math.exp(risingRoot(difference, slope, low, high, Math.min(high, Math.max(low, Math.log(a)))));
}

/** Distribution function of the standard normal; relative error about 1e-13 in the lower tail. */
export function normalCdf(x: number): number {
  if (x === 0) return 0.5;
  const { lower, upper } = regularisedGamma(0.5, (x * x) / 2);
  return x < 0 ? upper / 2 : 0.5 + lower / 2;
}

/** Quantile of the standard normal, p in (0, 1). */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`normalQuantile at ${p}, must be above 0 and below 1`);
  return p <= 0.5 ? lowerNormalQuantile(p) : -lowerNormalQuantile(1 - p);
}

/** z with P(|Z| <= z) = level for a standard normal Z. */
export const twoSidedNormal = (level: number): number => normalQuantile((1 + level) / 2);

/** t with P(|T| <= t) = level for Student's T. @param degreesOfFreedom above 0 */
export function twoSidedStudentT(degreesOfFreedom: number, level: number): number {
  // x = nu / (nu + t^2) is Beta(nu / 2, 1 / 2), and P(|T| > t) = I_x(nu / 2, 1 / 2).
  const x = betaQuantile(degreesOfFreedom / 2, 0.5, 1 - level);
  return Math.sqrt((degreesOfFreedom * (1 - x)) / x);
}

/** Root of a rising function: Newton steps, bisection where they leave the bracket. */
function risingRoot(
  difference: (x: number) => number,
  slope: (x: number) => number,
  from: number,
  to: number,
  start: number,
): number {
  let low = from;
  let high = to;
  let x = start;
  for (let step = 0; step < MAX_ROOT_STEPS; step++) {
    const value = difference(x);
    if (value === 0) return x;
    if (value < 0) low = x;
    else high = x;
    let next = x - value / slope(x);
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - x) <= 4 * Number.EPSILON * Math.abs(next)) return next;
    x = next;
  }
  return x;
}
