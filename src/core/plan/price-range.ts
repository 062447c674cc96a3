/**
 * The largest fall of a plan's prices: very high volatilities over long terms leave the range of floating-point
 * numbers.
 *
 * A martingale with volatility sigma has median exp(-sigma^2 T / 2): at 1000 % a year for two years a price of 1
 * becomes 1e-43. Where C_t and L_t both round to 0 their ratio has no meaning, so such plans are refused.
 */
import { drawnPrices } from './models.ts';
import { contractOf } from './products.ts';
import type { SimulationPlan } from './simulation-plan.ts';

/** Standard deviations of a path within the range: the generator's normals end at 6.77. */
const DEVIATIONS = 8;
/** -ln of the smallest normal double, with room for weights. */
export const DOUBLE_LOG_RANGE = 700;

/**
 * Largest expected fall of ln S_i of any asset over the term: V / 2 + 8 sqrt(V), V its variance; 0 for given prices.
 */
export function expectedLogFall({ scenarios, product }: SimulationPlan): number {
  const variances =
    drawnPrices(scenarios)?.varianceOfTerm(scenarios, contractOf(product).years(product)) ?? [];
  return variances.reduce((largest, v) => Math.max(largest, v / 2 + DEVIATIONS * Math.sqrt(v)), 0);
}
