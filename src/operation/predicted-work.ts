/**
 * How much work a request will be, told from the request alone: for admission, before any price is read.
 *
 * Takes: a processed request. Gives: asset-steps as `core/plan/work.ts` counts them.
 */
import { stepsOfDays } from '../core/plan/grid.ts';
import type { ModelKind } from '../core/plan/models.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { Product } from '../core/plan/simulation-plan.ts';
import { workOf } from '../core/plan/work.ts';
import type { BacktestRequest } from '../request/backtest-request.ts';
import type { BookRiskRequest } from '../request/book-risk-request.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import type { LowLiquidityRequest } from '../request/low-liquidity-request.ts';
import type { PerpetualRequest } from '../request/perpetual-request.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { mostPasses } from './origination-ratios.ts';

/** A request of any operation. */
export type AnyRequest =
  | LoanRiskRequest
  | LoanOriginationRequest
  | ValueAtRiskRequest
  | LowLiquidityRequest
  | PerpetualRequest
  | BookRiskRequest
  | BacktestRequest;

const HOURS_PER_DAY = 24;

/** What a request will make the engines do, and with how many assets. */
export function predictedProduct(request: AnyRequest): { kind: Product['kind']; assets: number } {
  if ('model' in request) return { kind: 'perpetual', assets: 1 };
  const { params } = request;
  if ('loans' in params) return { kind: 'book', assets: params.loans.symbols.length };
  if ('weights' in params) return { kind: 'value-at-risk', assets: Object.keys(params.weights).length };
  const assets = numberAssets(params.collateral_weights, params.loan_weights).symbols.length;
  if ('var_duration' in params) return { kind: 'value-at-risk', assets };
  if ('markets' in params) return { kind: 'capped-loan', assets };
  return { kind: 'opt_param' in params ? 'origination' : 'loan', assets };
}

/**
 * Work of a request in asset-steps. HISTORICAL counts 24 windows for each day of its lookback, as on an hourly grid; on
 * a daily one it will be less.
 */
export function predictedWork(request: AnyRequest): number {
  if ('model' in request) {
    const model = modelKind(request.model);
    const paths = request.model === 'HISTORICAL' ? HOURS_PER_DAY * request.model_lookback : request.mc_iter;
    return workOf({ product: 'perpetual', model, paths, steps: request.trade_duration_hours, assets: 1 });
  }
  const { params } = request;
  const paths = 'mc_iter' in params ? params.mc_iter : HOURS_PER_DAY * params.model_lookback;
  if ('loans' in params) {
    const { symbols, ids, durationDays } = params.loans;
    return workOf({
      product: 'book',
      model: modelKind(request.type),
      paths,
      steps:
        stepsOfDays(
          durationDays.reduce((a, b) => Math.max(a, b), 0),
          1,
        ) + params.sale_delay,
      assets: symbols.length,
      loans: ids.length,
    });
  }
  if ('weights' in params) {
    const { weights, from, to, horizon, quantile } = params;
    const oneDay = workOf({
      product: 'value-at-risk',
      model: modelKind(request.type),
      paths,
      steps: 1,
      assets: Object.keys(weights).length,
      quantiles: quantile.length,
      days: horizon,
    });
    return (to - from + 1) * oneDay;
  }
  const assets = numberAssets(params.collateral_weights, params.loan_weights).symbols.length;
  const size = { model: modelKind(request.type), paths, assets };
  if ('var_duration' in params) {
    const { var_duration, quantile } = params;
    const steps = var_duration.length;
    const days = Math.max(...var_duration);
    return workOf({ ...size, product: 'value-at-risk', steps, quantiles: quantile.length, days });
  }
  const steps = stepsOfDays(params.loan_duration, 1);
  if ('markets' in params) return workOf({ ...size, product: 'capped-loan', steps });
  const passes = 'opt_param' in params ? mostPasses(params) : 1;
  return passes * workOf({ ...size, product: 'loan', steps });
}

const MODEL_KIND = {
  GBM: 'gbm',
  GBM_VIX: 'gbm',
  GARCH: 'garch',
  HISTORICAL: 'historical',
  STUDENT_T: 'student-t',
  FHS: 'filtered-historical',
  BOOTSTRAP: 'bootstrap',
} as const satisfies Record<string, ModelKind>;

function modelKind(methodology: keyof typeof MODEL_KIND): ModelKind {
  return MODEL_KIND[methodology];
}
