/** The request of /loan_origination: a loan without N, M and R, and the terms of their search. */
import type { z } from 'zod';
import { isLossScore, ORIGINATION_SCORES, type ScoreName } from '../../core/figures/origination.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { loanMembers } from '../loan/request.ts';
import { type Basis, loanReading } from '../loan/resolve.ts';
import { debtStaysPositive } from '../loan/under-way.ts';
import { loanAmounts } from '../request/amounts.ts';
import {
  choice,
  errorTolerance,
  finiteNumber,
  meaning,
  members,
  ratio,
  ratioOr,
  saleCost,
  saleDelayHours,
} from '../request/fields.ts';
import { interestRate } from '../request/loan-fields.ts';
import { oneLiquidationRatio, type Ratios, resolvedRatio } from '../request/ltv.ts';
import { perDay } from '../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../request/price-shock.ts';
import {
  fewDistinctSymbols,
  fixedRatioAboveLiquidation,
  fixedRatioInRange,
  type Rule,
  rule,
  searchRangeAboveLiquidation,
  searchRangeNotEmpty,
  targetFitsScore,
  withRules,
} from '../request/rules.ts';
import type { RequestOf } from '../resolved.ts';
import { type DrawnMembers, typedRequest } from '../typed-request.ts';

const optParam = withRules(
  members({
    score_variable: meaning(
      choice(Object.keys(ORIGINATION_SCORES) as readonly ScoreName[]),
      'The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout; PrLoss and ExpectedLossPct are those of /book_risk of this loan alone.',
    ),
    score_target: meaning(
      finiteNumber,
      'Value that score_variable shall have: 0 to 1 for a probability, 0 to 100 for ExpectedLossPct, above 0 for WorstCaseCCR.',
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

const searchedLoan = (today: Day, resolve: ResolveSymbol) => ({
  ...loanMembers(today, resolve),
  ...oneLiquidationRatio,
  ...loanAmounts(resolve),
  interest_rate: interestRate,
  price_shock: priceShock(resolve),
  sale_delay: meaning(
    saleDelayHours.unwrap(),
    'Time from a liquidation or a closeout to the sale of the collateral; with PrLoss and ExpectedLossPct alone. Default: 24.',
    'hours',
  ).optional(),
  sale_cost: meaning(
    saleCost.unwrap(),
    'Share of the proceeds that a sale costs; with PrLoss and ExpectedLossPct alone. Default: 0.01.',
    'fraction',
  ).optional(),
  opt_param: meaning(optParam, 'Which figure shall come to which value, and where to search.'),
});

type SentSearch = z.infer<z.ZodObject<ReturnType<typeof searchedLoan>>> & DrawnMembers;

/** Sales of /book_risk where the score is a loss; its defaults are those of the book. */
const USUAL_SALE = { sale_delay: saleDelayHours.parse(undefined), sale_cost: saleCost.parse(undefined) };
const saleOfLossScore = (member: keyof typeof USUAL_SALE) =>
  rule<SentSearch>(
    ['opt_param.score_variable', member],
    member,
    terms => terms[member] === undefined || isLossScore(terms.opt_param.score_variable),
    ({ opt_param }) =>
      `absent, since ${opt_param.score_variable} depends on no sale; PrLoss and ExpectedLossPct do`,
    terms => Number(terms[member]),
  );

const SEARCH_RULES: readonly Rule<SentSearch & Basis & Ratios<'L'>>[] = [
  fewDistinctSymbols,
  searchRangeAboveLiquidation,
  fixedRatioAboveLiquidation('M'),
  fixedRatioAboveLiquidation('R'),
  debtStaysPositive,
  shockedBasketsAreUsed,
  saleOfLossScore('sale_delay'),
  saleOfLossScore('sale_cost'),
];

export const ORIGINATION_READING = loanReading({
  schema: perDay((today: Day, resolve) =>
    typedRequest('origination', { terms: searchedLoan(today, resolve) }),
  ),
  members: searchedLoan,
  sides: 'loan',
  terms(sent: SentSearch, basis, faults) {
    const terms = { ...sent, ...basis, L: resolvedRatio(sent, 'L', faults) };
    faults.judge(terms, SEARCH_RULES);
    return isLossScore(sent.opt_param?.score_variable ?? '') ? { ...USUAL_SALE, ...terms } : terms;
  },
});

export type LoanOriginationRequest = RequestOf<typeof ORIGINATION_READING>;
export type SearchTerms = LoanOriginationRequest['terms'];
