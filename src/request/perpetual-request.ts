/**
 * What /isolated_perp_risk may be asked: one position in one market. The body is flat.
 *
 * Takes: today. Gives: a schema whose output narrows by `model` and by `contract_type`.
 */
import { z } from 'zod';
import type { Day } from './calendar-date.ts';
import { choiceBetween, unusedShock, withoutMonteCarlo } from './envelope.ts';
import {
  analysisDate,
  choice,
  entryPrice,
  fundingIntervalHours,
  fundingRate,
  mcIter,
  members,
  modelLookback,
  positionSize,
  positiveAmount,
  signedAmount,
  symbol,
  tradeDurationHours,
  volatilityShock,
} from './fields.ts';
import { perDay } from './parse.ts';

const MAX_PATHS = 100_000;
const DEFAULT_PATHS = 1000;

/** The schema of an /isolated_perp_risk body sent on the day `today`. */
export const perpetualRequest = perDay((today: Day) => {
  const position = {
    market: symbol,
    model_lookback: modelLookback(1, 1000),
    trade_duration_hours: tradeDurationHours,
    funding_method: choice(['flat', 'debitflat']),
    entry_price: entryPrice,
    initial_margin: positiveAmount,
    position_size: positionSize,
    funding_rate: fundingRate,
    funding_interval_hour: fundingIntervalHours,
    analysis_date: analysisDate(today),
    unrealized_pnl: signedAmount.default(0),
  };
  // The size of the other contract type is accepted and echoed.
  const linear = {
    ...position,
    contract_type: z.literal('linear'),
    contract_size: positiveAmount,
    contract_value_usd: positiveAmount.optional(),
  };
  const inverse = {
    ...position,
    contract_type: z.literal('inverse'),
    contract_value_usd: positiveAmount,
    contract_size: positiveAmount.optional(),
  };
  const gbm = {
    model: z.literal('GBM'),
    mc_iter: mcIter(MAX_PATHS).default(DEFAULT_PATHS),
    volatility_shock: volatilityShock,
  };
  const historical = {
    model: z.literal('HISTORICAL'),
    mc_iter: mcIter(MAX_PATHS).optional(),
    ...unusedShock,
  };
  const byContract = { error: choiceBetween('contract_type', ['linear', 'inverse']) };
  return z.discriminatedUnion(
    'model',
    [
      z.discriminatedUnion(
        'contract_type',
        [members({ ...linear, ...gbm }), members({ ...inverse, ...gbm })],
        byContract,
      ),
      z.discriminatedUnion(
        'contract_type',
        [
          members({ ...linear, ...historical }).transform(withoutMonteCarlo),
          members({ ...inverse, ...historical }).transform(withoutMonteCarlo),
        ],
        byContract,
      ),
    ],
    { error: choiceBetween('model', ['GBM', 'HISTORICAL']) },
  );
});

/** A processed /isolated_perp_risk request. */
export type PerpetualRequest = z.infer<ReturnType<typeof perpetualRequest>>;
