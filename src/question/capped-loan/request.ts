/** The request of /loan_risk_low_liquidity: a loan, and the markets of its collateral. */
import type { z } from 'zod';
import { amountMembers, amountPrices } from '../../request/amounts.ts';
import { markets, participationRatio, volumeLookback } from '../../request/fields.ts';
import { underWayMembers } from '../../request/loan-fields.ts';
import { withRatios } from '../../request/ltv.ts';
import { perDay } from '../../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../../request/price-shock.ts';
import type { Day } from '../../text/calendar-date.ts';
import { loanMembers, ratioMembers, underWayRules } from '../loan/request.ts';
import { typedRequest } from '../typed-request.ts';

export const lowLiquidityRequest = perDay((today: Day, resolve) =>
  typedRequest('capped-loan', {
    terms: {
      ...loanMembers(today, resolve),
      ...amountMembers(resolve),
      ...amountPrices(resolve),
      ...ratioMembers,
      volume_lookback: volumeLookback,
      markets: markets(resolve),
      participation_ratio: participationRatio,
      ...underWayMembers,
      price_shock: priceShock(resolve),
    },
    rules: [...underWayRules, shockedBasketsAreUsed],
    complete: withRatios(),
  }),
);

export type LowLiquidityRequest = z.infer<ReturnType<typeof lowLiquidityRequest>>;
