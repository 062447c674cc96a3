/** The table of the operations. */

import { backtest } from '../operation/backtest.ts';
import { isolatedPerpetualRisk } from '../operation/isolated-perpetual-risk.ts';
import { loanOrigination } from '../operation/loan-origination.ts';
import { loanRisk } from '../operation/loan-risk.ts';
import { lowLiquidityLoanRisk } from '../operation/low-liquidity-loan-risk.ts';
import {
  BACKTEST_ROW,
  LOAN_ORIGINATION_ROW,
  LOAN_RISK_ROW,
  LOW_LIQUIDITY_ROW,
  PERPETUAL_ROW,
  VALUE_AT_RISK_ROW,
} from '../operation/requests.ts';
import { valueAtRisk } from '../operation/value-at-risk.ts';
import { backtestRequest } from '../request/backtest-request.ts';
import { loanOriginationRequest } from '../request/loan-origination-request.ts';
import { loanRiskRequest } from '../request/loan-risk-request.ts';
import { lowLiquidityRequest } from '../request/low-liquidity-request.ts';
import { perpetualRequest } from '../request/perpetual-request.ts';
import type { QuerySupport } from '../request/query.ts';
import { valueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { BOOK_ROUTE } from './book-route.ts';
import { type Route, route } from './route.ts';

/**
 * The five operations of the interface, books and back-tests.
 *
 * @param allowPlan whether an answer may hold its simulation plan, which holds market data
 */
export function operationRoutes({ allowPlan }: { readonly allowPlan: boolean }): readonly Route[] {
  const query: QuerySupport = {
    include: ['accuracy', 'distribution', 'model', ...(allowPlan ? (['plan'] as const) : []), 'warnings'],
    sampling: [],
  };
  return [
    route('/loan_risk', loanRiskRequest, loanRisk, LOAN_RISK_ROW, query),
    route('/loan_origination', loanOriginationRequest, loanOrigination, LOAN_ORIGINATION_ROW, query),
    route('/var', valueAtRiskRequest, valueAtRisk, VALUE_AT_RISK_ROW, { ...query, sampling: ['sobol'] }),
    route('/loan_risk_low_liquidity', lowLiquidityRequest, lowLiquidityLoanRisk, LOW_LIQUIDITY_ROW, query),
    route('/isolated_perp_risk', perpetualRequest, isolatedPerpetualRisk, PERPETUAL_ROW, query),
    BOOK_ROUTE,
    route('/backtest', backtestRequest, backtest, BACKTEST_ROW),
  ];
}

/** The operations with everything that their queries can ask for. */
export const ROUTES = operationRoutes({ allowPlan: true });
