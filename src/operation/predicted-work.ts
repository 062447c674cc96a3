/**
 * How much work a request will be, told from the request alone: for admission, before any price is read.
 *
 * Takes: a processed request. Gives: asset-steps as `plan/work.ts` counts them.
 */
import { stepsOfDays } from '../plan/grid.ts';
import { numberAssets } from '../plan/portfolio.ts';
import { workOf } from '../plan/work.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import type { LowLiquidityRequest } from '../request/low-liquidity-request.ts';
import type { PerpetualRequest } from '../request/perpetual-request.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { MOST_PASSES } from './loan-origination.ts';

/** A request of any of the five operations. */
export type AnyRequest =
  | LoanRiskRequest
  | LoanOriginationRequest
  | ValueAtRiskRequest
  | LowLiquidityRequest
  | PerpetualRequest;

const HOURS_PER_DAY = 24;

/**
 * Work of a request in asset-steps. HISTORICAL counts 24 windows for each day of its lookback, as on an hourly grid; on
 * a daily one it will be less.
 */
export function predictedWork(request: AnyRequest): number {
  if ('model' in request) {
    const paths = request.model === 'GBM' ? request.mc_iter : HOURS_PER_DAY * request.model_lookback;
    return workOf({ kind: 'perpetual', paths, steps: request.trade_duration_hours, assets: 1 });
  }
  const { params } = request;
  const paths = 'mc_iter' in params ? params.mc_iter : HOURS_PER_DAY * params.model_lookback;
  const assets = numberAssets(params.collateral_weights, params.loan_weights).symbols.length;
  if ('var_duration' in params) {
    const { var_duration, quantile } = params;
    const steps = var_duration.length;
    return workOf({ kind: 'value-at-risk', paths, steps, assets, quantiles: quantile.length });
  }
  const steps = stepsOfDays(params.loan_duration, 1);
  if ('markets' in params) return workOf({ kind: 'capped-loan', paths, steps, assets });
  const passes = 'opt_param' in params ? MOST_PASSES : 1;
  return passes * workOf({ kind: 'loan', paths, steps, assets });
}
