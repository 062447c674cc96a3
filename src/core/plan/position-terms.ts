/**
 * The terms of a perpetual position in units of its initial equity, for the engines in single precision.
 *
 * With v the notional relative to its start, linear and inverse contracts have the same equity, 1 + exposure x (v - 1)
 * + funding x the sum of v over the settlements (docs/decisions/engines.md).
 */
import type { PerpetualProduct } from './product/perpetual.ts';

export interface PositionTerms {
  /** Notional at the start; positive where equity rises with it: a long linear, a short inverse. */
  readonly exposure: number;
  /** Booking of a settlement per unit of relative notional, of constant sign; 0 for a credit that is not booked. */
  readonly funding: number;
  /** Maintenance margin with the fee of closing, per unit of relative notional. */
  readonly maintenance: number;
  /** Equity of a margin call, likewise. */
  readonly marginCall: number;
  /** Fee of closing, likewise. */
  readonly fee: number;
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
  const maintenance = (product.maintenanceMarginRate + product.takerFeeRate) * size;
  return {
    exposure,
    funding: product.debitsOnly && flow > 0 ? 0 : flow * size,
    maintenance,
    marginCall: product.marginCallMultiple * maintenance,
    fee: product.takerFeeRate * size,
  };
}

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
  const required = (product.maintenanceMarginRate + product.takerFeeRate) * Math.abs(signedNotional(product));
  return {
    peak: Math.max(0, equityBefore / equity - 1),
    called: equity <= product.marginCallMultiple * required,
    liquidated: equity <= required,
  };
}
