/** /loan_risk: the possible outcomes of one loan over its term (methodology part 4). */
import { sumOfWeights } from '../../core/plan/ratio-path.ts';
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

/** Collateral over debt of the baskets at the end, relative to the start, below which the loan is called, liquidated or under water. */
function barriersOf({
  portfolio,
  nominalRatio,
  marginCallRatio,
  liquidationRatio,
  debtGrowth = 1,
}: LoanProduct): readonly number[] {
  const start =
    (nominalRatio * sumOfWeights(portfolio.collateralWeights)) / sumOfWeights(portfolio.loanWeights);
  return [marginCallRatio, liquidationRatio, 1].map(ratio => (ratio * debtGrowth) / start);
}

const LOAN: QuestionRow<LoanRiskRequest, LoanProduct> = {
  resultMember: 'Output',
  need: loanNeed,
  prepare({ request, set, context }) {
    if (context.query.sampling !== 'tail') return set;
    const product = loanProduct(request, request.terms, set);
    const { portfolio, steps } = product;
    const exposed = { collateral: portfolio.collateralWeights, debt: portfolio.loanWeights };
    const gbm = set.scenarios as GbmScenarios;
    return { ...set, scenarios: shiftedScenarios(gbm, exposed, steps, context.seed, barriersOf(product)) };
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
