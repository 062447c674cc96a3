/**
 * /isolated_perp_risk under GBM on real prices, 100,000 paths, against a volatility from the raw file and the plain
 * implementation of paths and positions.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { type PositionOnPath, positionOnPath } from '#src/core/rules/perpetual.js';
import { quantile } from '#src/core/rules/value-at-risk.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData, readCloses } from '../../support/shared-data.ts';

const PATHS = 5000;
const SEED = 20_260_115;
const QUANTILES = {
  q01: 0.01,
  q05: 0.05,
  q10: 0.1,
  q25: 0.25,
  q50: 0.5,
  q75: 0.75,
  q90: 0.9,
  q95: 0.95,
  q99: 0.99,
};
/** Both sides are doubles that differ in the order of operations; leverage near liquidation is 1 / (a small equity). */
const ROUNDING = 1e-9;

/** Highly levered, so that within hours every quantile sees liquidated and open positions. */
const COMMON = {
  model: 'GBM',
  market: 'BTC',
  model_lookback: 30,
  mc_iter: PATHS,
  analysis_date: '01-15-2026',
};
const CASES = [
  {
    name: 'a linear short under debitflat, funded every half hour',
    body: {
      trade_duration_hours: 14,
      contract_type: 'linear',
      funding_method: 'debitflat',
      entry_price: 95_000,
      initial_margin: 4000,
      position_size: -20,
      contract_size: 0.1,
      funding_rate: -0.0002,
      funding_interval_hour: 0.5,
      volatility_shock: 0.25,
    },
    quantity: -2,
    startPrice: 95_000,
    settlements: [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    shock: 0.25,
  },
  {
    name: 'an inverse long under flat that has earned already',
    body: {
      trade_duration_hours: 11,
      contract_type: 'inverse',
      funding_method: 'flat',
      entry_price: 94_000,
      initial_margin: 0.02,
      position_size: 1000,
      contract_value_usd: 100,
      unrealized_pnl: 0.001,
      funding_rate: -0.0003,
      funding_interval_hour: 4,
    },
    quantity: 100_000,
    // 100,000 / 94,000 coins at the entry, 0.001 fewer at the mark.
    startPrice: 100_000 / (100_000 / 94_000 - 0.001),
    settlements: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    shock: 0,
  },
] as const;

describeWithSharedData('/isolated_perp_risk under GBM on real prices', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  it.each(CASES)(
    'has the probabilities and quantiles of $name',
    async ({ body, quantity, startPrice, settlements, shock }) => {
      const answer = await operations.answer(PERPETUAL_QUESTION, { ...COMMON, ...body }, { seed: SEED });
      const closes = readCloses(`${dataDir}/hourly/btc_usdt.csv`, '2026-01-15T23:00:00Z', 24 * 30 + 1);
      const sigma = (1 + shock) * hourlyVolatility(closes);
      const pnl = 'unrealized_pnl' in body ? body.unrealized_pnl : 0;
      const plan: SimulationPlan<PerpetualProduct> = {
        seed: SEED,
        paths: PATHS,
        scenarios: {
          kind: 'gbm',
          assets: 1,
          annualVolatility: Float64Array.of(sigma),
          factor: Float64Array.of(sigma),
        },
        product: {
          kind: 'perpetual',
          contract: body.contract_type,
          quantity,
          entryPrice: body.entry_price,
          startPrice,
          initialMargin: body.initial_margin,
          unrealizedPnl: pnl,
          fundingRatePerInterval: body.funding_rate,
          settlements: Uint32Array.from(settlements),
          debitsOnly: body.funding_method === 'debitflat',
          maintenanceMarginRate: 0.005,
          takerFeeRate: 0,
          marginCallMultiple: 1.25,
          steps: body.trade_duration_hours,
        },
      };
      const positions = Array.from({ length: PATHS }, (_, p) =>
        positionOnPath(
          plan.product,
          pricesOnPath(plan, p, plan.product.steps).map(prices => prices[0]),
        ),
      );
      const margin = body.initial_margin;
      const column = (pick: (position: PositionOnPath) => number) => positions.map(pick);
      const share = (flags: boolean[]) => flags.filter(Boolean).length / PATHS;
      const { result } = answer;
      expect(result.PrMarginCall).toBe(share(positions.map(p => p.marginCall)));
      expect(result.PrLiquidation).toBe(share(positions.map(p => p.liquidation)));
      // The case is worth something only if liquidations are neither rare nor certain.
      expect(result.PrLiquidation).toBeGreaterThan(0.1);
      expect(result.PrLiquidation).toBeLessThan(0.6);
      expectQuantiles(
        result.Roi,
        column(p => (p.finalEquity - margin - pnl) / margin),
        1,
      );
      expectQuantiles(
        result.AccFunding,
        column(p => p.accumulatedFunding),
        margin,
      );
      expectQuantiles(
        result.MaxEquityDrawDown,
        column(p => p.maxEquityDrawdown),
        margin,
      );
      expectQuantiles(
        result.Leverage,
        column(p => p.medianLeverage),
        1,
      );
      expectQuantiles(
        result.FinalEquity,
        column(p => p.finalEquity),
        margin,
      );
    },
  );
});

describe('/isolated_perp_risk on the sample market', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });

  it('pays three times the funding in thirds of an hour, and starts at the entry price', async () => {
    const ask = async (funding_interval_hour: number) => {
      const body = {
        ...COMMON,
        mc_iter: 500,
        trade_duration_hours: 24,
        contract_type: 'linear',
        funding_method: 'flat',
        entry_price: 100,
        initial_margin: 1000,
        position_size: 1,
        contract_size: 1,
        funding_rate: 0.0001,
        funding_interval_hour,
      };
      const { result, arguments: echoed } = await operations.answer(PERPETUAL_QUESTION, body);
      expect(result).toMatchObject({ PrLiquidation: 0 });
      expect(echoed).toMatchObject({ unrealized_pnl: 0, volatility_shock: 0, mc_iter: 500 });
      return result.AccFunding as Record<string, number>;
    };
    const [hourly, thirds] = await Promise.all([ask(1), ask(1 / 3)]);
    for (const [name, paid] of Object.entries(hourly)) {
      expect(paid, name).toBeLessThan(0);
      expect(thirds[name] / paid, name).toBeCloseTo(3, 12);
    }
  });
});

/** Sample standard deviation of hourly log returns, per year of 8,760 hours. */
function hourlyVolatility(closes: Float64Array): number {
  const returns = Array.from(closes.subarray(1), (close, t) => Math.log(close / closes[t]));
  const mean = returns.reduce((a, b) => a + b, 0) / returns.length;
  const squares = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0);
  return Math.sqrt((squares / (returns.length - 1)) * 8760);
}

/** All nine quantiles, type 7. */
function expectQuantiles(found: unknown, values: number[], scale: number): void {
  for (const [name, p] of Object.entries(QUANTILES)) {
    const expected = quantile(values, p);
    const figure = (found as Record<string, number>)[name];
    const difference = Math.abs(figure - expected) / Math.max(scale, Math.abs(expected));
    expect(difference, `${name}: ${figure} against ${expected}`).toBeLessThan(ROUNDING);
  }
}
