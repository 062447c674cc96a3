/** The table of the operations. */

import { backtest } from '../operation/backtest.ts';
import { isolatedPerpetualRisk } from '../operation/isolated-perpetual-risk.ts';
import { loanOrigination } from '../operation/loan-origination.ts';
import { loanRisk } from '../operation/loan-risk.ts';
import { lowLiquidityLoanRisk } from '../operation/low-liquidity-loan-risk.ts';
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
    include: allowPlan ? ['accuracy', 'model', 'plan', 'warnings'] : ['accuracy', 'model', 'warnings'],
    sampling: [],
  };
  return [
    route('/loan_risk', loanRiskRequest, loanRisk, query),
    route('/loan_origination', loanOriginationRequest, loanOrigination, query),
    route('/var', valueAtRiskRequest, valueAtRisk, query),
    route('/loan_risk_low_liquidity', lowLiquidityRequest, lowLiquidityLoanRisk, query),
    route('/isolated_perp_risk', perpetualRequest, isolatedPerpetualRisk, query),
    BOOK_ROUTE,
    route('/backtest', backtestRequest, backtest),
  ];
}

/** The operations with everything that they can be asked for. */
export const ROUTES = operationRoutes({ allowPlan: true });
