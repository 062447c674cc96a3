/** /loan_risk: the possible outcomes of one loan over its term (methodology part 4). */
import type { GbmScenarios, LoanProduct } from '../../core/plan/simulation-plan.ts';
import { shiftedScenarios } from '../../models/calibration/shifted-scenarios.ts';
import { answering, type QuestionRow, runOnce } from '../answer.ts';
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
import { LOAN_READING, type LoanRiskRequest } from './request.ts';

const LOAN: QuestionRow<LoanRiskRequest, LoanProduct> = {
  resultMember: 'Output',
  need: loanNeed,
  prepare({ request, set, context }) {
    if (context.query.sampling !== 'tail') return set;
    const { portfolio, steps } = loanProduct(request, request.terms, set);
    const exposed = { collateral: portfolio.collateralWeights, debt: portfolio.loanWeights };
    const scenarios = shiftedScenarios(set.scenarios as GbmScenarios, exposed, steps, context.seed);
    return { ...set, scenarios };
  },
  product: ({ request, set }) => loanProduct(request, request.terms, set),
  run: (plan, asked) => runOnce(plan, asked, { traced: true }),
  result: loanResult,
  accuracy: accuracyOfLoan,
  distribution: distributionOfLoan,
  model: levelsOfLoan,
  warnings: loanWarnings,
};

export const LOAN_QUESTION: Question<LoanRiskRequest> = {
  name: 'loan',
  path: '/loan_risk',
  ...LOAN_READING,
  query: { ...FULL_QUERY, sampling: ['tail'] },
  answer: answering(LOAN),
  bodyBytes: BODY_BYTES,
  ...loanRequests<LoanRiskRequest>('loan'),
  samplingFaults: ({ methodology }, sampling) => samplingFaults('loan', methodology, sampling),
};
