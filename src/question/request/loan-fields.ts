/**
 * Optional members of a real loan: under way, bearing interest, with a borrower who answers calls.
 *
 * Must not know: the operations, and the rules between members.
 */
import { identifier, meaning, members, number, ratio, rowSaleCost, wholeNumber } from './fields.ts';

/** The LTV in place of the ratio `to`. */
const toLtv = meaning(
  number('above 0 and below 1.5').gt(0).lt(1.5),
  'The same as a ratio of loan over collateral: 1 / to.',
  'loan value / collateral value',
).optional();

const calledHoursAgo = meaning(
  number('from 0 to 87600 hours').min(0).max(87_600),
  'Hours since the margin call that is open at the start, where the loan begins called: N lies below M.',
  'hours',
).optional();

export const interestRate = meaning(
  number('from -0.5 to 10 a year').min(-0.5).max(10),
  'Simple interest per year of 365 days: the debt at the end of the term is 1 + interest_rate x hours / 8760 of that at the start. None where it is absent.',
  'fraction per year',
).optional();

const borrowerName = meaning(
  identifier,
  'Name of the borrower, 1 to 64 characters: the draws of top_up belong to it.',
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
    to: meaning(
      ratio,
      'Collateral over loan that an answer restores: at least M and R, and above M; R where it is absent.',
    ).optional(),
    to_ltv: toLtv,
  }),
  'The borrower answers each margin call with this probability and adds collateral; nobody answers where it is absent.',
).optional();

/** The members beside those of every loan. */
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
      'Collateral over loan that a sale restores at the prices of its order: above M, at least R, and above 1 after its cost. Or to_ltv.',
    ).optional(),
    to_ltv: toLtv,
    max_share: meaning(
      number('above 0 and at most 1').gt(0).max(1),
      'Most of the debt that one sale repays.',
      'fraction',
    ).default(1),
  }),
  'A liquidation or a closeout sells only what restores this ratio; everything where it is absent.',
).optional();

/** The members of a row of a book beside those of every loan. */
export const rowMembers = {
  ...underWayMembers,
  sale_cost: rowSaleCost,
  partial_sale: partialSale,
};
