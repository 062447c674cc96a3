/**
 * Optional members of a real loan: under way, bearing interest, with a borrower who answers calls.
 *
 * Must not know: the operations, and the rules between members.
 */
import {
  durationDays,
  identifier,
  meaning,
  members,
  number,
  ratio,
  rowSaleCost,
  wholeNumber,
  yesOrNo,
} from './fields.ts';

/** The LTV in place of the ratio `to`. */
const toLtv = meaning(
  number('above 0 and below 1.5').gt(0).lt(1.5),
  'The same as an LTV, loan over collateral: 1 / to.',
  'loan value / collateral value',
).optional();

const calledHoursAgo = meaning(
  number('from 0 to 87600 hours').min(0).max(87_600),
  'Hours since the open margin call. Only for a loan already in call (N below M).',
  'hours',
).optional();

export const interestRate = meaning(
  number('from -0.5 to 10 a year').min(-0.5).max(10),
  'Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 times the initial debt. Default: no interest.',
  'fraction per year',
).optional();

const borrowerName = meaning(
  identifier,
  'Name of the borrower, 1 to 64 characters. Loans of one borrower share the random draws that decide whether a call is answered.',
).optional();

export const topUp = meaning(
  members({
    share: meaning(
      number('from 0 to 1').min(0).max(1),
      'Probability that the borrower answers a margin call.',
      'fraction',
    ),
    delay_hours: meaning(
      wholeNumber(1, 8760),
      'Hours from a margin call to the answer; at most mc_top_up.',
      'hours',
    ),
    to: meaning(ratio, 'Ratio after the top-up: above M and at least R. Default: R.').optional(),
    to_ltv: toLtv,
  }),
  'The borrower answers each margin call with this probability and adds collateral. Default: no call is answered.',
).optional();

/** The members beside the common members of loans. */
export const underWayMembers = {
  called_hours_ago: calledHoursAgo,
  interest_rate: interestRate,
  top_up: topUp,
  borrower: borrowerName,
};

export const partialSale = meaning(
  members({
    to: meaning(
      ratio,
      'Ratio after the sale, at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv.',
    ).optional(),
    to_ltv: toLtv,
    max_share: meaning(
      number('above 0 and at most 1').gt(0).max(1),
      'Largest share of the debt that one sale repays.',
      'fraction',
    ).default(1),
  }),
  'A liquidation or closeout sells just enough to restore this ratio. Default: it sells everything.',
).optional();

/** What is known of a loan for its stage; used with `credit`. */
const creditMembers = {
  stage: meaning(
    wholeNumber(1, 3),
    'Stage of the loan by IFRS 9, in place of that of the rules of credit.',
    'none',
  ).optional(),
  days_past_due: meaning(
    number('from 0 to 36500 days').min(0).max(36_500),
    'Days since the oldest payment that is due. Default: none is due.',
    'days',
  ).optional(),
  origination_pd: meaning(
    number('above 0 and at most 1').gt(0).max(1),
    'Probability of default that was expected at origination for the period that now remains; pd_times of stage_2 compares with it.',
    'fraction',
  ).optional(),
  credit_impaired: meaning(
    yesOrNo,
    'Bought or originated credit-impaired: never in stage 1, and its ECL is EL. Default: false.',
  ).optional(),
};

/** The members of a book's row beside the common members of loans. */
export const rowMembers = {
  ...underWayMembers,
  ...creditMembers,
  sale_cost: rowSaleCost,
  partial_sale: partialSale,
  maturity_days: meaning(
    durationDays.nullable(),
    'Days to the maturity, at least loan_duration; null: the loan has none. A replay follows the loan until then, and the simulation after it for loan_duration at most. Default: loan_duration.',
    'days',
  ).optional(),
};
