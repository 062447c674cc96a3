/**
 * The isolated perpetual position of methodology part 7, written down sentence by sentence.
 */
import type { PerpetualProduct } from '#src/core/plan/simulation-plan.js';

export interface PlainPosition {
  marginCall: boolean;
  liquidation: boolean;
  finalEquity: number;
  accumulatedFunding: number;
  maxEquityDrawdown: number;
  medianLeverage: number;
  /**
   * How near the equity came to a threshold at any step, in units of the larger of initial equity and notional: a path
   * that lies within rounding of one may be liquidated at this step or at a later one.
   */
  nearestThreshold: number;
}

/** Runs one position on relative prices S(t) / S(0), t = 0..T. */
export function plainPosition(product: PerpetualProduct, relative: number[]): PlainPosition {
  const q = product.quantity;
  const long = q > 0;
  const notionalAt = (price: number) =>
    product.contract === 'linear' ? Math.abs(q) * price : Math.abs(q) / price;
  const pnlAt = (price: number) =>
    product.contract === 'linear'
      ? q * (price - product.entryPrice)
      : q * (1 / product.entryPrice - 1 / price);
  const equities = [product.initialMargin + product.unrealizedPnl];
  const leverages = [notionalAt(product.startPrice) / equities[0]];
  let booked = 0;
  let marginCall = false;
  let liquidation = false;
  let nearestThreshold = Number.POSITIVE_INFINITY;
  if (product.equityBefore !== undefined) {
    // A shock: the checks of a step come at once, and the peak may be what was before.
    const [shocked] = equities;
    const notional = notionalAt(product.startPrice);
    const maintenance = (product.maintenanceMarginRate + product.takerFeeRate) * notional;
    marginCall = shocked <= product.marginCallMultiple * maintenance;
    liquidation = shocked <= maintenance;
    const left = liquidation ? Math.max(0, shocked - product.takerFeeRate * notional) : shocked;
    equities.splice(0, 1, product.equityBefore, left);
    if (liquidation) leverages.splice(0, 1, 0);
  }
  for (let t = 1; t < relative.length && !liquidation; t++) {
    const price = product.startPrice * relative[t];
    for (let k = 0; k < product.settlements[t - 1]; k++) {
      const payment = notionalAt(price) * product.fundingRatePerInterval;
      const flow = long ? -payment : payment;
      booked += product.debitsOnly ? Math.min(0, flow) : flow;
    }
    let equity = product.initialMargin + pnlAt(price) + booked;
    const fee = product.takerFeeRate * notionalAt(price);
    const maintenance = product.maintenanceMarginRate * notionalAt(price) + fee;
    for (const threshold of [maintenance, product.marginCallMultiple * maintenance]) {
      const scale = Math.max(equities[0], notionalAt(price));
      nearestThreshold = Math.min(nearestThreshold, Math.abs(equity - threshold) / scale);
    }
    if (equity <= product.marginCallMultiple * maintenance) marginCall = true;
    if (equity <= maintenance) {
      liquidation = true;
      equity = Math.max(0, equity - fee);
    } else {
      leverages.push(notionalAt(price) / equity);
    }
    equities.push(equity);
  }
  let peak = Number.NEGATIVE_INFINITY;
  const drawdowns = equities.map(equity => {
    peak = Math.max(peak, equity);
    return equity - peak;
  });
  const sorted = leverages.sort((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  const upper = Math.ceil((sorted.length - 1) / 2);
  return {
    marginCall,
    liquidation,
    finalEquity: equities[equities.length - 1],
    accumulatedFunding: booked,
    maxEquityDrawdown: Math.min(...drawdowns),
    medianLeverage: (sorted[middle] + sorted[upper]) / 2,
    nearestThreshold,
  };
}
