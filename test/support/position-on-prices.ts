/** One isolated position on one path of mark prices, run by an engine as a window of history. */
import { type Engine, FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '#src/core/engine.js';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { IsolatedPosition } from './closed-forms/liquidation-price.ts';

/** A position and what happens to it besides prices. */
export interface PositionTerms extends IsolatedPosition {
  /** Fraction of the notional at the mark. */
  readonly maintenanceMarginRate: number;
  readonly takerFeeRate?: number;
  /** Taken from the maintenance margin, margin currency. */
  readonly maintenanceAmount?: number;
  /** 0 where it is left out. */
  readonly fundingRate?: number;
  /** Hours after which a funding payment is settled; none where it is left out. */
  readonly fundingHours?: readonly number[];
  readonly debitsOnly?: boolean;
}

export interface PositionEnd {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly finalEquity: number;
  readonly accumulatedFunding: number;
}

/** @param prices mark prices in USD, the first at the start, then one per hour */
export async function positionOnPrices(
  engine: Engine,
  terms: PositionTerms,
  prices: Float64Array,
): Promise<PositionEnd> {
  const steps = prices.length - 1;
  const { quantity, entryPrice } = terms;
  const pnl =
    terms.contract === 'linear'
      ? quantity * (prices[0] - entryPrice)
      : quantity * (1 / entryPrice - 1 / prices[0]);
  const settlements = new Uint32Array(steps);
  for (const hour of terms.fundingHours ?? []) settlements[hour - 1]++;
  const plan: SimulationPlan<PerpetualProduct> = {
    seed: 0,
    paths: 1,
    scenarios: { kind: 'historical', assets: 1, prices: [prices], lead: steps },
    product: {
      kind: 'perpetual',
      contract: terms.contract,
      quantity,
      entryPrice,
      startPrice: prices[0],
      initialMargin: terms.initialMargin,
      unrealizedPnl: pnl,
      fundingRatePerInterval: terms.fundingRate ?? 0,
      settlements,
      debitsOnly: terms.debitsOnly ?? false,
      maintenanceMarginRate: terms.maintenanceMarginRate,
      takerFeeRate: terms.takerFeeRate ?? 0,
      maintenanceAmount: terms.maintenanceAmount ?? 0,
      marginCallMultiple: 1.25,
      steps,
    },
  };
  const records = await engine.trace(plan);
  const flags = records.flags[0];
  return {
    marginCall: (flags & FLAG_MARGIN_CALL) !== 0,
    liquidation: (flags & FLAG_LIQUIDATION) !== 0,
    finalEquity: records.finalEquity[0],
    accumulatedFunding: records.accumulatedFunding[0],
  };
}

/** Steps of a walk through `centre`, and how far it reaches to either side, as fractions of the price. */
const FINE_STEPS = 20_000;
const REACH = 1e-3;
/** Size of one fine step, as a fraction of the price. */
export const FINE_STEP = (2 * REACH) / FINE_STEPS;

/**
 * Walks the mark price from `start` to near `centre` and then through it in tiny steps.
 *
 * @returns the first price at which the simulator liquidates, read off the equity it leaves; undefined if it never does
 */
export async function findLiquidationPrice(
  engine: Engine,
  terms: PositionTerms,
  start: number,
  centre: number,
): Promise<number | undefined> {
  const towards = Math.sign(centre - start);
  const near = centre * (1 - towards * REACH);
  const coarse = 200;
  const prices = new Float64Array(coarse + FINE_STEPS + 1);
  for (let t = 0; t <= coarse; t++) prices[t] = start + ((near - start) * t) / coarse;
  for (let t = 1; t <= FINE_STEPS; t++) prices[coarse + t] = near + towards * centre * FINE_STEP * t;
  const { liquidation, finalEquity } = await positionOnPrices(engine, terms, prices);
  if (!liquidation) return undefined;
  const { quantity, entryPrice, initialMargin } = terms;
  // Equity = margin + PnL - fee, solved for the price.
  const fee = (terms.takerFeeRate ?? 0) * Math.abs(quantity);
  return terms.contract === 'linear'
    ? (finalEquity - initialMargin + quantity * entryPrice) / (quantity - fee)
    : (quantity + fee) / (initialMargin + quantity / entryPrice - finalEquity);
}
