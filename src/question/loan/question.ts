/** The question /loan_risk. */
import { answering } from '../answer.ts';
import { FULL_QUERY, type Question } from '../question.ts';
import { samplingFaults } from '../sampling.ts';
import { loanRequests } from '../workload.ts';
import { LOAN } from './loan.ts';
import { type LoanRiskRequest, loanRiskRequest } from './request.ts';

export const LOAN_QUESTION: Question<LoanRiskRequest> = {
  name: 'loan',
  path: '/loan_risk',
  schema: loanRiskRequest,
  amounts: 'both',
  query: { ...FULL_QUERY, sampling: ['tail'] },
  answer: answering(LOAN),
  ...loanRequests<LoanRiskRequest>('loan'),
  samplingFaults: ({ type }, sampling) => samplingFaults('loan', type, sampling),
};
