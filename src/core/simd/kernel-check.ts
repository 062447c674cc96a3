/**
 * Whether two kernels make the same paths: a few packets of every product under every model.
 *
 * Takes: two instances of the kernel, of any width. Gives: the first plan whose records or sums differ in a bit. It is done at the start of a
 * service, so plans are short.
 */
import type { BootstrapScenarios } from '../plan/model/bootstrap.ts';
import { MODEL_KINDS, MODELS, type Scenarios } from '../plan/models.ts';
import type { ProductContract } from '../plan/product/contract.ts';
import { contractOf, type Outcome, PRODUCT_KINDS, PRODUCTS, type Product } from '../plan/products.ts';
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

/** What the first plan is on which two kernels differ; undefined where they agree. */
export function firstDifference(one: Kernel, other: Kernel): string | undefined {
  const plan = checkPlans().find(each => !isSame(figuresOf(one, each), figuresOf(other, each)));
  return plan && `${plan.product.kind} under ${plan.scenarios.kind}, ${plan.scenarios.assets} assets`;
}

/** The fewest usual assets of every product under every model of the kernel, and what these leave out. */
function checkPlans(): SimulationPlan[] {
  return PRODUCT_KINDS.flatMap(kind => {
    const { usual } = PRODUCTS[kind] as unknown as ProductContract<Product, Outcome>;
    // The models make the paths of all products in the same way: loans alone have baskets of several assets, too.
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
