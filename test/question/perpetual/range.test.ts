/** Refusals of perpetuals whose figures leave double precision: at each limit, and just beyond it. */

import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import type { GbmScenarios, PerpetualProduct } from '#src/core/plan/simulation-plan.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { refuseBeyondRange } from '#src/question/perpetual/position.js';
import { parseRequest } from '../../support/request-bodies.ts';

const { terms: TERMS } = parseRequest(PERPETUAL_QUESTION, 20_000, {
  model: 'GBM',
  market: 'BTC',
  model_lookback: 30,
  trade_duration_hours: 24,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 1,
  initial_margin: 1,
  position_size: 1,
  contract_size: 1,
  funding_rate: 0,
  funding_interval_hour: 8,
});
const HOURS_OF_YEAR = 8760;
/** Fall of ln S to allow for in one year at an annual volatility of 16: 16^2 / 2 + 8 x 16. */
const FALL = 256;
/** The largest amount is exp(700); linear amounts rise by exp(32) at most. */
const LARGEST = Math.exp(700 - FALL);
const LARGEST_OF_MARGIN = Math.exp(700 - 32);

/** Members of a request at which these terms are refused. */
function refusedAt(terms: Partial<PerpetualProduct>): string[] {
  const product: PerpetualProduct = {
    kind: 'perpetual',
    contract: 'inverse',
    quantity: 1,
    entryPrice: 1,
    startPrice: 1,
    initialMargin: 1,
    unrealizedPnl: 0,
    fundingRatePerInterval: 0,
    settlements: new Uint32Array(HOURS_OF_YEAR),
    debitsOnly: false,
    maintenanceMarginRate: 0.005,
    takerFeeRate: 0,
    marginCallMultiple: 2,
    steps: HOURS_OF_YEAR,
    ...terms,
  };
  const scenarios: GbmScenarios = {
    kind: 'gbm',
    assets: 1,
    annualVolatility: Float64Array.of(16),
    factor: Float64Array.of(16),
  };
  try {
    refuseBeyondRange(TERMS, { seed: 1, paths: 1, scenarios, product });
    return [];
  } catch (error) {
    if (error instanceof RiskError) return error.faults.map(({ path }) => path);
    throw error;
  }
}

describe('refuseBeyondRange', () => {
  it('accepts an inverse position whose notional is below exp(700) after the largest fall', () => {
    expect(Math.log(LARGEST)).toBe(700 - FALL);
    expect(refusedAt({ quantity: LARGEST })).toEqual([]);
    expect(refusedAt({ quantity: 1.01 * LARGEST })).toEqual(['trade_duration_hours']);
  });

  it('divides amounts by a margin below 1 only', () => {
    expect(refusedAt({ quantity: 0.99e-10 * LARGEST, initialMargin: 1e-10 })).toEqual([]);
    expect(refusedAt({ quantity: 1.01e-10 * LARGEST, initialMargin: 1e-10 })).toEqual([
      'trade_duration_hours',
    ]);
    expect(refusedAt({ quantity: 0.99 * LARGEST, initialMargin: 10 })).toEqual([]);
    expect(refusedAt({ quantity: 1.01 * LARGEST, initialMargin: 10 })).toEqual(['trade_duration_hours']);
  });

  it('refuses a price that the fall moves out of range, for a position of any size', () => {
    const at = (startPrice: number) => refusedAt({ startPrice, quantity: startPrice });
    expect(at(1.01 / LARGEST)).toEqual([]);
    expect(at(0.99 / LARGEST)).toEqual(['trade_duration_hours']);
  });

  it('ignores falls of a linear position, whose notional falls with the price', () => {
    const linear = (quantity: number) =>
      refusedAt({ contract: 'linear', quantity, initialMargin: Math.exp(40) });
    expect(linear(0.99 * Math.exp(700))).toEqual([]);
    expect(linear(1.01 * Math.exp(700))).toEqual(['trade_duration_hours']);
  });

  it('accepts prices and sizes from 1e-290, and prices to 1e290, both included', () => {
    const linear = (startPrice: number, quantity: number) =>
      refusedAt({ contract: 'linear', startPrice, quantity });
    expect(linear(1e-290, 1e290)).toEqual([]);
    expect(linear(0.99e-290, 1e290)).toEqual(['unrealized_pnl']);
    expect(linear(1 / 1e-290, 1e-290)).toEqual([]);
    expect(linear(1.01e290, 1e-290)).toEqual(['unrealized_pnl']);
    expect(linear(1, 1e-290)).toEqual([]);
    expect(linear(1, -0.99e-290)).toEqual(['position_size']);
    expect(linear(1e-10, 1e-281)).toEqual(['position_size']);
  });

  it('accepts the least margin beside a large amount, and refuses any below it', () => {
    const beside = (initialMargin: number) =>
      refusedAt({ contract: 'linear', quantity: LARGEST_OF_MARGIN, initialMargin });
    expect(beside(1)).toEqual([]);
    expect(beside(0.999)).toEqual(['initial_margin']);
  });

  it('counts the payments of all settlements together as an amount', () => {
    const paying = (quantity: number) =>
      refusedAt({
        contract: 'linear',
        quantity,
        fundingRatePerInterval: -0.5,
        settlements: Uint32Array.of(3, 4, 5),
      });
    expect(paying((0.99 * LARGEST_OF_MARGIN) / 6)).toEqual([]);
    expect(paying((1.01 * LARGEST_OF_MARGIN) / 6)).toEqual(['initial_margin']);
  });

  it('names the size and the margin together where both are out of proportion', () => {
    expect(refusedAt({ quantity: 1e-291, unrealizedPnl: 1.01 * LARGEST_OF_MARGIN })).toEqual([
      'position_size',
      'initial_margin',
    ]);
  });
});
