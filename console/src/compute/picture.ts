/**
 * What the charts show of a plan, from its first paths in double precision.
 *
 * Takes: a simulation plan. Gives: quantiles over time, single paths, shares by day, histograms. The paths and the
 * states are those of the reference engine: nothing is simulated by other rules here. Must not know: the page.
 */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION } from '../../../src/core/engine.ts';
import { asGbm } from '../../../src/core/plan/model/gbm-shifted.ts';
import { contractOf } from '../../../src/core/plan/products.ts';
import { ratioThresholds } from '../../../src/core/plan/ratio-path.ts';
import { type PathRange, RecordSink } from '../../../src/core/plan/records.ts';
import type {
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  SimulationPlan,
  ValueAtRiskProduct,
} from '../../../src/core/plan/simulation-plan.ts';
import { planSteps } from '../../../src/core/plan/simulation-plan.ts';
import { linear } from '../../../src/core/product/paths.ts';
import { referenceModel } from '../../../src/core/reference/models.ts';
import { loanPaths, runRange } from '../../../src/core/reference/products.ts';
import { quantileType7 } from '../../../src/core/stats/quantile.ts';

/** Levels of the quantiles of a fan. */
export const FAN_LEVELS = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const;

/** Most points in time of a fan. */
const MAX_TIMES = 64;
/** Bins of a distribution of values. */
const VALUE_BINS = 50;
/** Most days at which shares are taken. */
const MAX_DAYS = 30;

/** A value over time: quantiles over the paths, and some paths alone. */
export interface Fan {
  /** Steps, the first 0. */
  readonly steps: readonly number[];
  /** Per level of `FAN_LEVELS`, a value per time. */
  readonly quantiles: readonly (readonly number[])[];
  readonly paths: readonly (readonly number[])[];
}

export interface Histogram {
  /** Lower ends of bins of equal width. */
  readonly from: readonly number[];
  readonly width: number;
  readonly counts: readonly number[];
}

export interface LoanPicture {
  readonly kind: 'loan';
  readonly paths: number;
  readonly fan: Fan;
  readonly lowest: Histogram;
  readonly events: {
    readonly steps: readonly number[];
    readonly called: readonly number[];
    readonly liquidated: readonly number[];
    readonly closedOut: readonly number[];
  };
}

export interface CappedLoanPicture {
  readonly kind: 'capped-loan';
  readonly paths: number;
  readonly fan: Fan;
  /** Mean over all paths of the share of the loan that has been sold by a step, and the share of paths that sold. */
  readonly sales: {
    readonly steps: readonly number[];
    readonly sold: readonly number[];
    readonly sellers: readonly number[];
  };
}

export interface PerpetualPicture {
  readonly kind: 'perpetual';
  readonly paths: number;
  readonly fan: Fan;
  readonly finalEquity: Histogram;
}

/** Values in USD at one horizon. */
export interface HorizonPicture {
  readonly collateral: Histogram;
  readonly loan: Histogram;
  readonly netExposure: Histogram;
}

export interface ValueAtRiskPicture {
  readonly kind: 'value-at-risk';
  readonly paths: number;
  /** In the order of the plan: rising. */
  readonly horizons: readonly HorizonPicture[];
}

export type Picture = LoanPicture | CappedLoanPicture | PerpetualPicture | ValueAtRiskPicture;

/** Paths of the first picture. */
const QUICK_PATHS = 1000;
/** Paths of a full picture, where its work allows them. */
const FULL_PATHS = 10_000;
/** Asset-steps of a picture: about a second of a worker. */
const MAX_WORK = 3e7;

/** How many paths a picture of a plan is drawn from. */
export function picturePaths(plan: SimulationPlan, extent: 'quick' | 'full'): number {
  // A capped loan is followed anew to every day of the term.
  if (extent === 'quick' || plan.product.kind === 'capped-loan') return QUICK_PATHS;
  const affordable = Math.floor(MAX_WORK / (planSteps(plan) * plan.scenarios.assets));
  return Math.max(QUICK_PATHS, Math.min(FULL_PATHS, affordable));
}

/** The plan on the paths of the model alone: a picture counts all paths alike, and shifted ones have weights. */
const onPlainPaths = ({ scenarios, ...plan }: SimulationPlan): SimulationPlan => ({
  ...plan,
  scenarios: scenarios.kind === 'gbm-shifted' ? asGbm(scenarios) : scenarios,
});

/** Draws the picture of a plan from its first `paths` paths. @throws RangeError for a book and a scan */
export function pictureOf(asked: SimulationPlan, paths: number): Picture {
  const plan = onPlainPaths(asked);
  const { product } = plan;
  const count = Math.min(paths, plan.paths);
  switch (product.kind) {
    case 'loan':
      return loanPicture({ ...plan, product }, count);
    case 'capped-loan':
      return cappedLoanPicture({ ...plan, product }, count);
    case 'perpetual':
      return perpetualPicture({ ...plan, product }, count);
    case 'value-at-risk':
      return valueAtRiskPicture({ ...plan, product }, count);
    case 'origination':
    case 'book':
      throw new RangeError(`${product.kind} has no picture: its answer is one`);
  }
}

function loanPicture(plan: SimulationPlan<LoanProduct>, paths: number): LoanPicture {
  const { product } = plan;
  const simulated = loanPaths(plan, false);
  const { marginCall } = ratioThresholds(product, simulated.domain);
  const n = product.nominalRatio;
  const firstCalls: number[] = [];
  const fan = fanOf(product.steps, paths, n, path => {
    simulated.simulate(path);
    // A loan without an open call is called at the first step below M.
    if (product.start !== undefined && product.start.status !== 'open') firstCalls.push(0);
    else if (simulated.minimum < marginCall)
      firstCalls.push(1 + simulated.ratio.findIndex(ratio => ratio < marginCall));
    return step => n * linear(simulated, simulated.ratio[step - 1]);
  });
  const { minimumRatio, endStep, flags } = recordsOf(plan, { first: 0, count: paths });
  const steps = timesOf(product.steps, MAX_DAYS);
  const endedBy = (flag: number) =>
    sharesBy(
      steps,
      [...endStep].filter((_, path) => flags[path] & flag),
      paths,
    );
  return {
    kind: 'loan',
    paths,
    fan,
    lowest: histogramOf(
      Array.from(minimumRatio, ratio => n * ratio),
      40,
    ),
    events: {
      steps,
      called: sharesBy(steps, firstCalls, paths),
      liquidated: endedBy(FLAG_LIQUIDATION),
      closedOut: endedBy(FLAG_CLOSEOUT),
    },
  };
}

/** The records of a plan's paths by their names in the product's contract. */
function recordsOf(plan: SimulationPlan, range: PathRange): Readonly<Record<string, Float64Array>> {
  const fields = contractOf(plan.product).recordFields(plan.product);
  const sink = new RecordSink(fields.length, range);
  runRange(plan, range, sink);
  return Object.fromEntries(fields.map((field, i) => [field, sink.columns[i]]));
}

/** Share of the paths whose event came at or before each step. */
function sharesBy(steps: readonly number[], events: readonly number[], paths: number): number[] {
  const sorted = Float64Array.from(events).sort();
  let passed = 0;
  return steps.map(step => {
    while (passed < sorted.length && sorted[passed] <= step) passed++;
    return passed / paths;
  });
}

function cappedLoanPicture(plan: SimulationPlan<CappedLoanProduct>, paths: number): CappedLoanPicture {
  const range = { first: 0, count: paths };
  const simulated = loanPaths(plan, true);
  const n = plan.product.nominalRatio;
  const fan = fanOf(plan.product.steps, paths, n, path => {
    simulated.simulate(path);
    return step => n * linear(simulated, simulated.ratio[step - 1]);
  });
  const steps = timesOf(plan.product.steps, MAX_DAYS);
  const outcomes = steps.map(step => (step === 0 ? undefined : runRange(truncated(plan, step), range)));
  return {
    kind: 'capped-loan',
    paths,
    fan,
    sales: {
      steps,
      sold: outcomes.map(outcome => (outcome?.soldAmount ?? 0) / paths),
      sellers: outcomes.map(outcome => (outcome?.sellers ?? 0) / paths),
    },
  };
}

function perpetualPicture(plan: SimulationPlan<PerpetualProduct>, paths: number): PerpetualPicture {
  const { product } = plan;
  const simulated = referenceModel(plan).price(plan, product.steps);
  const fan = fanOf(product.steps, paths, product.startPrice, path => {
    simulated.simulate(path);
    return step => product.startPrice * simulated.price[step - 1];
  });
  const { finalEquity } = runRange(plan, { first: 0, count: paths });
  return { kind: 'perpetual', paths, fan, finalEquity: histogramOf([...finalEquity], 40) };
}

function valueAtRiskPicture(plan: SimulationPlan<ValueAtRiskProduct>, paths: number): ValueAtRiskPicture {
  const { collateralValue, loanValue } = plan.product;
  const simulated = referenceModel(plan).horizons(plan, planSteps(plan));
  const columns = Array.from({ length: planSteps(plan) }, () => ({
    collateral: [] as number[],
    loan: [] as number[],
    netExposure: [] as number[],
  }));
  for (let path = 0; path < paths; path++) {
    simulated.simulate(path);
    for (const [k, values] of columns.entries()) {
      const collateral = collateralValue * simulated.collateral[k];
      const loan = loanValue * simulated.loan[k];
      values.collateral.push(collateral);
      values.loan.push(loan);
      values.netExposure.push(collateral - loan);
    }
  }
  return {
    kind: 'value-at-risk',
    paths,
    horizons: columns.map(({ collateral, loan, netExposure }) => ({
      collateral: histogramOf(collateral, VALUE_BINS),
      loan: histogramOf(loan, VALUE_BINS),
      netExposure: histogramOf(netExposure, VALUE_BINS),
    })),
  };
}

/**
 * A plan over its first `steps` steps. What a loan has done by then does not depend on what comes later. Windows of
 * history begin where they began: their ends move.
 */
export function truncated<P extends LoanProduct | CappedLoanProduct>(
  plan: SimulationPlan<P>,
  steps: number,
): SimulationPlan<P> {
  const { scenarios, product } = plan;
  return {
    ...plan,
    product: { ...product, steps, debtGrowth: (product.debtGrowth ?? 1) ** (steps / product.steps) },
    scenarios:
      scenarios.kind === 'historical'
        ? { ...scenarios, lead: scenarios.lead - (product.steps - steps) }
        : scenarios,
  };
}

/** Up to `most` + 1 even times from 0 to `steps`. */
function timesOf(steps: number, most: number): number[] {
  const count = Math.min(steps, most);
  return Array.from({ length: count + 1 }, (_, i) => Math.round((steps * i) / count));
}

/** Paths that a fan shows alone. */
const SHOWN_PATHS = 6;

/**
 * @param start value at step 0
 * @param open simulates a path and gives its value at a step, 1..T
 */
function fanOf(
  steps: number,
  paths: number,
  start: number,
  open: (path: number) => (step: number) => number,
): Fan {
  const times = timesOf(steps, MAX_TIMES);
  const columns = times.map(() => new Float64Array(paths));
  const shown: number[][] = [];
  for (let path = 0; path < paths; path++) {
    const valueAt = open(path);
    for (const [i, step] of times.entries()) columns[i][path] = step === 0 ? start : valueAt(step);
    if (path < SHOWN_PATHS) shown.push(columns.map(column => column[path]));
  }
  for (const column of columns) column.sort();
  return {
    steps: times,
    quantiles: FAN_LEVELS.map(level => columns.map(column => quantileType7(column, level))),
    paths: shown,
  };
}

/** A histogram from the 0.5 % to the 99.5 % quantile; what lies beyond is counted in the outer bins. */
export function histogramOf(values: readonly number[], bins: number): Histogram {
  const sorted = Float64Array.from(values).sort();
  const low = quantileType7(sorted, 0.005);
  const high = Math.max(quantileType7(sorted, 0.995), low + Number.EPSILON * Math.max(1, Math.abs(low)));
  const width = (high - low) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const value of sorted) counts[Math.max(0, Math.min(bins - 1, Math.floor((value - low) / width)))]++;
  return { from: counts.map((_, i) => low + i * width), width, counts };
}
