/**
 * The mark prices of margin call and liquidation of a perpetual position at its start.
 *
 * Gives: prices, and their distances in standard deviations of the log price over the trade. Funding moves both prices during the trade;
 * these are the prices before it.
 */
import type { PerpetualProduct } from '../../core/plan/simulation-plan.ts';
import { notionalAt, type Position, profitAt } from './position.ts';

/** A position with its margin in margin currency and the multiple of the maintenance margin at its margin call. */
export type MarginedPosition = Position & Pick<PerpetualProduct, 'initialMargin' | 'marginCallMultiple'>;

/**
 * The price P at which initial margin + PnL(P) = rate x notional(P); undefined without a positive price: the margin covers any loss.
 *
 * Linear, q units with sign: P = (entry - margin / q) / (1 - sign(q) rate). Inverse, n USD with sign:
 * P = n (1 + sign(n) rate) / (margin + n / entry).
 *
 * @param rate required margin, a fraction of the notional at the mark
 */
export function priceAtMarginRate(position: MarginedPosition, rate: number): number | undefined {
  const { contract, quantity, entryPrice, initialMargin } = position;
  const side = Math.sign(quantity);
  // From a rate of 1 on, the required margin of a long linear or a short inverse position outgrows its profit: P lies on the other side
  // of the start, by the same formulae.
  const price =
    contract === 'linear'
      ? (entryPrice - initialMargin / quantity) / (1 - side * rate)
      : (quantity * (1 + side * rate)) / (initialMargin + quantity / entryPrice);
  return price > 0 && price < Number.POSITIVE_INFINITY ? price : undefined;
}

/** Whether the equity at the start is at or below a fraction of the notional. */
function isWithin(position: MarginedPosition, rate: number): boolean {
  const { startPrice, initialMargin } = position;
  return initialMargin + profitAt(position, startPrice) <= rate * notionalAt(position, startPrice);
}

/**
 * The member `Model` of a perpetual: prices in USD, distances as |ln(P / P_0)| / (sigma sqrt(T)), 0 where it is called at the start.
 *
 * @param annualVolatility sigma, fraction per year; undefined where the methodology has no model, or it is 0
 * @param years T, length of the trade
 */
export function marginPrices(
  position: MarginedPosition,
  annualVolatility: number | undefined,
  years: number,
): Record<string, number | null> {
  const deviation = annualVolatility === undefined ? 0 : annualVolatility * Math.sqrt(years);
  const distance = (rate: number, price: number | undefined) => {
    if (deviation === 0) return null;
    if (isWithin(position, rate)) return 0;
    return price === undefined ? null : Math.abs(Math.log(position.startPrice / price)) / deviation;
  };
  const { maintenanceMarginRate, takerFeeRate, marginCallMultiple } = position;
  const requiredRate = maintenanceMarginRate + takerFeeRate;
  const liquidation = priceAtMarginRate(position, requiredRate);
  const callRate = marginCallMultiple * requiredRate;
  const marginCall = priceAtMarginRate(position, callRate);
  return {
    start_price: position.startPrice,
    liquidation_price: liquidation ?? null,
    margin_call_price: marginCall ?? null,
    liquidation_distance: distance(requiredRate, liquidation),
    margin_call_distance: distance(callRate, marginCall),
    annual_volatility: annualVolatility ?? null,
    maintenance_margin_rate: maintenanceMarginRate,
    taker_fee_rate: takerFeeRate,
  };
}
