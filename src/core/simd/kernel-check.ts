/**
 * Compares two instances of the kernel, of any width, bit by bit: a few packets of every product under every model. A service does it at its
 * start: the plans are short.
 */
import type { BootstrapScenarios } from '../plan/model/bootstrap.ts';
import { MODEL_KINDS, MODELS, type Scenarios } from '../plan/models.ts';
import type { ProductContract } from '../plan/product/contract.ts';
import { PRODUCT_KINDS } from '../plan/product/kinds.ts';
import { contractOf, type Outcome, PRODUCTS, type Product } from '../plan/products.ts';
import { RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import type { Kernel } from './kernel.ts';
import { hasSimdKernel, runSimdRange } from './products.ts';

/** Paths of a check: a packet of 16 lanes and a part of one, from the middle of a packet of 4 lanes on. */
const RANGE = { first: 6, count: 23 } as const;
const SEED = 20_180_131;
/** Assets of a basket against another asset; an odd number leaves half a pair of normals unused. */
const BASKET = 3;
/** Steps beyond two blocks of the streams, not whole draw groups. */
const LONG_STEPS = 99;

/** The first plan with different records or sums, in words; undefined if there is none. */
export function firstDifference(one: Kernel, other: Kernel): string | undefined {
  const plan = checkPlans().find(each => !isSame(figuresOf(one, each), figuresOf(other, each)));
  return plan && `${plan.product.kind} under ${plan.scenarios.kind}, ${plan.scenarios.assets} assets`;
}

/** The fewest usual assets of every product under every model of the kernel, and baskets. */
function checkPlans(): SimulationPlan[] {
  return PRODUCT_KINDS.flatMap(kind => {
    const { usual } = PRODUCTS[kind] as unknown as ProductContract<Product, Outcome>;
    // Paths depend on the model, not on the product: baskets of several assets for loans only.
    const sizes = kind === 'loan' ? [usual.assets.least, BASKET] : [usual.assets.least];
    return MODEL_KINDS.filter(model => hasSimdKernel(kind, model)).flatMap(model =>
      sizes.flatMap(assets =>
        usual
          .terms(assets)
          .flatMap(product =>
            variantsOf(MODELS[model].usual(assets)).map(scenarios => planOf(scenarios, product)),
          ),
      ),
    );
  });
}

function planOf(scenarios: Scenarios, product: Product): SimulationPlan {
  const plan = { seed: SEED, paths: RANGE.first + RANGE.count, scenarios };
  if (product.kind !== 'loan') return { ...plan, product };
  return { ...plan, product: { ...product, steps: LONG_STEPS }, distribution: { daySteps: 24 } };
}

/** Rows of a bootstrap are days, or hours. */
function variantsOf(scenarios: Scenarios): readonly Scenarios[] {
  if (scenarios.kind !== 'bootstrap') return [scenarios];
  const hourly: BootstrapScenarios = { ...scenarios, stepsPerRow: 1 };
  return [scenarios, hourly];
}

function figuresOf(kernel: Kernel, plan: SimulationPlan): readonly unknown[] {
  const records = new RecordSink(contractOf(plan.product).recordFields(plan.product).length, RANGE);
  const outcome = runSimdRange(kernel, plan, RANGE, records);
  return [...records.columns, ...Object.values(outcome ?? {})];
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((value, i) => isEqual(value, others[i]));
}

function isEqual(a: unknown, b: unknown): boolean {
  if (!(a instanceof Float64Array && b instanceof Float64Array)) return Object.is(a, b);
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
