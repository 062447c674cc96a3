/**
 * An isolated perpetual position along one path of hourly mark prices (methodology part 7); twin of
 * shaders/product/perpetual.wgsl. Amounts are in margin currency (USD for linear, coins for inverse).
 */

import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, type PerpetualOutcome } from '../engine.ts';
import { equityLeft, initialEquityOf, positionStart, requiredMargin } from '../plan/product/perpetual.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { PerpetualProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { medianInPlace } from '../stats/selection.ts';
import { distributionOf, type MarkCounts } from './path-counts.ts';
import type { PricePath } from './paths.ts';

export interface PositionOnPath {
  flags: number;
  finalEquity: number;
  accumulatedFunding: number;
  maxEquityDrawdown: number;
  medianLeverage: number;
}

/** Follows the position of one path after another, on paths of any engine. */
export interface PositionFollower {
  /** Follows the position along a path, and counts its prices if the plan requests a distribution. */
  follow(path: number, position: PositionOnPath): void;
}

/**
 * Runs the position on a range of paths.
 *
 * @param counts the follower's counts, to which it adds the prices of each path
 * @param sharedCounts counts of the plan's other paths, which receive the counts of this range; the outcome then has
 *    none
 */
export function perpetualOutcome(
  range: PathRange,
  records: RecordSink | undefined,
  follower: PositionFollower,
  counts: MarkCounts | undefined,
  sharedCounts?: Uint32Array,
): PerpetualOutcome {
  const finalEquity = new Float64Array(range.count);
  const accumulatedFunding = new Float64Array(range.count);
  const maxEquityDrawdown = new Float64Array(range.count);
  const medianLeverage = new Float64Array(range.count);
  const position: PositionOnPath = {
    flags: 0,
    finalEquity: 0,
    accumulatedFunding: 0,
    maxEquityDrawdown: 0,
    medianLeverage: 0,
  };
  let marginCalls = 0;
  let liquidations = 0;
  for (let i = 0; i < range.count; i++) {
    follower.follow(range.first + i, position);
    if (position.flags & FLAG_MARGIN_CALL) marginCalls++;
    if (position.flags & FLAG_LIQUIDATION) liquidations++;
    finalEquity[i] = position.finalEquity;
    accumulatedFunding[i] = position.accumulatedFunding;
    maxEquityDrawdown[i] = position.maxEquityDrawdown;
    medianLeverage[i] = position.medianLeverage;
    records?.write(range.first + i, [
      position.finalEquity,
      position.accumulatedFunding,
      position.maxEquityDrawdown,
      position.medianLeverage,
      position.flags,
    ]);
  }
  return {
    kind: 'perpetual',
    paths: range.count,
    marginCalls,
    liquidations,
    finalEquity,
    accumulatedFunding,
    maxEquityDrawdown,
    medianLeverage,
    ...(counts && distributionOf(counts.counts, sharedCounts)),
  };
}

/** The position of a plan along given prices. @param counts receives the prices of each path */
export function positionOn(
  { product }: SimulationPlan<PerpetualProduct>,
  path: PricePath,
  counts: MarkCounts | undefined,
): PositionFollower {
  const leverage = new Float64Array(product.steps + 1);
  return {
    follow(number, position) {
      path.simulate(number);
      counts?.add(path.price);
      followPosition(product, path, leverage, position);
    },
  };
}

/**
 * Follows a position to its end: price, funding, equity, checks, fee and floor at 0 if liquidated, drawdown.
 *
 * @param leverage scratch of T + 1 entries
 */
function followPosition(
  product: PerpetualProduct,
  path: PricePath,
  leverage: Float64Array,
  end: PositionOnPath,
): void {
  const { quantity, entryPrice, initialMargin, settlements, debitsOnly, marginCallMultiple } = product;
  const linear = product.contract === 'linear';
  const size = Math.abs(quantity);
  // A long pays a positive rate: the cash flow is -sign(position) x notional x rate.
  const flowPerNotional = -Math.sign(quantity) * product.fundingRatePerInterval;
  const initialEquity = initialEquityOf(product);
  const startNotional = linear ? size * product.startPrice : size / product.startPrice;
  const equityBefore = product.equityBefore ?? initialEquity;
  const start = positionStart(product);
  end.flags = start.called ? FLAG_MARGIN_CALL : 0;
  if (start.liquidated) {
    end.flags = FLAG_LIQUIDATION | FLAG_MARGIN_CALL;
    end.finalEquity = equityLeft(product, initialEquity, startNotional);
    end.accumulatedFunding = 0;
    end.maxEquityDrawdown = Math.min(0, end.finalEquity - equityBefore);
    end.medianLeverage = 0;
    return;
  }
  let funding = 0;
  let peak = Math.max(initialEquity, equityBefore);
  let drawdown = initialEquity - peak;
  let equity = initialEquity;
  let open = 1;
  leverage[0] = startNotional / initialEquity;
  for (let t = 1; t <= product.steps; t++) {
    const price = product.startPrice * path.price[t - 1];
    const notional = linear ? size * price : size / price;
    const due = settlements[t - 1];
    if (due > 0) {
      const flow = flowPerNotional * notional * due;
      if (flow < 0 || !debitsOnly) funding += flow;
    }
    const pnl = linear ? quantity * (price - entryPrice) : quantity * (1 / entryPrice - 1 / price);
    const required = requiredMargin(product, notional);
    equity = initialMargin + pnl + funding;
    if (equity <= marginCallMultiple * required) end.flags |= FLAG_MARGIN_CALL;
    const liquidated = equity <= required;
    if (liquidated) {
      end.flags |= FLAG_LIQUIDATION | FLAG_MARGIN_CALL;
      equity = equityLeft(product, equity, notional);
    }
    if (equity > peak) peak = equity;
    drawdown = Math.min(drawdown, equity - peak);
    if (liquidated) break;
    leverage[open++] = notional / equity;
  }
  end.finalEquity = equity;
  end.accumulatedFunding = funding;
  end.maxEquityDrawdown = drawdown;
  end.medianLeverage = medianInPlace(leverage.subarray(0, open));
}
