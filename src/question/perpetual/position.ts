/** The position of a request in a plan: quantity, mark price at the start, maintenance margin; or a refusal with the figures behind it. */
import { RiskError } from '../../core/errors.ts';
import type { PerpetualProduct } from '../../core/plan/simulation-plan.ts';
import type { PerpetualRequest } from './request.ts';

/**
 * quantity: position_size x contract_size in asset units of a linear contract, position_size x contract_value_usd in USD of an inverse one.
 * startPrice: mark price at which PnL = unrealized_pnl: entry + pnl / q, or 1 / (1 / entry - pnl / n).
 */
export type Position = Pick<
  PerpetualProduct,
  'contract' | 'quantity' | 'entryPrice' | 'startPrice' | 'maintenanceMarginRate' | 'takerFeeRate'
>;

/**
 * @param maintenanceMarginRate fraction of the notional at the mark
 * @throws RiskError `invalid-request` where the position rounds to 0, no positive mark price has that PnL, or the position is liquidated at it
 */
export function openPosition(request: PerpetualRequest, maintenanceMarginRate: number): Position {
  const { entry_price: entryPrice, unrealized_pnl: pnl } = request;
  const linear = request.contract_type === 'linear';
  const quantity = request.position_size * (linear ? request.contract_size : request.contract_value_usd);
  if (quantity === 0) {
    const unit = linear ? 'contract_size' : 'contract_value_usd';
    const value = linear ? request.contract_size : request.contract_value_usd;
    throw refusal(
      'position_size',
      `is ${request.position_size}, and with ${unit} ${value} the position is too small for a double-precision number.`,
    );
  }
  // 1 / (1 / entry - pnl / n), in a form that gives exactly the entry price for a PnL of 0.
  const startPrice = linear ? entryPrice + pnl / quantity : entryPrice / (1 - (pnl * entryPrice) / quantity);
  if (!(startPrice > 0 && startPrice < Number.POSITIVE_INFINITY)) {
    throw refusal(
      'unrealized_pnl',
      `is ${pnl}, but no positive mark price gives it: with entry_price ${entryPrice} and a position of ` +
        `${quantity} ${linear ? 'units' : 'USD'} the mark would be ${startPrice}.`,
    );
  }
  const notional = notionalAt({ contract: request.contract_type, quantity }, startPrice);
  const equity = request.initial_margin + pnl;
  const takerFeeRate = request.taker_fee_rate ?? 0;
  const requiredMargin = (maintenanceMarginRate + takerFeeRate) * notional;
  if (equity <= requiredMargin) {
    throw refusal(
      'initial_margin',
      `is ${request.initial_margin}, but the position is already liquidated: at the mark price ${startPrice} its ` +
        `equity is ${equity} and the maintenance margin ${requiredMargin} (rate ${maintenanceMarginRate}` +
        `${takerFeeRate === 0 ? '' : ` and taker fee ${takerFeeRate}`} of a notional of ${notional}); ` +
        `initial_margin must be above ${requiredMargin - pnl}.`,
    );
  }
  return {
    contract: request.contract_type,
    quantity,
    entryPrice,
    startPrice,
    maintenanceMarginRate,
    takerFeeRate,
  };
}

/**
 * The start of an accepted position after its mark is multiplied by `factor`; PnL at that price and equity before it in margin currency.
 *
 * @param request its margin and the PnL before the shock
 */
export function shockedStart(
  position: Position,
  { initial_margin, unrealized_pnl }: Pick<PerpetualRequest, 'initial_margin' | 'unrealized_pnl'>,
  factor: number,
): Pick<PerpetualProduct, 'startPrice' | 'unrealizedPnl'> & { readonly equityBefore: number } {
  const price = position.startPrice * factor;
  return {
    startPrice: price,
    unrealizedPnl: profitAt(position, price),
    equityBefore: initial_margin + unrealized_pnl,
  };
}

/** Notional at the start in USD, for the tiers of maintenance margins. */
export function startNotionalUsd(request: PerpetualRequest): number {
  if (request.contract_type === 'inverse')
    return Math.abs(request.position_size * request.contract_value_usd);
  const { position_size, contract_size, entry_price, unrealized_pnl } = request;
  // |q| P_0, P_0 = entry + pnl / q.
  return Math.abs(position_size * contract_size * entry_price + unrealized_pnl);
}

/** Notional at the price `price`, in margin currency: |q| P of a linear position, |q| / P of an inverse one. */
export function notionalAt(
  { contract, quantity }: Pick<Position, 'contract' | 'quantity'>,
  price: number,
): number {
  return Math.abs(contract === 'linear' ? quantity * price : quantity / price);
}

/** Profit or loss at the price `price`, in margin currency: q (P - entry) of a linear position, n (1 / entry - 1 / P) of an inverse one. */
export function profitAt(
  { contract, quantity, entryPrice }: Pick<Position, 'contract' | 'quantity' | 'entryPrice'>,
  price: number,
): number {
  return contract === 'linear' ? quantity * (price - entryPrice) : quantity * (1 / entryPrice - 1 / price);
}

function refusal(path: string, rest: string): RiskError {
  return new RiskError('invalid-request', 'The position cannot be simulated.', {
    faults: [{ path, message: `${path} ${rest}` }],
  });
}
