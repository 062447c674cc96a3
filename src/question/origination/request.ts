/** The request of /loan_origination: a loan without N, M and R, and the terms of their search. */
import type { z } from 'zod';
import { ORIGINATION_SCORES, type ScoreName } from '../../core/figures/origination.ts';
import type { Day } from '../../text/calendar-date.ts';
import { loanMembers } from '../loan/request.ts';
import { debtStaysPositive } from '../loan/under-way.ts';
import { basketsAreSent, loanAmounts } from '../request/amounts.ts';
import { choice, errorTolerance, finiteNumber, meaning, members, ratio, ratioOr } from '../request/fields.ts';
import { interestRate } from '../request/loan-fields.ts';
import { ratiosAreSent, withRatios } from '../request/ltv.ts';
import { perDay } from '../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../request/price-shock.ts';
import {
  fewDistinctSymbols,
  fixedRatioAboveLiquidation,
  fixedRatioInRange,
  searchRangeAboveLiquidation,
  searchRangeNotEmpty,
  targetFitsScore,
  withRules,
} from '../request/rules.ts';
import { typedRequest } from '../typed-request.ts';

const optParam = withRules(
  members({
    score_variable: meaning(
      choice(Object.keys(ORIGINATION_SCORES) as readonly ScoreName[]),
      'The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.',
    ),
    score_target: meaning(
      finiteNumber,
      'Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR.',
      'unit of score_variable',
    ),
    variable_min: meaning(ratio, 'Least value of N, M and R.'),
    variable_max: meaning(ratio, 'Largest value of N, M and R; above variable_min and L.'),
    error_tolerance: errorTolerance,
    M: meaning(
      ratioOr('midpoint'),
      'Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default.',
    ).optional(),
    R: meaning(
      ratioOr('N'),
      'Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default.',
    ).optional(),
  }),
  searchRangeNotEmpty,
  targetFitsScore,
  fixedRatioInRange('M'),
  fixedRatioInRange('R'),
);

export const loanOriginationRequest = perDay((today: Day, resolve) =>
  typedRequest('origination', {
    terms: {
      ...loanMembers(today, resolve),
      ...loanAmounts(resolve),
      interest_rate: interestRate,
      price_shock: priceShock(resolve),
      opt_param: meaning(optParam, 'Which figure shall come to which value, and where to search.'),
    },
    complete: withRatios(['L']),
    rules: [
      basketsAreSent,
      ratiosAreSent(['L']),
      fewDistinctSymbols,
      searchRangeAboveLiquidation,
      fixedRatioAboveLiquidation('M'),
      fixedRatioAboveLiquidation('R'),
      debtStaysPositive,
      shockedBasketsAreUsed,
    ],
  }),
);

export type LoanOriginationRequest = z.infer<ReturnType<typeof loanOriginationRequest>>;
