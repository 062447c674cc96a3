/**
 * Compiles the kernels of most requests before the first request, each by a run of one path. A driver needs a fraction of a second for a
 * kernel, and each number of assets has other kernels: only the usual ones are compiled.
 */
import type { Engine } from '../engine.ts';
import { MODELS, type Scenarios } from '../plan/models.ts';
import type { ProductContract } from '../plan/product/contract.ts';
import { PRODUCT_KINDS } from '../plan/product/kinds.ts';
import { type Outcome, PRODUCTS, type Product } from '../plan/products.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';

/** Runs every usual kernel once, kernels of few assets first. */
export async function warmUp(engine: Pick<Engine, 'run'>): Promise<void> {
  for (const plan of usualPlans()) {
    try {
      await engine.run(plan);
    } catch {
      // Ignored: a request that needs this kernel reports the error.
    }
  }
}

/** One plan for each kernel, on one path of one day: the usual terms of every product on its usual models. */
export function usualPlans(): SimulationPlan[] {
  const contracts = PRODUCT_KINDS.map(kind => PRODUCTS[kind] as unknown as ProductContract<Product, Outcome>);
  const most = Math.max(...contracts.map(({ usual }) => usual.assets.most));
  return Array.from({ length: most }, (_, i) => i + 1).flatMap(assets =>
    contracts
      .filter(({ usual }) => usual.assets.least <= assets && assets <= usual.assets.most)
      .flatMap(({ usual }) =>
        usual.models.flatMap(model =>
          usual.terms(assets).map(product => {
            const scenarios: Scenarios = MODELS[model].usual(assets);
            return { seed: 0, paths: 1, scenarios, product };
          }),
        ),
      ),
  );
}
