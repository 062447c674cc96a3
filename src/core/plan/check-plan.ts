/**
 * What the members of a decoded plan have to do with each other: lengths of lists, bounds that follow from other members.
 *
 * Takes: a plan of good members. Gives: faults with their paths. Must not know: JSON.
 */
import { type BookLending, LOAN_START } from './book-lending.ts';
import { MAX_STEPS, MODEL_ROWS, PRODUCT_ROWS, type Row } from './codec-rows.ts';
import type { Faults } from './json-fields.ts';
import { SCRAMBLES, sobolPaths } from './model/gbm-sobol.ts';
import type { Scenarios } from './models.ts';
import type { BookProduct } from './product/book.ts';
import type { Product } from './products.ts';
import { planSteps, type SimulationPlan } from './simulation-plan.ts';

const MAX_HORIZONS = 64;

export function checkPlan(plan: SimulationPlan, faults: Faults): void {
  const { scenarios, product, paths } = plan;
  const size = { assets: scenarios.assets, paths };
  const check = (path: string, wanted: number, { length }: { readonly length: number }) => {
    if (length !== wanted) faults.add(path, `a list of ${wanted}`, { length }.length);
  };
  const checkRow = (path: string, rows: object, value: Product | Scenarios) => {
    const { lengths } = (rows as Record<string, Row<object>>)[value.kind];
    for (const [member, wanted] of Object.entries(lengths(value, size)))
      check(`${path}.${member}`, wanted as number, value[member as keyof typeof value] as never);
  };
  checkRow('plan.scenarios', MODEL_ROWS, scenarios);
  checkRow('plan.product', PRODUCT_ROWS, product);
  if ('portfolio' in product) {
    check('plan.product.portfolio.collateralWeights', size.assets, product.portfolio.collateralWeights);
    check('plan.product.portfolio.loanWeights', size.assets, product.portfolio.loanWeights);
    for (const side of ['collateralWeights', 'loanWeights'] as const)
      if (!product.portfolio[side].some(weight => weight > 0))
        faults.add(`plan.product.portfolio.${side}`, 'weights of which one at least is above 0', 'none');
  }
  if (product.kind === 'book') checkBook(product, size.assets, faults);
  if (product.kind === 'value-at-risk') {
    const [member, horizons] =
      scenarios.kind === 'historical'
        ? (['horizonSteps', product.horizonSteps] as const)
        : (['horizonYears', product.horizonYears] as const);
    if (horizons.length < 1 || horizons.length > MAX_HORIZONS || !rises(horizons))
      faults.add(`plan.product.${member}`, `1 to ${MAX_HORIZONS} rising horizons`, [...horizons]);
    if (product.quantiles.length < 1 || product.quantiles.length > MAX_HORIZONS || !rises(product.quantiles))
      faults.add('plan.product.quantiles', `1 to ${MAX_HORIZONS} rising quantiles`, [...product.quantiles]);
  }
  if (scenarios.kind === 'gbm-sobol') {
    if (product.kind !== 'value-at-risk')
      faults.add('plan.product.kind', 'value-at-risk with gbm-sobol', product.kind);
    if (paths !== sobolPaths(paths)) faults.add('plan.paths', `${SCRAMBLES} times a power of two`, paths);
  }
  if (scenarios.kind === 'gbm-shifted') {
    if (plan.distribution !== undefined)
      faults.add('plan.distribution', 'absent with gbm-shifted, whose paths have weights', plan.distribution);
    if (product.kind !== 'loan' && product.kind !== 'book')
      faults.add('plan.product.kind', 'loan or book with gbm-shifted', product.kind);
    if (scenarios.distance !== 0 && scenarios.steps !== planSteps(plan))
      faults.add('plan.scenarios.steps', `the ${planSteps(plan)} steps of the product`, scenarios.steps);
  }
  if (scenarios.kind === 'historical') {
    for (const [i, prices] of scenarios.prices.entries())
      check(`plan.scenarios.prices.${i}`, scenarios.lead + paths, prices);
    const longest = product.kind === 'value-at-risk' ? Math.max(...product.horizonSteps) : planSteps(plan);
    if (longest > scenarios.lead)
      faults.add('plan.scenarios.lead', `at least the ${longest} steps of the product`, scenarios.lead);
  }
}

function checkBook(product: BookProduct, assets: number, faults: Faults): void {
  const { basket, termSteps, steps, saleDelaySteps, collateralWeights, loanWeights } = product;
  const baskets = collateralWeights.length / assets;
  const outside = basket.find(each => each >= baskets);
  if (outside !== undefined) faults.add('plan.product.basket', `numbers below ${baskets}`, outside);
  checkLending(product, faults);
  const term = termSteps.find(each => each < 1 || each + saleDelaySteps > steps);
  if (term !== undefined)
    faults.add('plan.product.termSteps', `from 1 to ${steps - saleDelaySteps}, so that sales fit in`, term);
  for (const [side, weights] of Object.entries({ collateralWeights, loanWeights })) {
    const rows = Array.from({ length: baskets }, (_, b) => weights.subarray(b * assets, (b + 1) * assets));
    if (!rows.every(row => row.some(weight => weight > 0)))
      faults.add(`plan.product.${side}`, 'weights of which one at least is above 0 in every basket', 'none');
  }
}

function checkLending({ lending, loanValue }: BookProduct, faults: Faults): void {
  if (lending === undefined) return;
  for (const [member, values] of Object.entries(lending) as [string, Float64Array | Uint32Array][])
    if (values.length !== loanValue.length)
      faults.add(`plan.product.lending.${member}`, `a list of ${loanValue.length}`, [...values]);
  const words: readonly [keyof BookLending, number, number][] = [
    ['start', LOAN_START.none, LOAN_START.liquidated],
    ['startDeadline', 1, MAX_STEPS],
    ['startAnswer', 0, MAX_STEPS],
    ['answerDelay', 1, MAX_STEPS],
    ['oneDraw', 0, 1],
  ];
  for (const [member, least, most] of words) {
    const outside = lending[member].find(value => value < least || value > most);
    if (outside !== undefined)
      faults.add(`plan.product.lending.${member}`, `whole numbers from ${least} to ${most}`, outside);
  }
  const k = lending.saleRatio.findIndex((ratio, i) => ratio > 0 && !(ratio * (1 - lending.saleCost[i]) > 1));
  if (k >= 0)
    faults.add(
      'plan.product.lending.saleRatio',
      'ratios above 1 after the cost of a sale',
      lending.saleRatio[k],
    );
}

const rises = (values: ArrayLike<number>) =>
  Array.from(values).every((value, i) => i === 0 || value > values[i - 1]);
