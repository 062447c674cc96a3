/** The request of /loan_risk, and the members that it shares with the other operations on loans. */
import type { z } from 'zod';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { amountMembers, amountPrices } from '../request/amounts.ts';
import type { Faults } from '../request/faults.ts';
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
  callRatios,
  type Grace,
  gracePeriod,
  liquidationRatio,
  marginCallAboveLiquidation,
  nominalNotBelowLiquidation,
  nominalRatio,
  type Ratios,
  ratiosAreNoLtvs,
  recoveryAboveLiquidation,
  resolvedGrace,
  resolvedRatios,
} from '../request/ltv.ts';
import { perDay } from '../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../request/price-shock.ts';
import { proxies } from '../request/proxies.ts';
import { fewDistinctSymbols, type Rule } from '../request/rules.ts';
import { loanBasketMembers } from '../request/weight-map.ts';
import type { RequestOf } from '../resolved.ts';
import { type DrawnMembers, typedRequest } from '../typed-request.ts';
import { type Basis, loanReading } from './resolve.ts';
import {
  calledBelowMarginCall,
  debtStaysPositive,
  nominalNotBelowMarginCallUnlessCalled,
  topUpRules,
} from './under-way.ts';

/** The members of every loan: the baskets, the window, the term, the size and L. */
export const loanMembers = (today: Day, resolve: ResolveSymbol) => ({
  ...loanBasketMembers(resolve),
  analysis_date: analysisDate(today),
  model_lookback: modelLookback(),
  proxy: proxies(resolve),
  loan_duration: meaning(durationDays, 'Term of the loan.', 'days'),
  mc_top_up: topUpHours,
  loan_value: meaning(valueUsd, 'Value of the loan at the start; no ratio depends on it.', 'USD').optional(),
  ...liquidationRatio(resolve),
});

/** The ratios of a loan without a search, and its grace period. */
export const ratioMembers = { ...nominalRatio, ...callRatios, ...gracePeriod };

type SentLoan = z.infer<z.ZodObject<ReturnType<typeof givenLoan>>>;

/** The rules of a loan with given ratios, which may be under way. */
const UNDER_WAY_RULES: readonly Rule<SentLoan & Basis & Ratios & Grace>[] = [
  fewDistinctSymbols,
  ratiosAreNoLtvs,
  marginCallAboveLiquidation,
  nominalNotBelowMarginCallUnlessCalled,
  nominalNotBelowLiquidation,
  calledBelowMarginCall,
  recoveryAboveLiquidation,
  debtStaysPositive,
  ...topUpRules,
  shockedBasketsAreUsed,
];

/** The members of /loan_risk. */
export const givenLoan = (today: Day, resolve: ResolveSymbol) => ({
  ...loanMembers(today, resolve),
  ...amountMembers(resolve),
  ...amountPrices(resolve),
  ...ratioMembers,
  ...underWayMembers,
  price_shock: priceShock(resolve),
});

/** The terms of a loan whose ratios are given. */
export function termsOfGivenLoan<Sent extends SentLoan>(
  sent: Sent,
  basis: Basis & { readonly N?: number },
  faults: Faults,
): Sent & Basis & Ratios & Grace {
  const ratios = resolvedRatios(sent, faults, basis);
  const terms = { ...sent, ...basis, ...ratios, ...resolvedGrace(sent, ratios, faults) };
  faults.judge(terms, UNDER_WAY_RULES);
  return terms;
}

const loanRiskRequest = perDay((today: Day, resolve) =>
  typedRequest('loan', { terms: givenLoan(today, resolve) }),
);

export const LOAN_READING = loanReading({
  schema: loanRiskRequest,
  members: givenLoan,
  sides: 'both',
  terms: termsOfGivenLoan<SentLoan & DrawnMembers>,
});

export type LoanRiskRequest = RequestOf<typeof LOAN_READING>;
