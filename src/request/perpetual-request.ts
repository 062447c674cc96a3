/**
 * The request of /isolated_perp_risk: one position in one market. The body is flat.
 *
 * Takes: today. Gives: a schema whose output narrows by `model` and by `contract_type`.
 */
import { z } from 'zod';
import type { Day } from '../calendar-date.ts';
import { choiceBetween, HEAVY_TAILED_TYPES, unusedShock, withoutMonteCarlo } from './envelope.ts';
import {
  analysisDate,
  choice,
  entryPrice,
  fundingIntervalHours,
  fundingRateOrHistorical,
  marginRate,
  mcIter,
  meaning,
  members,
  modelLookback,
  positionSize,
  positiveAmount,
  signedAmount,
  symbol,
  takerFeeRate,
  tradeDurationHours,
  volatilityShock,
} from './fields.ts';
import { perDay } from './parse.ts';

const MAX_PATHS = 100_000;
const DEFAULT_PATHS = 1000;

/** The schema of an /isolated_perp_risk body sent on the day `today`. */
export const perpetualRequest = perDay((today: Day, resolve) => {
  const position = {
    market: meaning(symbol(resolve), 'Symbol of the asset that the perpetual is written on, in any case.'),
    model_lookback: modelLookback(1, 1000),
    trade_duration_hours: tradeDurationHours,
    funding_method: meaning(
      choice(['flat', 'debitflat']),
      'flat: funding is paid and received; debitflat: it is only paid.',
    ),
    entry_price: entryPrice,
    initial_margin: meaning(
      positiveAmount,
      'Margin deposited: USD for linear, asset units for inverse contracts.',
      'margin currency',
    ),
    position_size: positionSize,
    funding_rate: fundingRateOrHistorical,
    funding_interval_hour: fundingIntervalHours,
    maintenance_margin_rate: marginRate.optional(),
    taker_fee_rate: takerFeeRate.optional(),
    analysis_date: analysisDate(today),
    unrealized_pnl: meaning(
      signedAmount,
      'Profit or loss at the start that is not settled yet: USD for linear, asset units for inverse contracts.',
      'margin currency',
    ).default(0),
  };
  const contractSize = meaning(positiveAmount, 'Asset units per contract (linear).', 'asset units');
  const contractValue = meaning(positiveAmount, 'Value of a contract (inverse).', 'USD');
  // The size of the other contract type is accepted and echoed.
  const linear = {
    ...position,
    contract_type: z.literal('linear'),
    contract_size: contractSize,
    contract_value_usd: contractValue.optional(),
  };
  const inverse = {
    ...position,
    contract_type: z.literal('inverse'),
    contract_value_usd: contractValue,
    contract_size: contractSize.optional(),
  };
  const drawn = {
    mc_iter: mcIter(MAX_PATHS).default(DEFAULT_PATHS),
    volatility_shock: volatilityShock,
  };
  const historical = {
    model: z.literal('HISTORICAL'),
    mc_iter: mcIter(MAX_PATHS).optional(),
    ...unusedShock,
  };
  const byContract = { error: choiceBetween('contract_type', ['linear', 'inverse']) };
  const drawnBy = <const M extends string>(name: M) => {
    const model = z.literal(name);
    return z.discriminatedUnion(
      'contract_type',
      [members({ ...linear, ...drawn, model }), members({ ...inverse, ...drawn, model })],
      byContract,
    );
  };
  return z.discriminatedUnion(
    'model',
    [
      drawnBy('GBM'),
      drawnBy('STUDENT_T'),
      drawnBy('FHS'),
      drawnBy('BOOTSTRAP'),
      z.discriminatedUnion(
        'contract_type',
        [
          members({ ...linear, ...historical }).transform(withoutMonteCarlo),
          members({ ...inverse, ...historical }).transform(withoutMonteCarlo),
        ],
        byContract,
      ),
    ],
    { error: choiceBetween('model', ['GBM', 'HISTORICAL', ...HEAVY_TAILED_TYPES]) },
  );
});

/** A processed /isolated_perp_risk request. */
export type PerpetualRequest = z.infer<ReturnType<typeof perpetualRequest>>;
