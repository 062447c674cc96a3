/** Lower tail of the difference of two correlated lognormal values, by numerical integration. */
import type { ClosedFormTail } from './lognormal-tail.ts';
import { normalCdf, normalDensity } from './normal.ts';
import { compositeRule, type Rule } from './quadrature.ts';

/** Collateral and loan, each one asset: C = collateralValue exp(-b^2/2 + b X), L likewise, corr(X, Y) = rho. */
export interface NetExposure {
  readonly collateralValue: number;
  readonly loanValue: number;
  /** Annual, > 0. */
  readonly collateralVolatility: number;
  /** Annual, > 0. */
  readonly loanVolatility: number;
  /** Inside (-1, 1). */
  readonly correlation: number;
  readonly years: number;
}

/** Normals beyond this are less likely than 1e-32. */
const REACH = 12;

/**
 * Tail of D = C - L at confidence q: VaR is the (1 - q)-quantile, CVaR the mean of D at or below it.
 *
 * Given the loan's normal Y = y, C is lognormal with X = rho y + sqrt(1 - rho^2) Z, so
 * P(D <= d) = integral of phi(y) P(C <= d + L(y) | y), and E[(d - D)+] = integral of phi(y) times the put on C
 * struck at d + L(y). The quantile is bisected; CVaR = d - E[(d - D)+] / (1 - q).
 * Accuracy about 1e-10 of the larger value for |rho| up to 0.99.
 */
export function netExposureTail(exposure: NetExposure, q: number): ClosedFormTail {
  const p = 1 - q;
  const excess = (level: number) => probabilityBelow(exposure, level) - p;
  let low = -exposure.loanValue;
  while (excess(low) > 0) low *= 2;
  let high = exposure.collateralValue;
  while (excess(high) < 0) high *= 2;
  const quantile = rootBetween(excess, low, high);
  return { quantile, tailMean: quantile - shortfallBelow(exposure, quantile) / p };
}

/** The root of an increasing function, by the Illinois method: of an end that stays, half the value counts from then on. */
function rootBetween(f: (x: number) => number, from: number, to: number): number {
  let [low, high, below, above] = [from, to, f(from), f(to)];
  let last = 0;
  let x = low;
  for (let round = 0; round < 100; round++) {
    const before = x;
    x = (low * above - high * below) / (above - below);
    const value = f(x);
    if (value === 0 || Math.abs(x - before) <= 1e-14 * (Math.abs(low) + Math.abs(high))) break;
    if (value < 0) {
      [low, below] = [x, value];
      if (last < 0) above /= 2;
    } else {
      [high, above] = [x, value];
      if (last > 0) below /= 2;
    }
    last = value;
  }
  return x;
}

/** P(D <= level). */
const probabilityBelow = (exposure: NetExposure, level: number): number =>
  overLoans(exposure, level, (strike, meanLog, own) => normalCdf((Math.log(strike) - meanLog) / own));

/** E[(level - D)+]. */
const shortfallBelow = (exposure: NetExposure, level: number): number =>
  overLoans(exposure, level, (strike, meanLog, own) => {
    const d = (Math.log(strike) - meanLog) / own;
    return strike * normalCdf(d) - Math.exp(meanLog + (own * own) / 2) * normalCdf(d - own);
  });

/**
 * Integral over the loan's normal, where it leaves a collateral that puts D below the level.
 *
 * @param given expected value given the loan: of the largest such collateral, the mean of its logarithm, and its deviation
 */
function overLoans(
  exposure: NetExposure,
  level: number,
  given: (strike: number, meanLog: number, own: number) => number,
): number {
  const { collateralValue, loanValue, correlation: rho, years } = exposure;
  const b = exposure.collateralVolatility * Math.sqrt(years);
  const l = exposure.loanVolatility * Math.sqrt(years);
  const own = b * Math.sqrt(1 - rho * rho);
  // Below this y the loan is worth less than -level and the collateral cannot be small enough.
  const start = level < 0 ? (Math.log(-level / loanValue) + (l * l) / 2) / l : -REACH;
  const rule = ruleFrom(Math.min(REACH, Math.max(-REACH, start)));
  let sum = 0;
  for (let i = 0; i < rule.nodes.length; i++) {
    const y = rule.nodes[i];
    const strike = level + loanValue * Math.exp((-l * l) / 2 + l * y);
    if (strike <= 0) continue;
    const meanLog = Math.log(collateralValue) - (b * b) / 2 + b * rho * y;
    sum += rule.weights[i] * normalDensity(y) * given(strike, meanLog, own);
  }
  return sum;
}

function ruleFrom(start: number): Rule {
  return compositeRule(start, REACH, 400, 8);
}
