/**
 * How much work a simulation is, before it is done: the unit of work limits and of admission.
 *
 * Takes: a plan, or the few numbers of one. Gives: asset-steps of a loan under unlimited liquidity, which other
 * products are weighed against. Must not know: engines, seconds.
 */
import { type Product, planSteps, type SimulationPlan } from './simulation-plan.ts';

/** Time of an asset-step by product, that of a loan being 1. */
const WEIGHT: Readonly<Record<Product['kind'], number>> = {
  loan: 1,
  origination: 1,
  'capped-loan': 1.5,
  'value-at-risk': 1,
  // The logarithm of the price, funding, drawdown, and the median of the leverage over the steps.
  perpetual: 2,
};
/** Value at risk orders this many distributions per horizon. */
const DISTRIBUTIONS = 3;
/** So many quantiles cost as much as ordering a distribution once. */
const QUANTILES_PER_ORDER = 16;

/** What the work of a simulation depends on. */
export interface WorkSize {
  readonly kind: Product['kind'];
  readonly paths: number;
  /** Hours, days or, for value at risk, horizons. */
  readonly steps: number;
  readonly assets: number;
  /** Number of quantiles; value at risk only. */
  readonly quantiles?: number;
}

/**
 * Work of one pass: weight x paths x steps x assets; value at risk adds 3 x paths x horizons x (1 + quantiles / 16) for
 * the order statistics.
 *
 * @returns asset-steps, above 0
 */
export function workOf({ kind, paths, steps, assets, quantiles = 0 }: WorkSize): number {
  const tails = kind === 'value-at-risk' ? DISTRIBUTIONS * (1 + quantiles / QUANTILES_PER_ORDER) : 0;
  return paths * steps * (WEIGHT[kind] * assets + tails);
}

/** Work of one pass over the paths of `plan`, in asset-steps. */
export function weighedWork(plan: SimulationPlan): number {
  const { product, paths, scenarios } = plan;
  const quantiles = product.kind === 'value-at-risk' ? product.quantiles.length : 0;
  return workOf({ kind: product.kind, paths, steps: planSteps(plan), assets: scenarios.assets, quantiles });
}
