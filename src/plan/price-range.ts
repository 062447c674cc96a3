/**
 * How far a plan's prices can fall: very high volatilities over long terms leave the range of floating-point numbers.
 *
 * A martingale with volatility sigma has median exp(-sigma^2 T / 2): at 1000 % a year for two years a price of 1 becomes
 * 1e-43. Where C_t and L_t both round to 0 their ratio has no meaning, so such plans are refused before they run.
 */
import {
  type GarchScenarios,
  HOURS_PER_YEAR,
  planSteps,
  type Scenarios,
  type SimulationPlan,
} from './simulation-plan.ts';

/** Standard deviations of a path that are to fit in: the generator's normals end at 6.34. */
const DEVIATIONS = 8;
/** -ln of the smallest normal double, with room for weights. */
export const DOUBLE_LOG_RANGE = 700;
const HOURS_PER_DAY = 24;

/**
 * Largest fall of ln S_i to expect over the term, max over assets: V / 2 + 8 sqrt(V), V the variance of ln S_i(T).
 *
 * @returns a positive number of natural log units; 0 for history, whose prices are what they were
 */
export function expectedLogFall(plan: SimulationPlan): number {
  return varianceOfTerm(plan.scenarios, yearsOf(plan)).reduce(
    (largest, v) => Math.max(largest, v / 2 + DEVIATIONS * Math.sqrt(v)),
    0,
  );
}

/** Years of the term; for value at risk of the longest horizon. */
export function yearsOf(plan: SimulationPlan): number {
  const { product } = plan;
  if (product.kind === 'value-at-risk') return product.horizonYears.at(-1) ?? 0;
  return planSteps(plan) / HOURS_PER_YEAR;
}

/** Variance of ln S_i over `years`, per asset; none for history. */
export function varianceOfTerm(scenarios: Scenarios, years: number): readonly number[] {
  switch (scenarios.kind) {
    case 'gbm':
      return Array.from(scenarios.annualVolatility, sigma => sigma * sigma * years);
    case 'garch': {
      const days = Math.ceil((years * HOURS_PER_YEAR) / HOURS_PER_DAY);
      const { volatilityScale } = scenarios;
      return Array.from(
        scenarios.omega,
        (_, i) => volatilityScale * volatilityScale * forecastVariance(scenarios, i, days),
      );
    }
    case 'historical':
      return [];
  }
}

/** Sum of the daily variances that GARCH forecasts for asset i. */
function forecastVariance(scenarios: GarchScenarios, i: number, days: number): number {
  const { omega, alpha, beta, firstVariance } = scenarios;
  let total = 0;
  for (let day = 0, h = firstVariance[i]; day < days; day++) {
    total += h;
    h = omega[i] + (alpha[i] + beta[i]) * h;
  }
  return total;
}
