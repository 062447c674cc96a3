/** The question /book_risk. */
import { countOfSingleLoans } from '../../core/plan/book-lending.ts';
import { stepsOfDays } from '../../core/plan/grid.ts';
import { answering } from '../answer.ts';
import { COMMON_QUERY, type Question } from '../question.ts';
import { kindOf, samplingFaults } from '../sampling.ts';
import { paramsMember, pathsOf, workload } from '../workload.ts';
import { BOOK } from './book.ts';
import { type BookRiskRequest, bookRiskSchema } from './request.ts';

/** Times the work of plain paths that weighted ones take, roughly. */
const TAIL_PASSES = 3;

export const BOOK_QUESTION: Question<BookRiskRequest> = {
  name: 'book',
  path: '/book_risk',
  schema: bookRiskSchema,
  amounts: 'both',
  query: { ...COMMON_QUERY, include: ['accuracy', 'model', ...COMMON_QUERY.include], sampling: ['tail'] },
  answer: answering(BOOK),
  workload({ type, params }, sampling) {
    const { symbols, ids, durationDays, lending } = params.loans;
    const longest = durationDays.reduce((a, b) => Math.max(a, b), 0);
    return workload(
      {
        product: 'book',
        model: kindOf(type, sampling),
        paths: pathsOf(params),
        steps: stepsOfDays(longest, 1) + params.sale_delay,
        assets: symbols.length,
        loans: ids.length,
        singleLoans: lending === undefined ? 0 : countOfSingleLoans(lending),
      },
      params.model_lookback,
      // Paths with weights are followed one by one (docs/decisions/tail-sampling.md).
      { passes: sampling === 'tail' ? TAIL_PASSES : 1 },
    );
  },
  samplingFaults: ({ type }, sampling) => samplingFaults('book', type, sampling),
  planMember: paramsMember('loans'),
  /** The first loan with the asset. */
  seriesMember({ params: { loans } }, asset) {
    const { symbols, firstLoan, byAmounts } = loans;
    const at = symbols.indexOf(asset);
    if (at < 0) return undefined;
    for (const [map, weights] of [
      ['collateral_weights', loans.collateralWeights],
      ['loan_weights', loans.loanWeights],
    ] as const) {
      const loan = firstLoan.find((_, b) => weights[b * symbols.length + at] > 0);
      if (loan === undefined) continue;
      // Where weights follow from amounts, these were sent.
      const member = byAmounts[loan] === 1 ? map.replace('_weights', '') : map;
      return `params.loans.${loan}.${member}.${asset}`;
    }
    return undefined;
  },
};
