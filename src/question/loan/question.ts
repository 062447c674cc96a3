/** /loan_risk: the possible outcomes of one loan over its term (methodology part 4). */
import type { GbmScenarios, LoanProduct } from '../../core/plan/simulation-plan.ts';
import { shiftedScenarios } from '../../models/calibration/shifted-scenarios.ts';
import { answering, type QuestionRow } from '../answer.ts';
import { BODY_BYTES, FULL_QUERY, type Question } from '../question.ts';
import { samplingFaults } from '../sampling.ts';
import { loanRequests } from '../workload.ts';
import {
  accuracyOfLoan,
  distributionOfLoan,
  levelsOfLoan,
  loanProduct,
  loanResult,
  loanWarnings,
} from './loan.ts';
import { loanNeed } from './need.ts';
import { type LoanRiskRequest, loanRiskRequest } from './request.ts';

const LOAN: QuestionRow<LoanRiskRequest, LoanProduct> = {
  resultMember: 'Output',
  traced: true,
  need: ({ params }) => loanNeed(params),
  prepare({ request: { params }, set, context }) {
    if (context.query.sampling !== 'tail') return set;
    const { portfolio, steps } = loanProduct(params, params, set);
    const exposed = { collateral: portfolio.collateralWeights, debt: portfolio.loanWeights };
    const scenarios = shiftedScenarios(set.scenarios as GbmScenarios, exposed, steps, context.seed);
    return { ...set, scenarios };
  },
  product: ({ request: { params }, set }) => loanProduct(params, params, set),
  result: loanResult,
  accuracy: accuracyOfLoan,
  distribution: distributionOfLoan,
  model: levelsOfLoan,
  warnings: loanWarnings,
};

export const LOAN_QUESTION: Question<LoanRiskRequest> = {
  name: 'loan',
  path: '/loan_risk',
  schema: loanRiskRequest,
  amounts: 'both',
  query: { ...FULL_QUERY, sampling: ['tail'] },
  answer: answering(LOAN),
  bodyBytes: BODY_BYTES,
  ...loanRequests<LoanRiskRequest>('loan'),
  samplingFaults: ({ type }, sampling) => samplingFaults('loan', type, sampling),
};
