/**
 * A plan as JSON and back, exact for doubles, so that any engine runs it to the same figures.
 *
 * Takes: a plan, or a JSON value of unknown origin. Gives: a JSON value, or a plan on which engines can rely: members,
 * bounds and lengths are checked, and every fault is reported with its path. Must not know: engines, requests.
 */
import { type Fault, RiskError } from '../errors.ts';
import { checkPlan } from './check-plan.ts';
import { MODEL_ROWS, PRODUCT_ROWS, type Row } from './codec-rows.ts';
import type { DistributionOption } from './distribution.ts';
import { Faults, type JsonField, object, oneOf, optional, whole } from './json-fields.ts';
import { MODEL_KINDS, type Scenarios } from './models.ts';
import { contractOf, PRODUCT_KINDS, type Product } from './products.ts';
import type { SimulationPlan } from './simulation-plan.ts';

const MAX_PATHS = 100_000_000;

/** The members of a plan beside its product and its scenarios. */
const PLAN_FIELDS = { seed: whole(0, 2 ** 32 - 1), paths: whole(1, MAX_PATHS) };

/** Asks for the distribution of the paths. */
const distribution = optional(object<DistributionOption>({ daySteps: oneOf(1, 24) }));

/** Version of the form; another is refused. */
const FORM = 1;

/** A plan as a value that JSON.stringify writes without loss. */
export function encodePlan(plan: SimulationPlan): Readonly<Record<string, unknown>> {
  const { product, scenarios } = plan;
  return {
    form: FORM,
    seed: plan.seed,
    paths: plan.paths,
    scenarios: { kind: scenarios.kind, ...written(MODEL_ROWS[scenarios.kind], scenarios) },
    product: { kind: product.kind, ...written(PRODUCT_ROWS[product.kind], product) },
    ...(plan.distribution === undefined ? {} : { distribution: distribution.write(plan.distribution) }),
  };
}

function written(row: unknown, value: Product | Scenarios): object {
  const { fields } = row as Row<object>;
  return object(fields).write(value) as object;
}

/**
 * The plan that a JSON value is.
 * @throws RiskError `invalid-request` with every fault, up to 20, at `plan.<member>`
 */
export function decodePlan(json: unknown): SimulationPlan {
  const faults = new Faults();
  const known = (kinds: readonly string[]): JsonField<unknown> => ({
    read(value, path) {
      const kind = (value as { readonly kind?: unknown } | undefined)?.kind;
      if (typeof kind !== 'string' || !kinds.includes(kind))
        faults.add(`${path}.kind`, `one of ${kinds.join(', ')}`, kind);
      return value;
    },
    write: value => value,
  });
  const outer = object<{
    form: number;
    seed: number;
    paths: number;
    scenarios: unknown;
    product: unknown;
    distribution: DistributionOption | undefined;
  }>({
    form: oneOf(FORM),
    ...PLAN_FIELDS,
    scenarios: known(MODEL_KINDS),
    product: known(PRODUCT_KINDS),
    distribution,
  }).read(json, 'plan', faults);
  refuse(faults.list);
  const scenarios = readKind<Scenarios>(MODEL_ROWS, outer.scenarios, 'plan.scenarios', faults);
  const product = readKind<Product>(PRODUCT_ROWS, outer.product, 'plan.product', faults);
  refuse(faults.list);
  if (outer.distribution !== undefined && contractOf(product).distribution === undefined)
    faults.add('plan.distribution', `absent for the product ${product.kind}`, outer.distribution);
  const plan = {
    seed: outer.seed,
    paths: outer.paths,
    scenarios,
    product,
    ...(outer.distribution === undefined ? {} : { distribution: outer.distribution }),
  };
  checkPlan(plan, faults);
  refuse(faults.list);
  return plan;
}

/** Reads an object whose `kind` is known to have a row. */
function readKind<T extends Product | Scenarios>(
  rows: object,
  json: unknown,
  path: string,
  faults: Faults,
): T {
  const { kind, ...members } = json as { readonly kind: T['kind'] };
  const { fields } = (rows as Record<string, Row<object>>)[kind];
  return { kind, ...object(fields).read(members, path, faults) } as T;
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new RiskError('invalid-request', 'This is no simulation plan.', { faults });
}
