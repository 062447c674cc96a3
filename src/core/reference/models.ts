/** The paths of each market model of the reference, in double precision: one row each. */
import { asGbm, shiftOf } from '../plan/model/gbm-shifted.ts';
import { type ModelKind, type ModelTypes, modelOf } from '../plan/models.ts';
import { assetPair } from '../plan/ratio-path.ts';
import type { Portfolio, Product, SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import type { AssetPrices, HorizonPaths, PortfolioPaths } from '../product/paths.ts';
import { type AssetPaths, GarchPaths, GbmPaths } from './asset-paths.ts';
import { HistoricalPrices, SimulatedPrices } from './asset-prices.ts';
import { BootstrapHorizons, BootstrapPaths } from './bootstrap-paths.ts';
import { FilteredHistoricalHorizons, FilteredHistoricalPaths } from './filtered-historical-paths.ts';
import { GbmHorizons, HistoricalHorizons } from './horizon-paths.ts';
import { GbmPairPaths, PairPaths } from './pair-paths.ts';
import { BasketPaths, HistoricalPaths } from './portfolio-paths.ts';
import { ShiftedPaths } from './shifted-paths.ts';
import { SobolHorizons } from './sobol-horizons.ts';
import { StudentTHorizons, StudentTPaths } from './student-t-paths.ts';

/** A plan under the model M. */
type PlanUnder<M extends ModelKind, P extends Product = Product> = Omit<SimulationPlan<P>, 'scenarios'> & {
  readonly scenarios: ModelTypes[M];
};
type LoanPlan<M extends ModelKind> = PlanUnder<M, Extract<Product, { portfolio: Portfolio; steps: number }>>;

/** The paths of one model. */
interface ReferenceModel<M extends ModelKind> {
  /** @param amounts whether C_t and L_t are wanted beside their ratio */
  portfolio(plan: LoanPlan<M>, amounts: boolean): PortfolioPaths;
  /** @param steps T */
  prices(plan: PlanUnder<M>, steps: number): AssetPrices;
  /**
   * @param horizons how many of the plan's horizons are wanted, the first ones
   * @throws RangeError for a model that has no steps from horizon to horizon
   */
  horizons(plan: PlanUnder<M, ValueAtRiskProduct>, horizons: number): HorizonPaths;
}

/** The portfolios and prices of a model with hourly steps of every asset. */
function steppedModel<M extends Exclude<ModelKind, 'historical'>>(
  open: (plan: PlanUnder<M>) => AssetPaths,
): Pick<ReferenceModel<M>, 'portfolio' | 'prices'> {
  return {
    portfolio(plan, amounts) {
      const { portfolio, steps } = plan.product;
      const pair = assetPair(portfolio);
      return pair === undefined
        ? new BasketPaths(open(plan), portfolio, steps)
        : new PairPaths(open(plan), portfolio, pair, steps, amounts);
    },
    prices: plan => new SimulatedPrices(open(plan)),
  };
}

const shiftedSteps = steppedModel<'gbm-shifted'>(({ scenarios, seed }) => new ShiftedPaths(scenarios, seed));
const gbmSteps = steppedModel<'gbm'>(({ scenarios, seed }) => new GbmPaths(scenarios, seed));

/** For paths that no product of the model has. */
function noPaths(): never {
  throw new RangeError('the model has no such paths');
}

const REFERENCE_MODELS: { readonly [M in ModelKind]: ReferenceModel<M> } = {
  gbm: {
    ...gbmSteps,
    portfolio(plan, amounts) {
      const { scenarios, seed, product } = plan;
      const pair = assetPair(product.portfolio);
      return pair === undefined
        ? gbmSteps.portfolio(plan, amounts)
        : new GbmPairPaths(scenarios, seed, product.portfolio, pair, product.steps, amounts);
    },
    horizons: ({ scenarios, seed, product }, horizons) => new GbmHorizons(scenarios, seed, product, horizons),
  },
  'gbm-sobol': {
    portfolio: noPaths,
    prices: noPaths,
    horizons: ({ scenarios, ...plan }, horizons) => new SobolHorizons(scenarios, plan, horizons),
  },
  'gbm-shifted': {
    ...shiftedSteps,
    portfolio(plan, amounts) {
      const { scenarios, seed, product } = plan;
      const pair = assetPair(product.portfolio);
      if (pair === undefined) return shiftedSteps.portfolio(plan, amounts);
      const { portfolio, steps } = product;
      return new GbmPairPaths(asGbm(scenarios), seed, portfolio, pair, steps, amounts, shiftOf(scenarios));
    },
    horizons: noPaths,
  },
  garch: {
    ...steppedModel<'garch'>(({ scenarios, seed }) => new GarchPaths(scenarios, seed)),
    horizons: noPaths,
  },
  'student-t': {
    ...steppedModel<'student-t'>(({ scenarios, seed }) => new StudentTPaths(scenarios, seed)),
    horizons: ({ scenarios, seed, product }, horizons) =>
      new StudentTHorizons(scenarios, seed, product, horizons),
  },
  'filtered-historical': {
    ...steppedModel<'filtered-historical'>(
      ({ scenarios, seed }) => new FilteredHistoricalPaths(scenarios, seed),
    ),
    horizons: ({ scenarios, seed, product }, horizons) =>
      new FilteredHistoricalHorizons(scenarios, seed, product, horizons),
  },
  bootstrap: {
    ...steppedModel<'bootstrap'>(({ scenarios, seed }) => new BootstrapPaths(scenarios, seed)),
    horizons: ({ scenarios, seed, product }, horizons) =>
      new BootstrapHorizons(scenarios, seed, product, horizons),
  },
  historical: {
    portfolio: ({ scenarios, product }) => new HistoricalPaths(scenarios, product.portfolio, product.steps),
    prices: ({ scenarios }, steps) => new HistoricalPrices(scenarios, steps),
    horizons: ({ scenarios, product }, horizons) =>
      new HistoricalHorizons(scenarios, product.portfolio, product.horizonSteps.slice(0, horizons)),
  },
};

/**
 * The row of the model of a plan.
 * @throws RangeError for a product that the model excludes: without the weights of the paths its figures would be of another law
 */
export function referenceModel({ scenarios, product }: SimulationPlan): ReferenceModel<ModelKind> {
  if (modelOf(scenarios).products?.includes(product.kind) === false)
    throw new RangeError(`${scenarios.kind} has no paths of ${product.kind}`);
  return REFERENCE_MODELS[scenarios.kind] as ReferenceModel<ModelKind>;
}

/** Per asset, the prices of a path at steps 0..T over that of the start; T is `steps`. */
export function pricesOfPath(plan: SimulationPlan, path: number, steps: number): Float64Array[] {
  const prices = Array.from({ length: plan.scenarios.assets }, () => new Float64Array(steps + 1).fill(1));
  const afterStart = prices.map(column => column.subarray(1));
  referenceModel(plan).prices(plan, steps).simulate(path, afterStart);
  return prices;
}
