/**
 * The request of /loan_risk_low_liquidity: a loan, and the markets that its collateral could be sold on.
 *
 * Takes: today. Gives: a schema whose output is one shape per type.
 */
import { z } from 'zod';
import type { Day } from '../calendar-date.ts';
import { choiceBetween, HEAVY_TAILED_TYPES, variant } from './envelope.ts';
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
export const lowLiquidityRequest = perDay((today: Day, resolve) => {
  const terms = {
    ...loanMembers(today, resolve),
    ...ratioMembers,
    volume_lookback: volumeLookback,
    markets: markets(resolve),
    participation_ratio: participationRatio,
    mc_iter: mcIter(),
    volatility_shock: volatilityShock,
  };
  const gbm = members(terms);
  const garch = members({ ...terms, model_lookback: modelLookback(GARCH_MIN_LOOKBACK) });
  return z.discriminatedUnion(
    'type',
    [
      variant('GBM', obeying(gbm, ...loanRules)),
      variant('GARCH', obeying(garch, ...loanRules)),
      variant('STUDENT_T', obeying(gbm, ...loanRules)),
      variant('FHS', obeying(gbm, ...loanRules)),
      variant('BOOTSTRAP', obeying(gbm, ...loanRules)),
    ],
    { error: choiceBetween('type', ['GBM', 'GARCH', ...HEAVY_TAILED_TYPES]) },
  );
});

/** A processed /loan_risk_low_liquidity request. */
export type LowLiquidityRequest = z.infer<ReturnType<typeof lowLiquidityRequest>>;
