/**
 * The tests of expected shortfall by regression: strict, and intercept.
 *
 * Source: S. Bayer, T. Dimitriadis, "Regression-based expected shortfall backtesting", Journal of Financial Econometrics 20 (2022),
 * 437-471, as a working paper of 2020.
 */
import { normalCdf } from '../special-functions.ts';
import { type JudgedTails, requireTails } from './judged.ts';
import { regressShortfall, shortfallCovariance } from './regression.ts';

/** Fewest expected exceedances: with fewer the tests do not have their large-sample laws. */
const MIN_EXPECTED = 10;

/** Test that the line of shortfalls, regressed on the forecast e, is 0 + 1 e. */
export interface StrictTest {
  readonly intercept: number;
  readonly slope: number;
  /** Wald's, chi-square with two degrees of freedom. */
  readonly statistic: number;
  readonly pValue: number;
}

/** Test that the shortfall is the forecast plus a constant of 0. */
export interface InterceptTest {
  /** The constant. Below 0 risk is understated. */
  readonly intercept: number;
  /** The constant over its standard error, standard normal. */
  readonly t: number;
  /** Against a constant other than 0. */
  readonly pValue: number;
  /** Against a constant below 0. */
  readonly oneSidedPValue: number;
}

export interface EsrTests {
  readonly strict: StrictTest | undefined;
  readonly intercept: InterceptTest | undefined;
}

/** Both tests; undefined where fewer than ten exceedances are expected, or the regression is not determined. */
export function esrTests(judged: JudgedTails): EsrTests {
  requireTails(judged);
  if (judged.probability * judged.returns.length < MIN_EXPECTED)
    return { strict: undefined, intercept: undefined };
  return { strict: strictTest(judged), intercept: interceptTest(judged) };
}

function strictTest(judged: JudgedTails): StrictTest | undefined {
  const covariance = shortfallCovariance(judged, true);
  const regression = regressShortfall(judged.returns, judged.shortfalls, judged.probability, true);
  if (covariance === undefined || regression === undefined) return undefined;
  const { intercept, slope } = regression.shortfall;
  const [a, b] = [intercept, slope - 1];
  const [aa, ab, bb] = covariance;
  const statistic = (bb * a * a - 2 * ab * a * b + aa * b * b) / (aa * bb - ab * ab);
  return { intercept, slope, statistic, pValue: Math.exp(-statistic / 2) };
}

function interceptTest(judged: JudgedTails): InterceptTest | undefined {
  const covariance = shortfallCovariance(judged, false);
  const regression = regressShortfall(judged.returns, judged.shortfalls, judged.probability, false);
  if (covariance === undefined || regression === undefined) return undefined;
  const { intercept } = regression.shortfall;
  const t = intercept / Math.sqrt(covariance[0]);
  return { intercept, t, pValue: 2 * normalCdf(-Math.abs(t)), oneSidedPValue: normalCdf(t) };
}
