/** The request of /var: two baskets, their values, horizons and quantiles in the order of the caller. */
import type { z } from 'zod';
import {
  analysisDate,
  horizonsDays,
  meaning,
  modelLookback,
  quantiles,
  valueUsd,
} from '../../request/fields.ts';
import { perDay } from '../../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../../request/price-shock.ts';
import { fewDistinctSymbols } from '../../request/rules.ts';
import { basketMembers } from '../../request/weight-map.ts';
import type { Day } from '../../text/calendar-date.ts';
import { typedRequest } from '../typed-request.ts';

export const valueAtRiskRequest = perDay((today: Day, resolve) =>
  typedRequest('value-at-risk', {
    terms: {
      ...basketMembers(resolve),
      analysis_date: analysisDate(today),
      model_lookback: modelLookback(),
      var_duration: horizonsDays,
      quantile: quantiles,
      loan_value: meaning(valueUsd, 'Value of the loan today.', 'USD'),
      collateral_value: meaning(valueUsd, 'Value of the collateral today.', 'USD'),
      price_shock: priceShock(resolve),
    },
    rules: [fewDistinctSymbols, shockedBasketsAreUsed],
  }),
);

export type ValueAtRiskRequest = z.infer<ReturnType<typeof valueAtRiskRequest>>;
