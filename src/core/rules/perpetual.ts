/**
 * The isolated perpetual position: docs/methodology.md, part 8 (Isolated perpetuals).
 *
 * Takes: a position, and prices by the hour relative to the start. Gives: the figures of that path, in margin currency.
 */
import type { PerpetualProduct } from '../plan/simulation-plan.ts';

export interface PositionOnPath {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly finalEquity: number;
  readonly accumulatedFunding: number;
  readonly maxEquityDrawdown: number;
  readonly medianLeverage: number;
  /** What was compared at each hour; equity before a fee of liquidation. */
  readonly checks: readonly Check[];
}

export interface Check {
  readonly notional: number;
  readonly equity: number;
  readonly required: number;
}

/** Notional at a mark price: docs/methodology.md, "Isolated perpetuals". */
function notionalAt({ contract, quantity: q }: PerpetualProduct, price: number): number {
  return contract === 'linear' ? Math.abs(q) * price : Math.abs(q) / price;
}

/** PnL at a mark price: docs/methodology.md, "Isolated perpetuals". */
function pnlAt({ contract, quantity: q, entryPrice }: PerpetualProduct, price: number): number {
  return contract === 'linear' ? q * (price - entryPrice) : q * (1 / entryPrice - 1 / price);
}

/** Margin call and liquidation come at equality. */
const isCalled = ({ marginCallMultiple }: PerpetualProduct, { equity, required }: Check) =>
  equity <= marginCallMultiple * required;
const isLiquidated = ({ equity, required }: Check) => equity <= required;

/**
 * One path of a position: docs/methodology.md, "One hour".
 *
 * @param relative P_t / P_0, t = 0..T
 */
export function positionOnPath(position: PerpetualProduct, relative: readonly number[]): PositionOnPath {
  const { startPrice, initialMargin, unrealizedPnl, equityBefore, takerFeeRate, keepsRemainder } = position;
  const { maintenanceAmount = 0 } = position;
  const checkAt = (price: number, equity: number): Check => {
    const notional = notionalAt(position, price);
    const margin = (position.maintenanceMarginRate + takerFeeRate) * notional;
    return { notional, equity, required: Math.max(0, margin - maintenanceAmount) };
  };
  const afterFee = ({ equity, notional }: Check) =>
    keepsRemainder === true ? 0 : Math.max(0, equity - takerFeeRate * notional);

  const start = checkAt(startPrice, initialMargin + unrealizedPnl);
  const equities = [equityBefore ?? start.equity];
  const leverages = [start.notional / start.equity];
  const checks: Check[] = [];
  let booked = 0;
  let marginCall = false;
  let liquidation = false;
  if (equityBefore !== undefined) {
    // A shock: the checks come at once, and the equity before it is the first peak (docs/lending.md).
    marginCall = isCalled(position, start);
    liquidation = isLiquidated(start);
    equities.push(liquidation ? afterFee(start) : start.equity);
    if (liquidation) leverages[0] = 0;
  }

  for (let t = 1; t < relative.length && !liquidation; t++) {
    const price = startPrice * relative[t];
    booked += position.settlements[t - 1] * fundingOf(position, price);
    const check = checkAt(price, initialMargin + pnlAt(position, price) + booked);
    checks.push(check);
    if (isCalled(position, check)) marginCall = true;
    liquidation = isLiquidated(check);
    equities.push(liquidation ? afterFee(check) : check.equity);
    if (!liquidation) leverages.push(check.notional / check.equity);
  }

  let peak = Number.NEGATIVE_INFINITY;
  let maxEquityDrawdown = 0;
  for (const equity of equities) {
    peak = Math.max(peak, equity);
    maxEquityDrawdown = Math.min(maxEquityDrawdown, equity - peak);
  }
  return {
    marginCall,
    liquidation,
    finalEquity: equities[equities.length - 1],
    accumulatedFunding: booked,
    maxEquityDrawdown,
    medianLeverage: medianOf(leverages),
    checks,
  };
}

/** What one settlement books: docs/methodology.md, "One hour". A long pays a positive rate; `debitflat` books debits only. */
function fundingOf(position: PerpetualProduct, price: number): number {
  const flow = -Math.sign(position.quantity) * notionalAt(position, price) * position.fundingRatePerInterval;
  return position.debitsOnly ? Math.min(0, flow) : flow;
}

/** The middle value, or the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}
