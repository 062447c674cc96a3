/** The question /loan_risk. */
import { answering } from '../answer.ts';
import { FULL_QUERY, type Question } from '../question.ts';
import { loanRequests } from '../workload.ts';
import { LOAN } from './loan.ts';
import { type LoanRiskRequest, loanRiskRequest } from './request.ts';

export const LOAN_QUESTION: Question<LoanRiskRequest> = {
  name: 'loan',
  path: '/loan_risk',
  schema: loanRiskRequest,
  query: FULL_QUERY,
  answer: answering(LOAN),
  ...loanRequests<LoanRiskRequest>('loan'),
};
