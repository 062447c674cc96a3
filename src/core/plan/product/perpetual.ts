/** An isolated perpetual position: terms, outcome and contract (methodology part 7). */
import type { Sections } from '../distribution.ts';
import {
  type Declared,
  flag,
  notNegative,
  number,
  oneOf,
  optional,
  positive,
  whole,
  words,
} from '../fields.ts';
import { MAX_STEPS } from '../grid.ts';
import { HOURLY, type ProductContract, USUAL_STEPS } from './contract.ts';

const PERPETUAL_FIELDS = {
  contract: oneOf('linear', 'inverse'),
  /** linear: q in asset units; inverse: n in USD. Negative is short. */
  quantity: number(),
  /** USD. */
  entryPrice: positive,
  /** Mark price P_0 in USD at which PnL = unrealizedPnl. */
  startPrice: positive,
  /** Margin currency: USD for linear, coins for inverse. */
  initialMargin: positive,
  unrealizedPnl: number(),
  /** Equity before a shock to `startPrice`, the first peak: calls and liquidation then apply at the start, too. */
  equityBefore: optional(positive),
  fundingRatePerInterval: number({ above: -1, most: 1 }),
  /** Per step t = 1..T, at index t - 1: how many funding settlements fall into it. */
  settlements: words(({ steps }) => steps),
  /** True for `debitflat`: credits are booked as 0. */
  debitsOnly: flag,
  /** Maintenance margin as a fraction of the notional at the mark. */
  maintenanceMarginRate: positive,
  /** Margin currency: taken from maintenance margin and fee, which then are 0 or more. Absent: 0. */
  maintenanceAmount: optional(notNegative),
  /** Fee of closing, a fraction of the notional at the mark: set aside with the margin, paid in liquidation. */
  takerFeeRate: notNegative,
  /** Whether the venue keeps what a liquidation leaves. */
  keepsRemainder: optional(flag),
  /** Margin call when equity <= this multiple of maintenance margin and fee. */
  marginCallMultiple: positive,
  steps: whole(1, MAX_STEPS),
};

/** One isolated perpetual position on asset 0, hourly steps (methodology part 7). */
export interface PerpetualProduct extends Declared<typeof PERPETUAL_FIELDS> {
  readonly kind: 'perpetual';
}

/** Per-path figures of a perpetual position, in margin currency where they are amounts. */
export interface PerpetualOutcome {
  readonly kind: 'perpetual';
  readonly paths: number;
  readonly marginCalls: number;
  readonly liquidations: number;
  /** Per path, each of length `paths`. */
  readonly finalEquity: Float64Array;
  readonly accumulatedFunding: Float64Array;
  /** Lowest equity minus its running peak, <= 0. */
  readonly maxEquityDrawdown: Float64Array;
  /** Median of notional / equity over t = 0 and every later step with an open position after it. */
  readonly medianLeverage: Float64Array;
  /** Counts of the sections that the contract names, where the plan requests a distribution. */
  readonly distribution?: Float64Array;
}

/** The counts of a perpetual beside its columns: the mark price over that at the start, at the fan's times. */
export const PERPETUAL_SECTIONS = { fan: 'fan' } as const satisfies Sections;

export const PERPETUAL: ProductContract<PerpetualProduct, PerpetualOutcome> = {
  ...HOURLY,
  fields: PERPETUAL_FIELDS,
  merge: {
    paths: 'sum',
    marginCalls: 'sum',
    liquidations: 'sum',
    finalEquity: 'concatenate',
    accumulatedFunding: 'concatenate',
    maxEquityDrawdown: 'concatenate',
    medianLeverage: 'concatenate',
    distribution: 'sum',
  },
  distribution: PERPETUAL_SECTIONS,
  recordFields: () => ['finalEquity', 'accumulatedFunding', 'maxEquityDrawdown', 'medianLeverage', 'flags'],
  // The logarithm of the price, funding, drawdown, and the median of the leverage over the steps.
  stepWork: ({ assets }) => 2 * assets,
  unitTerms: product => {
    const { exposure, funding } = positionTerms(product);
    return [exposure, funding * product.settlements.reduce((sum, due) => sum + due, 0)];
  },
  onlyDouble: product =>
    positionStart(product).liquidated ? 'the shock liquidates the position at the start' : undefined,
  usual: {
    models: ['gbm'],
    assets: { least: 1, most: 1 },
    terms: () => [usualPosition('linear'), usualPosition('inverse')],
  },
};

/**
 * The terms of a position in units of its initial equity, for the engines in single precision.
 *
 * With v the notional relative to its start, linear and inverse contracts have the same equity, 1 + exposure x (v - 1)
 * + funding x the sum of v over the settlements (docs/decisions/perpetuals.md).
 */
export interface PositionTerms {
  /** Notional at the start; positive where equity rises with it: a long linear, a short inverse. */
  readonly exposure: number;
  /** Booking of a settlement per unit of relative notional, with one sign on all paths; 0 for a credit that is not booked. */
  readonly funding: number;
  /** Maintenance margin with the fee of closing, per unit of relative notional. */
  readonly maintenance: number;
  /** Equity of a margin call, likewise. */
  readonly marginCall: number;
  /** Fee of closing, likewise. */
  readonly fee: number;
  /** Relative notional that needs no margin, 0 or more: margins are those of the notional above it. */
  readonly exempt: number;
}

/** Equity at the start in the margin's currency. */
export function initialEquityOf({ initialMargin, unrealizedPnl }: PerpetualProduct): number {
  return initialMargin + unrealizedPnl;
}

/** Notional at the start; positive where equity rises with the notional: a long linear, a short inverse. */
const signedNotional = ({ contract, quantity, startPrice }: PerpetualProduct): number =>
  contract === 'linear' ? quantity * startPrice : -quantity / startPrice;

export function positionTerms(product: PerpetualProduct): PositionTerms {
  const { quantity } = product;
  const exposure = signedNotional(product) / initialEquityOf(product);
  const size = Math.abs(exposure);
  const flow = -Math.sign(quantity) * product.fundingRatePerInterval;
  const requiredRate = product.maintenanceMarginRate + product.takerFeeRate;
  const maintenance = requiredRate * size;
  const { maintenanceAmount = 0 } = product;
  return {
    exposure,
    funding: product.debitsOnly && flow > 0 ? 0 : flow * size,
    maintenance,
    marginCall: product.marginCallMultiple * maintenance,
    // A position is liquidated at or below its maintenance: a fee far above that leaves 0 for sure, as engines do not fall below it.
    fee: product.keepsRemainder === true ? ALL_OF_IT * maintenance : product.takerFeeRate * size,
    exempt: maintenanceAmount / (requiredRate * Math.abs(signedNotional(product))),
  };
}

/** Equity at or below which a position is liquidated: maintenance margin and fee of closing less the amount, 0 or more. */
export const requiredMargin = (
  {
    maintenanceMarginRate,
    takerFeeRate,
    maintenanceAmount = 0,
  }: Pick<PerpetualProduct, 'maintenanceMarginRate' | 'takerFeeRate' | 'maintenanceAmount'>,
  notional: number,
): number => Math.max(0, (maintenanceMarginRate + takerFeeRate) * notional - maintenanceAmount);

/** Multiple of the maintenance that stands for the whole equity, roundings of it included. */
const ALL_OF_IT = 1024;

/** What a liquidation leaves: the equity less the fee of closing; nothing where the venue keeps it. */
export const equityLeft = (
  { takerFeeRate, keepsRemainder = false }: Pick<PerpetualProduct, 'takerFeeRate' | 'keepsRemainder'>,
  equity: number,
  notional: number,
): number => (keepsRemainder ? 0 : Math.max(0, equity - takerFeeRate * notional));

/** The state of a position at a start with shocked prices. */
export interface PositionStart {
  /** Excess of the equity before the shock over that at the start, in units of the latter; 0 without an excess. */
  readonly peak: number;
  readonly called: boolean;
  readonly liquidated: boolean;
}

/** Calls and liquidation apply at the start only after a shock. */
export function positionStart(product: PerpetualProduct): PositionStart {
  const { equityBefore } = product;
  if (equityBefore === undefined) return { peak: 0, called: false, liquidated: false };
  const equity = initialEquityOf(product);
  const required = requiredMargin(product, Math.abs(signedNotional(product)));
  return {
    peak: Math.max(0, equityBefore / equity - 1),
    called: equity <= product.marginCallMultiple * required,
    liquidated: equity <= required,
  };
}

/** Tolerance, so that an interval that divides the hours, such as 1/3, does not lose its last settlement to rounding. */
const ROUNDING = 1e-9;

/**
 * Settlements in each hourly step: those up to step t are floor(t / interval + 1e-9) (methodology 7.4).
 *
 * @param steps T
 * @param intervalHours hours between settlements, > 0, fractions allowed
 * @returns T counts, index t - 1 for step t
 */
export function settlementsPerStep(steps: number, intervalHours: number): Uint32Array {
  const upTo = (t: number) => Math.floor(t / intervalHours + ROUNDING);
  return Uint32Array.from({ length: steps }, (_, i) => upTo(i + 1) - upTo(i));
}

function usualPosition(contract: PerpetualProduct['contract']): PerpetualProduct {
  return {
    kind: 'perpetual',
    contract,
    quantity: contract === 'linear' ? 1 : 100,
    entryPrice: 100,
    startPrice: 100,
    initialMargin: contract === 'linear' ? 20 : 0.2,
    unrealizedPnl: 0,
    fundingRatePerInterval: 0.0001,
    settlements: settlementsPerStep(USUAL_STEPS, 8),
    debitsOnly: false,
    maintenanceMarginRate: 0.005,
    ...(contract === 'inverse' && { maintenanceAmount: 0.001 }),
    takerFeeRate: 0,
    marginCallMultiple: 1.25,
    steps: USUAL_STEPS,
  };
}
