/** The question /loan_risk_low_liquidity. */
import { answering } from '../answer.ts';
import { FULL_QUERY, type Question } from '../question.ts';
import { loanRequests } from '../workload.ts';
import { CAPPED_LOAN } from './capped-loan.ts';
import { type LowLiquidityRequest, lowLiquidityRequest } from './request.ts';

export const CAPPED_LOAN_QUESTION: Question<LowLiquidityRequest> = {
  name: 'capped-loan',
  path: '/loan_risk_low_liquidity',
  schema: lowLiquidityRequest,
  amounts: 'both',
  query: FULL_QUERY,
  answer: answering(CAPPED_LOAN),
  ...loanRequests<LowLiquidityRequest>('capped-loan'),
};
