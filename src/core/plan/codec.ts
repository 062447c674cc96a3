/**
 * A plan as JSON and back, exact for doubles, so that any engine runs it to the same figures.
 *
 * Takes: a plan, or a JSON value of unknown origin. Gives: a JSON value, or a plan on which engines can rely: members,
 * bounds and lengths are checked, and every fault is reported with its path. Must not know: engines, requests.
 */
import { type Fault, RiskError } from '../errors.ts';
import { CUMULANT_COEFFICIENTS, CUMULANT_ROWS } from '../random/cumulant-table.ts';
import { MULTIPLIER_COEFFICIENTS, MULTIPLIER_ROWS } from '../random/multiplier-table.ts';
import { type BookLending, LOAN_START } from './book-lending.ts';
import type { DistributionOption } from './distribution.ts';
import {
  doubles,
  Faults,
  type FieldsOf,
  flag,
  type JsonField,
  list,
  number,
  object,
  oneOf,
  optional,
  whole,
  words,
} from './json-fields.ts';
import type { AnswerTerms, LoanStart } from './loan-terms.ts';
import { SCRAMBLES, sobolPaths } from './model/gbm-sobol.ts';
import { MODEL_KINDS, type ModelKind, type ModelTypes, type Scenarios } from './models.ts';
import { MAX_ASSETS, type Portfolio } from './portfolio.ts';
import type { BookProduct } from './product/book.ts';
import { contractOf, PRODUCT_KINDS, type Product, type ProductKind, type ProductOf } from './products.ts';
import { planSteps, type SimulationPlan } from './simulation-plan.ts';

/** Ten years of hours. */
const MOST_STEPS = 87_600;
const MOST_PATHS = 100_000_000;
const MOST_HORIZONS = 64;

const assets = whole(1, MAX_ASSETS);
const steps = whole(1, MOST_STEPS);
const positive = number({ above: 0 });
const notNegative = number({ least: 0 });

const portfolio = object<Portfolio>({
  collateralWeights: doubles({ least: 0 }),
  loanWeights: doubles({ least: 0 }),
});

const loanTerms = {
  nominalRatio: positive,
  marginCallRatio: positive,
  liquidationRatio: positive,
  recoveryRatio: positive,
  // A deadline beyond the term is none.
  topUpSteps: whole(0, MOST_STEPS),
  debtGrowth: optional(positive),
  start: optional(
    object<LoanStart>({
      status: oneOf('open', 'called', 'liquidated'),
      deadlineStep: whole(1, MOST_STEPS),
    }),
  ),
  answers: optional(
    object<AnswerTerms>({
      share: number({ least: 0, most: 1 }),
      delaySteps: whole(1, MOST_STEPS),
      startStep: whole(0, MOST_STEPS),
      toRatio: positive,
      nameHigh: whole(0, 2 ** 32 - 1),
      nameLow: whole(0, 2 ** 32 - 1),
    }),
  ),
};

/** Lists of one entry per loan. */
const bookLendingFields: FieldsOf<BookLending> = {
  debtGrowth: doubles({ above: 0 }),
  saleCost: doubles({ least: 0, most: 1 }),
  start: words,
  startDeadline: words,
  startAnswer: words,
  answerShare: doubles({ least: 0, most: 1 }),
  answerDelay: words,
  answerRatio: doubles({ least: 0 }),
  nameHigh: words,
  nameLow: words,
  oneDraw: words,
  saleRatio: doubles({ least: 0 }),
  saleShare: doubles({ above: 0, most: 1 }),
};
const bookLending = object<BookLending>(bookLendingFields);

/** Lengths that lists must have, by member. */
type Lengths<T> = Partial<Record<keyof T, number>>;

/** How the terms of a product, or the parameters of a model, look as JSON, and how long their lists are. */
interface Row<T> {
  readonly fields: FieldsOf<Omit<T, 'kind'>>;
  lengths(value: T, plan: { readonly assets: number; readonly paths: number }): Lengths<T>;
}

const PRODUCT_ROWS: { readonly [K in ProductKind]: Row<ProductOf<K>> } = {
  loan: { fields: { ...loanTerms, portfolio, steps }, lengths: () => ({}) },
  origination: {
    fields: {
      portfolio,
      steps,
      topUpSteps: whole(0, MOST_STEPS),
      debtGrowth: optional(positive),
      score: oneOf('path-minimum', 'liquidation', 'closeout'),
      liquidationThreshold: doubles({ above: 0 }),
      marginCallThreshold: doubles({ above: 0 }),
    },
    lengths: ({ score, liquidationThreshold }) => ({
      marginCallThreshold: score === 'path-minimum' ? 0 : liquidationThreshold.length,
    }),
  },
  'capped-loan': {
    fields: { ...loanTerms, portfolio, steps, capacityPerStep: notNegative },
    lengths: () => ({}),
  },
  'value-at-risk': {
    fields: {
      portfolio,
      collateralValue: positive,
      loanValue: positive,
      horizonYears: doubles({ above: 0 }),
      horizonSteps: words,
      quantiles: doubles({ above: 0, most: 1 }),
      intervalLevel: optional(number({ above: 0, most: 1 - Number.EPSILON })),
    },
    lengths: () => ({}),
  },
  perpetual: {
    fields: {
      contract: oneOf('linear', 'inverse'),
      quantity: number(),
      entryPrice: positive,
      startPrice: positive,
      initialMargin: positive,
      unrealizedPnl: number(),
      equityBefore: optional(positive),
      fundingRatePerInterval: number({ above: -1, most: 1 }),
      settlements: words,
      debitsOnly: flag,
      maintenanceMarginRate: positive,
      takerFeeRate: number({ least: 0 }),
      marginCallMultiple: positive,
      steps,
    },
    lengths: ({ steps }) => ({ settlements: steps }),
  },
  book: {
    fields: {
      steps,
      saleDelaySteps: whole(0, MOST_STEPS),
      saleCost: number({ least: 0, most: 1 }),
      daySteps: steps,
      quantiles: doubles({ above: 0, most: 1 }),
      collateralWeights: doubles({ least: 0 }),
      loanWeights: doubles({ least: 0 }),
      basket: words,
      termSteps: words,
      topUpSteps: words,
      loanValue: doubles({ above: 0 }),
      nominalRatio: doubles({ above: 0 }),
      marginCallRatio: doubles({ above: 0 }),
      liquidationRatio: doubles({ above: 0 }),
      recoveryRatio: doubles({ above: 0 }),
      lending: optional(bookLending),
    },
    lengths({ loanValue, collateralWeights }, { assets }) {
      const baskets = Math.max(1, Math.floor(collateralWeights.length / assets));
      const loans = Math.max(1, loanValue.length);
      return {
        collateralWeights: baskets * assets,
        loanWeights: baskets * assets,
        basket: loans,
        termSteps: loans,
        topUpSteps: loans,
        loanValue: loans,
        nominalRatio: loans,
        marginCallRatio: loans,
        liquidationRatio: loans,
        recoveryRatio: loans,
      };
    },
  },
};

const MODEL_ROWS: { readonly [M in ModelKind]: Row<ModelTypes[M]> } = {
  gbm: {
    fields: { assets, annualVolatility: doubles({ least: 0 }), factor: doubles() },
    lengths: ({ assets }) => ({ annualVolatility: assets, factor: assets * assets }),
  },
  'gbm-sobol': {
    fields: { assets, annualVolatility: doubles({ least: 0 }), components: doubles() },
    lengths: ({ assets }) => ({ annualVolatility: assets, components: assets * assets }),
  },
  'gbm-shifted': {
    fields: {
      assets,
      annualVolatility: doubles({ least: 0 }),
      factor: doubles(),
      exposures: doubles(),
      steps,
      distance: number(),
    },
    lengths: ({ assets }) => ({ annualVolatility: assets, factor: assets * assets, exposures: assets }),
  },
  garch: {
    fields: {
      assets,
      omega: doubles({ least: 0 }),
      alpha: doubles({ least: 0 }),
      beta: doubles({ least: 0 }),
      firstVariance: doubles({ least: 0 }),
      factor: doubles(),
      volatilityScale: positive,
    },
    lengths: ({ assets }) => ({
      omega: assets,
      alpha: assets,
      beta: assets,
      firstVariance: assets,
      factor: assets * assets,
    }),
  },
  historical: {
    fields: {
      assets,
      prices: list(doubles({ above: 0 }), MAX_ASSETS),
      lead: whole(1, MOST_STEPS),
    },
    lengths: ({ assets }) => ({ prices: assets }),
  },
  'student-t': {
    fields: {
      assets,
      annualVolatility: doubles({ least: 0 }),
      factor: doubles(),
      degreesOfFreedom: number({ above: 2 }),
      multiplier: doubles(),
      multiplierCap: positive,
    },
    lengths: ({ assets }) => ({
      annualVolatility: assets,
      factor: assets * assets,
      multiplier: MULTIPLIER_ROWS * MULTIPLIER_COEFFICIENTS,
    }),
  },
  'filtered-historical': {
    fields: {
      assets,
      omega: doubles({ least: 0 }),
      alpha: doubles({ least: 0 }),
      beta: doubles({ least: 0 }),
      firstVariance: doubles({ least: 0 }),
      factor: doubles(),
      volatilityScale: positive,
      rows: doubles(),
      cumulants: doubles(),
    },
    lengths: ({ assets, rows }) => ({
      omega: assets,
      alpha: assets,
      beta: assets,
      firstVariance: assets,
      factor: assets * assets,
      rows: wholeRows(rows, assets),
      cumulants: assets * CUMULANT_ROWS * CUMULANT_COEFFICIENTS,
    }),
  },
  bootstrap: {
    fields: {
      assets,
      stepsPerRow: oneOf(1, 24),
      blockRows: whole(1, MOST_STEPS),
      rows: doubles(),
      drift: doubles(),
      deviation: doubles({ least: 0 }),
      factor: doubles(),
    },
    lengths: ({ assets, rows, drift }) => ({
      rows: wholeRows(rows, assets),
      drift: wholeRows(drift, assets),
      deviation: assets,
      factor: assets * assets,
    }),
  },
};

/** Length of a list of whole rows of one number per asset: at least one row. */
function wholeRows(list: Float64Array, assets: number): number {
  return assets * Math.max(1, Math.floor(list.length / assets));
}

/** The members of a plan beside its product and its scenarios. */
const PLAN_FIELDS = { seed: whole(0, 2 ** 32 - 1), paths: whole(1, MOST_PATHS) };

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
  checkLengths(plan, faults);
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

function checkLengths(plan: SimulationPlan, faults: Faults): void {
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
    if (horizons.length < 1 || horizons.length > MOST_HORIZONS || !rises(horizons))
      faults.add(`plan.product.${member}`, `1 to ${MOST_HORIZONS} rising horizons`, [...horizons]);
    if (product.quantiles.length < 1 || product.quantiles.length > MOST_HORIZONS || !rises(product.quantiles))
      faults.add('plan.product.quantiles', `1 to ${MOST_HORIZONS} rising quantiles`, [...product.quantiles]);
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
    ['startDeadline', 1, MOST_STEPS],
    ['startAnswer', 0, MOST_STEPS],
    ['answerDelay', 1, MOST_STEPS],
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
