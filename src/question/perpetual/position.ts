/**
 * The position of a request in a plan: quantity, mark price at the start, maintenance margin, the prices of its margin call and liquidation;
 * or a refusal with the figures behind it.
 */
import { type Fault, RiskError, refuseIfFaulty } from '../../core/errors.ts';
import { expectedLogFall } from '../../core/plan/price-range.ts';
import { requiredMargin } from '../../core/plan/product/perpetual.ts';
import type { PerpetualProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { MarkedTerms, PerpetualTerms } from './request.ts';

/**
 * quantity: position_size x contract_size in asset units of a linear contract, position_size x contract_value_usd in USD of an inverse one.
 * startPrice: mark price at which PnL = unrealized_pnl: entry + pnl / q, or 1 / (1 / entry - pnl / n).
 */
export type Position = Pick<
  PerpetualProduct,
  | 'contract'
  | 'quantity'
  | 'entryPrice'
  | 'startPrice'
  | 'maintenanceMarginRate'
  | 'maintenanceAmount'
  | 'takerFeeRate'
>;

/**
 * @param maintenanceMarginRate fraction of the notional at the mark
 * @throws RiskError `invalid-request` where the position rounds to 0, no positive mark price has that PnL, the amount exceeds the
 *    maintenance margin at it, or the position is liquidated at it
 */
export function openPosition(request: MarkedTerms, maintenanceMarginRate: number): Position {
  const { entry_price: entryPrice, unrealized_pnl: pnl } = request;
  const linear = request.contract_type === 'linear';
  const quantity = quantityOf(request);
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
  const maintenanceAmount = request.maintenance_amount ?? 0;
  if (maintenanceAmount > maintenanceMarginRate * notional)
    throw refusal(
      'maintenance_amount',
      `is ${maintenanceAmount}, more than the maintenance margin of ${maintenanceMarginRate * notional} from which it is taken (rate ` +
        `${maintenanceMarginRate} of a notional of ${notional}): use rate and amount of the bracket of this notional, or an amount of ` +
        `at most ${maintenanceMarginRate * notional}.`,
    );
  const required = requiredMargin({ maintenanceMarginRate, takerFeeRate, maintenanceAmount }, notional);
  if (equity <= required) {
    throw refusal(
      'initial_margin',
      `is ${request.initial_margin}, but the position is already liquidated: at the mark price ${startPrice} its ` +
        `equity is ${equity} and the maintenance margin ${required} (rate ${maintenanceMarginRate}` +
        `${takerFeeRate === 0 ? '' : ` and taker fee ${takerFeeRate}`} of a notional of ${notional}` +
        `${maintenanceAmount === 0 ? '' : `, less ${maintenanceAmount}`}); ` +
        `initial_margin must be above ${required - pnl}.`,
    );
  }
  return {
    contract: request.contract_type,
    quantity,
    entryPrice,
    startPrice,
    maintenanceMarginRate,
    ...(maintenanceAmount > 0 && { maintenanceAmount }),
    takerFeeRate,
  };
}

const quantityOf = (request: PerpetualTerms): number =>
  request.position_size *
  (request.contract_type === 'linear' ? request.contract_size : request.contract_value_usd);

/** Largest difference of the profit sent and that at the mark sent, as a part of the notional: venues round both. */
const PNL_ROUNDING = 1e-4;

/**
 * The terms with the profit at their mark: that at `mark_price`, the one sent, or 0.
 *
 * @param close last close of the window; read where `mark_price` is `close`
 * @throws RiskError `invalid-request` where a profit and a mark contradict each other
 */
export function atMark(request: PerpetualTerms, close: number | undefined): MarkedTerms {
  const { mark_price: sent, unrealized_pnl: pnl, entry_price: entryPrice } = request;
  const mark = sent === 'close' ? close : sent;
  if (mark === undefined) return { ...request, unrealized_pnl: pnl ?? 0 };
  const position = { contract: request.contract_type, quantity: quantityOf(request), entryPrice };
  const profit = profitAt(position, mark);
  if (pnl !== undefined && !(Math.abs(pnl - profit) <= PNL_ROUNDING * notionalAt(position, mark)))
    throw refusal(
      'mark_price',
      `is ${mark}${sent === 'close' ? ', the last close,' : ''} and gives a profit of ${profit}; unrealized_pnl is ${pnl}: send one of them.`,
    );
  return { ...request, unrealized_pnl: profit };
}

/**
 * The start of an accepted position after its mark is multiplied by `factor`; PnL at that price and equity before it in margin currency.
 *
 * @param request its margin and the PnL before the shock
 */
export function shockedStart(
  position: Position,
  { initial_margin, unrealized_pnl }: Pick<MarkedTerms, 'initial_margin' | 'unrealized_pnl'>,
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
export function startNotionalUsd(request: MarkedTerms): number {
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
    faults: [{ code: 'inconsistent', path, message: `${path} ${rest}` }],
  });
}

/** A position with its margin in margin currency and the multiple of the maintenance margin at its margin call. */
export type MarginedPosition = Position & Pick<PerpetualProduct, 'initialMargin' | 'marginCallMultiple'>;

/**
 * The price P at which initial margin + PnL(P) = rate x notional(P) - amount, or 0 where the amount is the larger; undefined without a
 * positive price: the margin covers any loss.
 *
 * Linear, q units with sign: P = (entry - margin / q) / (1 - sign(q) rate). Inverse, n USD with sign:
 * P = n (1 + sign(n) rate) / (margin + n / entry). An amount counts as margin.
 *
 * @param rate required margin, a fraction of the notional at the mark
 * @param amount taken from it, margin currency
 */
export function priceAtMarginRate(position: MarginedPosition, rate: number, amount = 0): number | undefined {
  const price = priceAtLoss(position, position.initialMargin + amount, rate);
  if (amount === 0 || (price !== undefined && rate * notionalAt(position, price) >= amount)) return price;
  // Below this notional nothing is required: the position ends with its equity.
  const end = priceAtLoss(position, position.initialMargin, 0);
  return end !== undefined && rate * notionalAt(position, end) < amount ? end : undefined;
}

function priceAtLoss(
  { contract, quantity, entryPrice }: MarginedPosition,
  margin: number,
  rate: number,
): number | undefined {
  const side = Math.sign(quantity);
  // From a rate of 1 on, the required margin of a long linear or a short inverse position outgrows its profit: P lies on the other side
  // of the start, by the same formulae.
  const price =
    contract === 'linear'
      ? (entryPrice - margin / quantity) / (1 - side * rate)
      : (quantity * (1 + side * rate)) / (margin + quantity / entryPrice);
  return price > 0 && price < Number.POSITIVE_INFINITY ? price : undefined;
}

/** Whether the equity at the start is at or below a fraction of the notional less an amount. */
function isWithin(position: MarginedPosition, rate: number, amount: number): boolean {
  const { startPrice, initialMargin } = position;
  const required = Math.max(0, rate * notionalAt(position, startPrice) - amount);
  return initialMargin + profitAt(position, startPrice) <= required;
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
  const { maintenanceMarginRate, maintenanceAmount = 0, takerFeeRate, marginCallMultiple } = position;
  const at = (multiple: number) => {
    const [rate, amount] = [multiple * (maintenanceMarginRate + takerFeeRate), multiple * maintenanceAmount];
    const price = priceAtMarginRate(position, rate, amount);
    const distance = () => {
      if (deviation === 0) return null;
      if (isWithin(position, rate, amount)) return 0;
      return price === undefined ? null : Math.abs(Math.log(position.startPrice / price)) / deviation;
    };
    return { price: price ?? null, distance: distance() };
  };
  const [liquidation, marginCall] = [at(1), at(marginCallMultiple)];
  return {
    start_price: position.startPrice,
    liquidation_price: liquidation.price,
    margin_call_price: marginCall.price,
    liquidation_distance: liquidation.distance,
    margin_call_distance: marginCall.distance,
    annual_volatility: annualVolatility ?? null,
    maintenance_margin_rate: maintenanceMarginRate,
    taker_fee_rate: takerFeeRate,
  };
}

/** Rates and ratios of smaller amounts come below the smallest normal double, 2.2e-308. */
const MIN_AMOUNT = 1e-290;
/** ln of the largest double is 709.8; sums of a few such amounts fit, too. */
const MAX_LOG_AMOUNT = 700;
/**
 * Largest rise of ln S in a martingale: -V / 2 + 8 sqrt(V) is 32 at most, whatever the variance V. No history of a
 * market rises by exp(32) or falls so far.
 */
const MAX_LOG_RISE = 32;

/** @throws RiskError `invalid-request` with every member that is out of proportion */
export function refuseBeyondRange(request: PerpetualTerms, plan: SimulationPlan<PerpetualProduct>): void {
  const { product } = plan;
  const { initialMargin, unrealizedPnl, startPrice } = product;
  const notional = notionalAt(product, startPrice);
  const faults: Fault[] = [];
  const refuse = (path: string, rest: string) =>
    faults.push({ code: 'out_of_range', path, message: `${path} ${rest}` });
  const size = Math.min(Math.abs(product.quantity), notional);
  if (size < MIN_AMOUNT)
    refuse(
      'position_size',
      `is ${request.position_size}, which makes a position of ${product.quantity} and a notional of ${notional}: ` +
        `below ${MIN_AMOUNT} double precision does not carry the figures.`,
    );
  if (startPrice < MIN_AMOUNT || startPrice > 1 / MIN_AMOUNT)
    refuse(
      'unrealized_pnl',
      `is ${unrealizedPnl}, which puts the mark price at ${startPrice} USD: prices from ${MIN_AMOUNT} to ` +
        `${1 / MIN_AMOUNT} can be computed with.`,
    );
  // Largest amounts of a path: value, profit and funding of the position, times the move of prices.
  const settlements = product.settlements.reduce((sum, due) => sum + due, 0);
  const flows = Math.abs(product.fundingRatePerInterval) * settlements;
  const amount = Math.max(notional, notional * flows, Math.abs(unrealizedPnl), initialMargin);
  const leastMargin = Math.max(MIN_AMOUNT, amount / Math.exp(MAX_LOG_AMOUNT - MAX_LOG_RISE));
  if (initialMargin < leastMargin)
    refuse(
      'initial_margin',
      `is ${initialMargin}, and Roi is a multiple of it: beside amounts of ${amount} it must be at least ` +
        `${leastMargin} for the figures to fit into double precision.`,
    );
  // The notional of an inverse position grows as prices fall, without the bound that rises have.
  const move = product.contract === 'inverse' ? expectedLogFall(plan) : 0;
  const largest = Math.max(Math.log(amount) - Math.min(0, Math.log(initialMargin)), -Math.log(startPrice));
  if (faults.length === 0 && largest + move > MAX_LOG_AMOUNT)
    refuse(
      'trade_duration_hours',
      `is ${product.steps}, too long for this volatility: prices could fall by a factor of exp(${move.toFixed(0)}), and ` +
        `amounts of ${amount} would grow beyond double precision.`,
    );
  refuseIfFaulty(faults, 'The position cannot be simulated.');
}
