/** The request of /isolated_perp_risk: one position in one market. The body is flat; it narrows by `model` and by `contract_type`. */
import { z } from 'zod';
import { type MethodologyName, methodologiesOf } from '../../models/methodology/methodologies.ts';
import type { Methodology } from '../../models/methodology/methodology.ts';
import type { Day } from '../../text/calendar-date.ts';
import {
  analysisDate,
  choice,
  entryPrice,
  fundingIntervalHours,
  fundingRateOrHistorical,
  MAX_PERPETUAL_PATHS,
  maintenanceAmount,
  marginRate,
  markPrice,
  mcIter,
  meaning,
  modelLookback,
  positionSize,
  positiveAmount,
  signedAmount,
  symbol,
  takerFeeRate,
  tradeDurationHours,
} from '../request/fields.ts';
import { perDay } from '../request/parse.ts';
import { type PriceShock, priceShock, shockedAssetsAreUsed } from '../request/price-shock.ts';
import { proxies } from '../request/proxies.ts';
import { rule } from '../request/rules.ts';
import type { Resolved } from '../resolved.ts';
import { choiceBetween, type DrawnMembers, termsUnder } from '../typed-request.ts';

const MAX_LOOKBACK_DAYS = 1000;
const DEFAULT_PATHS = 1000;

const shockedMarketIsUsed = shockedAssetsAreUsed<{
  readonly market: string;
  readonly price_shock?: PriceShock | undefined;
}>(['market'], ({ market }) => [market]);

/** The amount and the rate of a bracket belong together: the rate of the server may be of another one. */
const amountHasItsRate = rule<{
  readonly maintenance_margin_rate?: number | undefined;
  readonly maintenance_amount?: number | undefined;
}>(
  ['maintenance_margin_rate', 'maintenance_amount'],
  'maintenance_amount',
  terms => terms.maintenance_amount === undefined || terms.maintenance_margin_rate !== undefined,
  () => 'absent, or beside maintenance_margin_rate, the rate of its bracket',
  ({ maintenance_amount: amount }) => `${amount} without a rate`,
);

export const perpetualRequest = perDay((today: Day, resolve) => {
  const position = {
    market: meaning(symbol(resolve), 'Symbol of the underlying asset, in any case.'),
    model_lookback: modelLookback(1, MAX_LOOKBACK_DAYS),
    proxy: proxies(resolve),
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
    maintenance_amount: maintenanceAmount.optional(),
    taker_fee_rate: takerFeeRate.optional(),
    analysis_date: analysisDate(today),
    unrealized_pnl: meaning(
      signedAmount,
      'Unsettled profit or loss at the start: USD for linear, asset units for inverse contracts. Default: that at mark_price; without one 0, so that the mark is entry_price. Both are refused where they contradict each other.',
      'margin currency',
    ).optional(),
    mark_price: markPrice.optional(),
    liquidation_remainder: meaning(
      choice(['returned', 'kept']),
      'What is left of the margin after a liquidation: returned to the holder (default), or kept by the venue, as is usual.',
    ).optional(),
    price_shock: priceShock(resolve),
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
  const under = (methodology: Methodology, terms: typeof linear | typeof inverse) =>
    termsUnder(methodology, {
      terms,
      mostLookbackDays: MAX_LOOKBACK_DAYS,
      rules: [shockedMarketIsUsed, amountHasItsRate],
      paths: mcIter(MAX_PERPETUAL_PATHS).default(DEFAULT_PATHS),
      after: { model: z.literal(methodology.name) },
    });
  const taken = methodologiesOf('perpetual');
  const byContract = taken.map(methodology =>
    choiceBetween(
      'contract_type',
      [under(methodology, linear), under(methodology, inverse)],
      ['linear', 'inverse'],
    ),
  );
  return choiceBetween(
    'model',
    byContract,
    taken.map(({ name }) => name),
  ) as unknown as z.ZodType<PerpetualOf<typeof linear> | PerpetualOf<typeof inverse>>;
});

type PerpetualOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> &
  DrawnMembers & { readonly model: MethodologyName };

export type PerpetualTerms = z.infer<ReturnType<typeof perpetualRequest>>;
export type PerpetualRequest = Resolved<PerpetualTerms>;
/** The terms with the profit at the mark of the start. */
export type MarkedTerms = PerpetualTerms & { readonly unrealized_pnl: number };
