/**
 * The work of a simulation before it runs: the unit of work limits and of admission. It is one asset-step of a loan
 * under unlimited liquidity, and other products are weighed against it; models differ by the steps that they walk.
 */
import { MODELS, type ModelKind } from './models.ts';
import type { WorkSize } from './product/contract.ts';
import type { ProductKind } from './product/kinds.ts';
import { contractOf, PRODUCTS } from './products.ts';
import { planSteps, type SimulationPlan } from './simulation-plan.ts';

export interface SimulationSize extends WorkSize {
  readonly product: ProductKind;
  readonly model: ModelKind;
  readonly paths: number;
  /** Hours, days or, for value at risk, horizons. */
  readonly steps: number;
}

/** Asset-steps of one pass, above 0: paths x steps x the contract's work of a step, and the steps that a model walks to horizons. */
export function workOf({ product, model, paths, steps, ...size }: SimulationSize): number {
  const walked = (size.days ?? 0) * MODELS[model].walkedPerDay * size.assets;
  return paths * (steps * PRODUCTS[product].stepWork(size) + walked);
}

/** paths x steps x assets: unweighed asset-steps. */
export function assetSteps(plan: SimulationPlan): number {
  return plan.paths * planSteps(plan) * plan.scenarios.assets;
}

/** Work of one pass over the paths of a plan, in asset-steps of a loan. */
export function weighedWork(plan: SimulationPlan): number {
  const { product, paths, scenarios } = plan;
  return workOf({
    product: product.kind,
    model: scenarios.kind,
    paths,
    steps: planSteps(plan),
    assets: scenarios.assets,
    ...contractOf(product).size?.(product),
  });
}
