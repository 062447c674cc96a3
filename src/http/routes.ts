/** The table of the five operations. */

import { isolatedPerpetualRisk } from '../operation/isolated-perpetual-risk.ts';
import { loanOrigination } from '../operation/loan-origination.ts';
import { loanRisk } from '../operation/loan-risk.ts';
import { lowLiquidityLoanRisk } from '../operation/low-liquidity-loan-risk.ts';
import { valueAtRisk } from '../operation/value-at-risk.ts';
import { loanOriginationRequest } from '../request/loan-origination-request.ts';
import { loanRiskRequest } from '../request/loan-risk-request.ts';
import { lowLiquidityRequest } from '../request/low-liquidity-request.ts';
import { perpetualRequest } from '../request/perpetual-request.ts';
import { valueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { type Route, route } from './route.ts';

/** The five operations. */
export const ROUTES: readonly Route[] = [
  route('/loan_risk', loanRiskRequest, loanRisk),
  route('/loan_origination', loanOriginationRequest, loanOrigination),
  route('/var', valueAtRiskRequest, valueAtRisk),
  route('/loan_risk_low_liquidity', lowLiquidityRequest, lowLiquidityLoanRisk),
  route('/isolated_perp_risk', perpetualRequest, isolatedPerpetualRisk),
];
