/** The question /loan_origination. */
import { answering } from '../answer.ts';
import { FULL_QUERY, type Question } from '../question.ts';
import { loanRequests } from '../workload.ts';
import { ORIGINATION } from './origination.ts';
import { mostPasses } from './ratios.ts';
import { type LoanOriginationRequest, loanOriginationRequest } from './request.ts';

export const ORIGINATION_QUESTION: Question<LoanOriginationRequest> = {
  name: 'origination',
  path: '/loan_origination',
  schema: loanOriginationRequest,
  amounts: 'loan',
  query: FULL_QUERY,
  answer: answering(ORIGINATION),
  // A pass over the candidates is weighed as one over a loan.
  ...loanRequests<LoanOriginationRequest>('loan', ({ params }) => mostPasses(params), 'origination'),
};
