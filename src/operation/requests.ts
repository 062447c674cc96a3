/**
 * What each operation says of its requests before it answers them: how much work they are, for admission, and which
 * members of the body hold what engines and markets name.
 *
 * Takes: processed requests. Gives: a row for each operation; routes are made of them. Must not know: prices, engines.
 */
import type { Fault } from '../core/errors.ts';
import { gpuProduct } from '../core/gpu/products.ts';
import { stepsOfDays } from '../core/plan/grid.ts';
import { SCRAMBLES, sobolPaths } from '../core/plan/model/gbm-sobol.ts';
import type { ModelKind } from '../core/plan/models.ts';
import type { PlanField } from '../core/plan/plan-fault.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { ProductKind } from '../core/plan/products.ts';
import { type SimulationSize, workOf } from '../core/plan/work.ts';
import { hasSimdKernel } from '../core/simd/products.ts';
import { FUNDING_PATH } from '../market/missing-data.ts';
import type { BacktestRequest } from '../request/backtest-request.ts';
import type { BookRiskRequest } from '../request/book-risk-request.ts';
import { MAX_MC_ITER } from '../request/fields.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import type { LowLiquidityRequest } from '../request/low-liquidity-request.ts';
import type { PerpetualRequest } from '../request/perpetual-request.ts';
import type { Sampling } from '../request/query.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { mostPasses } from './origination-ratios.ts';

/** Windows that a model is fitted to before paths are made. */
export interface Calibration {
  readonly model: ModelKind;
  /** One but in a back-test, which fits every day. */
  readonly fits: number;
  readonly assets: number;
  readonly lookbackDays: number;
}

/** What a request will make the engines do. */
export interface Workload {
  readonly product: ProductKind;
  readonly assets: number;
  /** Work of all passes in asset-steps, as `core/plan/work.ts` counts them. */
  readonly work: number;
  /** The windows that the model is fitted to first. */
  readonly calibration: Calibration;
  /** Whether the GPU engine and the SIMD kernel have the product under the model. */
  readonly onGpu: boolean;
  readonly onSimd: boolean;
}

/** The member under which a weight of an asset was sent, by map; an alias is told as it was written. */
export type SentNames = (map: string, asset: string) => string;

/** What an operation says of its requests. */
export interface RequestRow<R> {
  /**
   * HISTORICAL counts 24 windows for each day of its lookback, as on an hourly grid; on a daily one it will be less.
   */
  workload(request: R, sampling?: Sampling): Workload;
  /** Why the request cannot be sampled so; absent where its operation has one sampling only. */
  samplingFaults?(request: R, sampling: Sampling): readonly Fault[];
  /** The member that decides on a field of the plan, as in the body. */
  planMember(request: R, field: PlanField): string;
  /** The member that a series of the market, an asset's as a rule, was asked for by; `undefined` where none was. */
  seriesMember(request: R, series: string, sent: SentNames): string | undefined;
}

const HOURS_PER_DAY = 24;

const MODEL_KIND = {
  GBM: 'gbm',
  GBM_VIX: 'gbm',
  GARCH: 'garch',
  HISTORICAL: 'historical',
  STUDENT_T: 'student-t',
  FHS: 'filtered-historical',
  BOOTSTRAP: 'bootstrap',
} as const satisfies Record<string, ModelKind>;

type Methodology = keyof typeof MODEL_KIND;

/** Members from which the number of paths follows. */
interface PathMembers {
  readonly model_lookback: number;
  readonly mc_iter?: number;
}

function pathsOf(methodology: Methodology, { model_lookback, mc_iter }: PathMembers): number {
  return methodology === 'HISTORICAL' || mc_iter === undefined ? HOURS_PER_DAY * model_lookback : mc_iter;
}

function pathsMember(methodology: Methodology): string {
  return methodology === 'HISTORICAL' ? 'model_lookback' : 'mc_iter';
}

/** The workload of so many passes over the paths. */
function workload(
  size: SimulationSize,
  lookbackDays: number,
  {
    passes = 1,
    fits = 1,
    product = size.product,
  }: {
    readonly passes?: number;
    readonly fits?: number;
    /** Where it is not that by which the work is weighed. */
    readonly product?: ProductKind;
  } = {},
): Workload {
  return {
    product,
    calibration: { model: size.model, fits, assets: size.assets, lookbackDays },
    assets: size.assets,
    work: passes * workOf(size),
    onGpu: gpuProduct(product, size.model) !== undefined,
    onSimd: hasSimdKernel(product, size.model),
  };
}

/** The members of a body with `type` and `params`. */
function paramsMember(term: string): RequestRow<{ readonly type: Methodology }>['planMember'] {
  return ({ type }, field) => `params.${field === 'steps' ? term : pathsMember(type)}`;
}

type WeightMaps = Readonly<Record<'collateral_weights' | 'loan_weights', Readonly<Record<string, number>>>>;

function weightMember(params: WeightMaps, asset: string, sent: SentNames): string | undefined {
  const map = (['collateral_weights', 'loan_weights'] as const).find(name =>
    Object.hasOwn(params[name], asset),
  );
  return map && `params.${map}.${sent(map, asset)}`;
}

type AnyLoanRequest = LoanRiskRequest | LoanOriginationRequest | LowLiquidityRequest;

/** The row of an operation on one loan. */
function loanRow<R extends AnyLoanRequest>(
  product: Exclude<ProductKind, 'origination'>,
  passesOf: (request: R) => number = () => 1,
  runs: ProductKind = product,
): RequestRow<R> {
  return {
    workload(request) {
      const { type, params } = request;
      return workload(
        {
          product,
          model: MODEL_KIND[type],
          paths: pathsOf(type, params),
          steps: stepsOfDays(params.loan_duration, 1),
          assets: numberAssets(params.collateral_weights, params.loan_weights).symbols.length,
        },
        params.model_lookback,
        { passes: passesOf(request), product: runs },
      );
    },
    planMember: paramsMember('loan_duration'),
    seriesMember: ({ params }, asset, sent) => weightMember(params, asset, sent),
  };
}

export const LOAN_RISK_ROW = loanRow<LoanRiskRequest>('loan');
/** A pass over the candidates is weighed as one over a loan. */
export const LOAN_ORIGINATION_ROW = loanRow<LoanOriginationRequest>(
  'loan',
  ({ params }) => mostPasses(params),
  'origination',
);
export const LOW_LIQUIDITY_ROW = loanRow<LowLiquidityRequest>('capped-loan');

export const VALUE_AT_RISK_ROW: RequestRow<ValueAtRiskRequest> = {
  workload({ type, params }, sampling) {
    const paths = pathsOf(type, params);
    return workload(
      {
        product: 'value-at-risk',
        ...(sampling === 'sobol'
          ? { model: 'gbm-sobol', paths: sobolPaths(paths) }
          : { model: MODEL_KIND[type], paths }),
        steps: params.var_duration.length,
        assets: numberAssets(params.collateral_weights, params.loan_weights).symbols.length,
        quantiles: params.quantile.length,
        days: Math.max(...params.var_duration),
      },
      params.model_lookback,
    );
  },
  samplingFaults(request, sampling) {
    if (sampling !== 'sobol') return [];
    if (request.type !== 'GBM' && request.type !== 'GBM_VIX')
      return [
        {
          path: 'query.sampling',
          message: `sampling may be sobol where type is GBM or GBM_VIX; type is ${request.type}`,
        },
      ];
    const { mc_iter } = request.params;
    const most = sobolPaths(Math.floor(MAX_MC_ITER / 2) + 1);
    if (mc_iter <= most) return [];
    return [
      {
        path: 'params.mc_iter',
        message: `mc_iter must be at most ${most} with sampling=sobol, which takes ${SCRAMBLES} times a power of two; got ${mc_iter}`,
      },
    ];
  },
  planMember: paramsMember('var_duration'),
  seriesMember: ({ params }, asset, sent) => weightMember(params, asset, sent),
};

export const BACKTEST_ROW: RequestRow<BacktestRequest> = {
  workload({ type, params }) {
    const days = params.to - params.from + 1;
    return workload(
      {
        product: 'value-at-risk',
        model: MODEL_KIND[type],
        paths: pathsOf(type, params),
        steps: 1,
        assets: Object.keys(params.weights).length,
        quantiles: params.quantile.length,
        days: params.horizon,
      },
      params.model_lookback,
      { passes: days, fits: days },
    );
  },
  planMember: paramsMember('horizon'),
  seriesMember: ({ params }, asset, sent) =>
    Object.hasOwn(params.weights, asset) ? `params.weights.${sent('weights', asset)}` : undefined,
};

export const PERPETUAL_ROW: RequestRow<PerpetualRequest> = {
  workload(request) {
    return workload(
      {
        product: 'perpetual',
        model: MODEL_KIND[request.model],
        paths: pathsOf(request.model, request),
        steps: request.trade_duration_hours,
        assets: 1,
      },
      request.model_lookback,
    );
  },
  planMember: ({ model }, field) => (field === 'steps' ? 'trade_duration_hours' : pathsMember(model)),
  seriesMember({ market }, series) {
    if (series.startsWith(FUNDING_PATH)) return 'funding_rate';
    return series === market ? 'market' : undefined;
  },
};

export const BOOK_RISK_ROW: RequestRow<BookRiskRequest> = {
  workload({ type, params }) {
    const { symbols, ids, durationDays } = params.loans;
    const longest = durationDays.reduce((a, b) => Math.max(a, b), 0);
    return workload(
      {
        product: 'book',
        model: MODEL_KIND[type],
        paths: pathsOf(type, params),
        steps: stepsOfDays(longest, 1) + params.sale_delay,
        assets: symbols.length,
        loans: ids.length,
      },
      params.model_lookback,
    );
  },
  planMember: paramsMember('loans'),
  /** The first loan that holds the asset. */
  seriesMember({ params: { loans } }, asset) {
    const { symbols, firstLoan } = loans;
    const at = symbols.indexOf(asset);
    if (at < 0) return undefined;
    for (const [map, weights] of [
      ['collateral_weights', loans.collateralWeights],
      ['loan_weights', loans.loanWeights],
    ] as const) {
      const loan = firstLoan.find((_, b) => weights[b * symbols.length + at] > 0);
      if (loan !== undefined) return `params.loans.${loan}.${map}.${asset}`;
    }
    return undefined;
  },
};
