/** A plan as JSON and back, exact for doubles; every fault of a decoded plan is reported with its path. */
import { RiskError } from '../errors.ts';
import { DISTRIBUTION_FIELDS } from './distribution.ts';
import { Faults, object, ofKind, oneOf, optional, whole, word, write } from './fields.ts';
import { MODELS, modelOf, type Scenarios } from './models.ts';
import { contractOf, PRODUCTS, type Product } from './products.ts';
import { planSteps, type SimulationPlan } from './simulation-plan.ts';

const MAX_PATHS = 100_000_000;

/** Version of the form; other versions are refused. */
export const PLAN_FORM = 1;

const PLAN = object({
  form: oneOf(PLAN_FORM),
  seed: word,
  paths: whole(1, MAX_PATHS),
  scenarios: ofKind<Scenarios>(MODELS),
  product: ofKind<Product>(PRODUCTS),
  distribution: optional(object(DISTRIBUTION_FIELDS)),
});

/**
 * A plan as a value that JSON.stringify writes without loss.
 *
 * @throws RangeError for a number that is not finite
 */
export function encodePlan(plan: SimulationPlan): Readonly<Record<string, unknown>> {
  return write(PLAN, { form: PLAN_FORM, ...plan }) as Readonly<Record<string, unknown>>;
}

/** The plan of a JSON value. @throws RiskError `invalid-request` with every fault, up to 20, at `plan.<member>` */
export function decodePlan(json: unknown): SimulationPlan {
  const faults = new Faults();
  const read = PLAN.read(json, 'plan', faults);
  if (read === undefined || faults.list.length > 0) throw noPlan(faults);
  const { form: _, ...plan } = read;
  checkPlan(plan, faults);
  if (faults.list.length > 0) throw noPlan(faults);
  return plan;
}

const noPlan = ({ list }: Faults) =>
  new RiskError('invalid-request', 'This is no simulation plan.', { faults: list });

/** Checks the members of a plan against each other. */
function checkPlan(plan: SimulationPlan, faults: Faults): void {
  const { scenarios, product, paths } = plan;
  const model = modelOf(scenarios);
  const contract = contractOf(product);
  const steps = planSteps(plan);
  const { loans = 1 } = contract.size?.(product) ?? {};
  PLAN.check?.(
    { form: PLAN_FORM, ...plan },
    'plan',
    { assets: scenarios.assets, paths, steps, loans },
    faults,
  );
  if (plan.distribution !== undefined && contract.distribution === undefined)
    faults.add('plan.distribution', `absent for the product ${product.kind}`, plan.distribution);
  if (plan.distribution !== undefined && model.weighs)
    faults.add(
      'plan.distribution',
      `absent with ${scenarios.kind}, whose paths have weights`,
      plan.distribution,
    );
  if (model.products?.includes(product.kind) === false)
    faults.add('plan.product.kind', `${model.products.join(' or ')} with ${scenarios.kind}`, product.kind);
  model.check?.(scenarios, { paths, steps: contract.windowSteps?.(product) ?? steps }, faults);
  contract.check?.(product, scenarios, faults);
}
