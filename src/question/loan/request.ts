/** The request of /loan_risk, and the members that it shares with the other operations on loans. */
import type { z } from 'zod';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { amountMembers, amountPrices, basketsAreSent } from '../request/amounts.ts';
import {
  analysisDate,
  durationDays,
  meaning,
  modelLookback,
  topUpHours,
  valueUsd,
} from '../request/fields.ts';
import { underWayMembers } from '../request/loan-fields.ts';
import {
  ALL_RATIOS,
  callRatios,
  liquidationRatio,
  marginCallAboveLiquidation,
  nominalRatio,
  ratiosAreNoLtvs,
  ratiosAreSent,
  recoveryAboveLiquidation,
  withRatios,
} from '../request/ltv.ts';
import { perDay } from '../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../request/price-shock.ts';
import { fewDistinctSymbols } from '../request/rules.ts';
import { loanBasketMembers } from '../request/weight-map.ts';
import { typedRequest } from '../typed-request.ts';
import {
  calledBelowMarginCall,
  debtStaysPositive,
  nominalNotBelowMarginCallUnlessCalled,
  topUpRules,
} from './under-way.ts';

/** A value that may follow from amounts. After its rules it is present, as in its type. */
export const orAmounts = (value: z.ZodType<number>) =>
  value.optional() as unknown as z.ZodType<number, number>;

/** The members of every loan: the baskets, the window, the term, the size and L. */
export const loanMembers = (today: Day, resolve: ResolveSymbol) => ({
  ...loanBasketMembers(resolve),
  analysis_date: analysisDate(today),
  model_lookback: modelLookback(),
  loan_duration: meaning(durationDays, 'Term of the loan.', 'days'),
  mc_top_up: topUpHours,
  loan_value: orAmounts(meaning(valueUsd, 'Value of the loan at the start; no ratio depends on it.', 'USD')),
  ...liquidationRatio,
});

/** The ratios of a loan without a search. */
export const ratioMembers = { ...nominalRatio, ...callRatios };

/** The rules of a loan with given ratios, which may be under way. */
export const underWayRules = [
  basketsAreSent,
  ratiosAreSent(ALL_RATIOS),
  fewDistinctSymbols,
  ratiosAreNoLtvs,
  marginCallAboveLiquidation,
  nominalNotBelowMarginCallUnlessCalled,
  calledBelowMarginCall,
  recoveryAboveLiquidation,
  debtStaysPositive,
  ...topUpRules,
] as const;

export const loanRiskRequest = perDay((today: Day, resolve) =>
  typedRequest('loan', {
    terms: {
      ...loanMembers(today, resolve),
      ...amountMembers(resolve),
      ...amountPrices(resolve),
      ...ratioMembers,
      ...underWayMembers,
      price_shock: priceShock(resolve),
    },
    rules: [...underWayRules, shockedBasketsAreUsed],
    complete: withRatios(),
  }),
);

/** The members of every loan, processed. */
export type LoanMembers = z.infer<z.ZodObject<ReturnType<typeof loanMembers>>>;

/** A processed /loan_risk request: dates are days, symbols upper-case, defaults filled in. */
export type LoanRiskRequest = z.infer<ReturnType<typeof loanRiskRequest>>;
