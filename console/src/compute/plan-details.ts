/**
 * What the charts show of a plan beside its distribution, by the reference engine: single paths, and what a capped loan
 * sells by the day.
 *
 * The distribution counts all paths and has no single one; a fan alone hides how rough a path is. The mean that a capped
 * loan has sold by a day is a sum of the outcome, which a run that ends on that day gives.
 */
import { fanSteps } from '#core/plan/distribution.ts';
import { HOURS_PER_DAY } from '#core/plan/grid.ts';
import { asGbm } from '#core/plan/model/gbm-shifted.ts';
import { equityAtStart } from '#core/plan/product/account.ts';
import {
  type AccountProduct,
  type CappedLoanProduct,
  type LoanProduct,
  planSteps,
  type SimulationPlan,
} from '#core/plan/simulation-plan.ts';
import { linear } from '#core/product/paths.ts';
import { loanPaths, markPrice, REFERENCE_PATHS, runRange } from '#core/reference/products.ts';

/** What a capped loan has sold by some times. */
export interface Sales {
  /** Rising, the first 0. */
  readonly days: readonly number[];
  /** Mean over all paths, as a share of the loan. */
  readonly sold: readonly number[];
  /** Share of the paths that have sold anything. */
  readonly sellers: readonly number[];
}

export interface PlanDetails {
  /** Steps of a path; horizons of value at risk. */
  readonly stepsPerPath: number;
  /** Single paths, each with its value at the start and at the times of the fan; none of a product without a fan. */
  readonly paths: readonly (readonly number[])[];
  /** Mark price of a perpetual at the start, USD. */
  readonly startPrice?: number;
  readonly sales?: Sales;
  /** Of an account; absent where no path of those looked at has a forced close. */
  readonly median?: MedianEnd;
}

/** One path of an account: that whose end is the median of those that end, or else that with the median first forced close. */
export interface MedianEnd {
  readonly isEnd: boolean;
  readonly hour: number;
  /** How many paths were looked at, and how many of them end, or have a forced close. */
  readonly paths: number;
  readonly ended: number;
  /** Rising, the first 0. */
  readonly days: readonly number[];
  /** Per asset, and of the equity: relative to the start. */
  readonly prices: readonly (readonly number[])[];
  readonly equity: readonly number[];
}

/** Single paths of a chart. */
const SHOWN_PATHS = 6;
/** Paths behind the sales of a capped loan: it is followed anew to every time. */
const SALES_PATHS = 1000;
/** Most times of sales, the start not counted. */
const MAX_SALES_TIMES = 30;

/** The details of a plan. */
export function planDetails(plan: SimulationPlan): PlanDetails {
  const { product } = plan;
  const stepsPerPath = planSteps(plan);
  switch (product.kind) {
    case 'loan':
      return { stepsPerPath, paths: coveragePaths({ ...plan, product }) };
    case 'capped-loan':
      // Its fan is of the coverage after sales, which no path of prices has.
      return { stepsPerPath, paths: [], sales: salesOf({ ...plan, product }) };
    case 'perpetual': {
      const made = markPrice({ ...plan, product });
      const { startPrice } = product;
      return {
        stepsPerPath,
        startPrice,
        paths: pathsOf(plan, startPrice, made, t => startPrice * made.price[t - 1]),
      };
    }
    case 'account':
      return { stepsPerPath, ...accountPaths({ ...plan, product }) };
    case 'value-at-risk':
    case 'advance-rate':
    case 'origination':
    case 'book':
      return { stepsPerPath, paths: [] };
  }
}

/** Asset-steps of the paths of an account that are looked at: some tenths of a second. */
const ACCOUNT_STEPS = 400_000;
const MAX_ACCOUNT_PATHS = 1000;
/** Points of a path. */
const PATH_POINTS = 200;

/** Equity along single paths of an account, and its median end. */
function accountPaths(plan: SimulationPlan<AccountProduct>): Pick<PlanDetails, 'paths' | 'median'> {
  const { product, scenarios } = plan;
  const { steps } = product;
  const count = Math.min(
    ...[plan.paths, MAX_ACCOUNT_PATHS],
    Math.max(SHOWN_PATHS, Math.floor(ACCOUNT_STEPS / (steps * scenarios.assets))),
  );
  const follower = REFERENCE_PATHS.accounts(plan, { first: 0, count }, undefined);
  const { account } = follower;
  const start = equityAtStart(product);
  const times = Array.from(fanSteps(steps));
  const paths: number[][] = [];
  const hours: (readonly [path: number, end: number, close: number])[] = [];
  for (let path = 0; path < count; path++) {
    follower.follow(path);
    hours.push([path, account.endHour, account.closeHour]);
    if (path < SHOWN_PATHS) paths.push([start, ...times.map(t => start * account.equityPath[t - 1])]);
  }
  const isEnd = hours.some(([, end]) => end > 0);
  const by = isEnd ? 1 : 2;
  const ended = hours.filter(each => each[by] > 0).sort((a, b) => a[by] - b[by]);
  if (ended.length === 0) return { paths };
  const [path, ...events] = ended[Math.floor((ended.length - 1) / 2)];
  follower.follow(path);
  const stride = Math.max(1, Math.ceil(steps / PATH_POINTS));
  const points = Array.from({ length: Math.floor(steps / stride) }, (_, k) => stride * (k + 1));
  const along = (values: Float64Array) => [1, ...points.map(t => values[t - 1])];
  return {
    paths,
    median: {
      ...{ isEnd, hour: events[by - 1], paths: count, ended: ended.length },
      days: [0, ...points.map(t => t / HOURS_PER_DAY)],
      prices: account.paths.map((values, i) => {
        const shock = product.shock?.[i] ?? 1;
        return along(values).map(value => shock * value);
      }),
      equity: along(account.equityPath),
    },
  };
}

/** Coverage along single paths, nothing sold: those of the model itself where the plan shifts its paths. */
function coveragePaths(asked: SimulationPlan<LoanProduct>): number[][] {
  const { scenarios } = asked;
  const plan = scenarios.kind === 'gbm-shifted' ? { ...asked, scenarios: asGbm(scenarios) } : asked;
  const made = loanPaths(plan, false);
  const n = plan.product.nominalRatio;
  return pathsOf(plan, n, made, t => n * linear(made, made.ratio[t - 1]));
}

/** @param valueAt the value of the simulated path at a step, 1..T */
function pathsOf(
  plan: SimulationPlan,
  start: number,
  made: { simulate(path: number): void },
  valueAt: (step: number) => number,
): number[][] {
  const times = Array.from(fanSteps(planSteps(plan)));
  return Array.from({ length: Math.min(SHOWN_PATHS, plan.paths) }, (_, path) => {
    made.simulate(path);
    return [start, ...times.map(valueAt)];
  });
}

function salesOf(plan: SimulationPlan<CappedLoanProduct>): Sales {
  const { steps } = plan.product;
  const count = Math.min(SALES_PATHS, plan.paths);
  const times = Math.min(steps, MAX_SALES_TIMES);
  const ends = Array.from({ length: times }, (_, i) => Math.round((steps * (i + 1)) / times));
  const outcomes = ends.map(end => runRange(endedAt(plan, end), { first: 0, count }));
  return {
    days: [0, ...ends.map(end => end / (plan.distribution?.daySteps ?? HOURS_PER_DAY))],
    sold: [0, ...outcomes.map(({ soldAmount }) => soldAmount / count)],
    sellers: [0, ...outcomes.map(({ sellers }) => sellers / count)],
  };
}

/**
 * A plan over its first `steps` steps: what a loan has done by then does not depend on what comes later. Windows of history
 * begin where they began.
 */
export function endedAt(plan: SimulationPlan<CappedLoanProduct>, steps: number): typeof plan {
  const { product, scenarios } = plan;
  const debtGrowth = (product.debtGrowth ?? 1) ** (steps / product.steps);
  return {
    ...plan,
    product: { ...product, steps, debtGrowth },
    scenarios:
      scenarios.kind === 'historical'
        ? { ...scenarios, lead: scenarios.lead - (product.steps - steps) }
        : scenarios,
  };
}
