/** The mark price that ends an isolated position when no funding is paid. */

export interface IsolatedPosition {
  readonly contract: 'linear' | 'inverse';
  /** linear: asset units; inverse: USD. Negative is short. */
  readonly quantity: number;
  /** USD. */
  readonly entryPrice: number;
  /** Margin currency: USD for linear, coins for inverse. */
  readonly initialMargin: number;
}

/**
 * Price P at which initial margin + PnL(P) = rate x notional(P), the notional at the mark:
 * linear long (e - m/q) / (1 - rate), linear short (e + m/q) / (1 + rate),
 * inverse long n (1 + rate) / (m + n/e), inverse short n (1 - rate) / (n/e - m), with q and n taken positive.
 *
 * @param rate maintenance margin as a fraction of the notional
 * @returns USD, or undefined where no positive price does: the margin covers any loss
 */
export function liquidationPrice(position: IsolatedPosition, rate: number): number | undefined {
  const { contract, quantity, entryPrice, initialMargin } = position;
  const size = Math.abs(quantity);
  const long = quantity > 0;
  let price: number;
  if (contract === 'linear') {
    const margin = initialMargin / size;
    price = long ? (entryPrice - margin) / (1 - rate) : (entryPrice + margin) / (1 + rate);
  } else {
    const entryValue = size / entryPrice;
    price = long
      ? (size * (1 + rate)) / (entryValue + initialMargin)
      : (size * (1 - rate)) / (entryValue - initialMargin);
  }
  return price > 0 && price < Number.POSITIVE_INFINITY ? price : undefined;
}

/** Initial margin that puts the liquidation price at `price`: the same equation solved for m. */
export function marginOfLiquidationPrice(
  position: Omit<IsolatedPosition, 'initialMargin'>,
  price: number,
  rate: number,
): number {
  const { contract, quantity, entryPrice } = position;
  const size = Math.abs(quantity);
  const pnl =
    contract === 'linear' ? quantity * (price - entryPrice) : quantity * (1 / entryPrice - 1 / price);
  const notional = contract === 'linear' ? size * price : size / price;
  return rate * notional - pnl;
}
