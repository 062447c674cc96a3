/**
 * What /loan_risk_low_liquidity may be asked: a loan, and the markets that its collateral could be sold on.
 *
 * Takes: today. Gives: a schema whose output is one shape per type.
 */
import { z } from 'zod';
import type { Day } from './calendar-date.ts';
import { choiceBetween, variant } from './envelope.ts';
import {
  markets,
  mcIter,
  members,
  modelLookback,
  participationRatio,
  volatilityShock,
  volumeLookback,
} from './fields.ts';
import { loanMembers, loanRules, ratioMembers } from './loan-risk-request.ts';
import { perDay } from './parse.ts';
import { obeying } from './rules.ts';

/** A GARCH fit to fewer returns than this says nothing. */
const GARCH_MIN_LOOKBACK = 30;

/** The schema of a /loan_risk_low_liquidity body sent on the day `today`. */
export const lowLiquidityRequest = perDay((today: Day) => {
  const terms = {
    ...loanMembers(today),
    ...ratioMembers,
    volume_lookback: volumeLookback,
    markets,
    participation_ratio: participationRatio,
    mc_iter: mcIter(),
    volatility_shock: volatilityShock,
  };
  const gbm = members(terms);
  const garch = members({ ...terms, model_lookback: modelLookback(GARCH_MIN_LOOKBACK) });
  return z.discriminatedUnion(
    'type',
    [variant('GBM', obeying(gbm, ...loanRules)), variant('GARCH', obeying(garch, ...loanRules))],
    { error: choiceBetween('type', ['GBM', 'GARCH']) },
  );
});

/** A processed /loan_risk_low_liquidity request. */
export type LowLiquidityRequest = z.infer<ReturnType<typeof lowLiquidityRequest>>;
