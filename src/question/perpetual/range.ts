/**
 * Refuses a perpetual position whose figures do not fit into double precision, before the simulation.
 *
 * The refusal names the member that is out of proportion, its value and the least accepted value.
 */
import { type Fault, refuseIfFaulty } from '../../core/errors.ts';
import { expectedLogFall } from '../../core/plan/price-range.ts';
import type { PerpetualProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { notionalAt } from './position.ts';
import type { PerpetualRequest } from './request.ts';

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
export function refuseBeyondRange(request: PerpetualRequest, plan: SimulationPlan<PerpetualProduct>): void {
  const { product } = plan;
  const { initialMargin, unrealizedPnl, startPrice } = product;
  const notional = notionalAt(product, startPrice);
  const faults: Fault[] = [];
  const refuse = (path: string, rest: string) => faults.push({ path, message: `${path} ${rest}` });
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
