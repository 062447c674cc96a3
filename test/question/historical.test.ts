/**
 * HISTORICAL recomputed from the raw CSV files by code that shares nothing with the engine: it reads the files, cuts the
 * windows and counts, in the words of the methodology.
 */

import { beforeAll, expect, it } from 'vitest';
import { type LoanOnPath, loanOnPath } from '#src/core/rules/loan.js';
import { positionOnPath } from '#src/core/rules/perpetual.js';
import { quantile, valueAtRisk } from '#src/core/rules/value-at-risk.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Operations, openOperations } from '../support/operations.ts';
import { describeWithSharedData, readCloses } from '../support/shared-data.ts';

/** Sums of a few thousand doubles in another order. */
const ROUNDING = 1e-10;

describeWithSharedData('HISTORICAL on real prices', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  it('answers /loan_risk on hourly windows as the raw files say', async () => {
    const days = 40;
    const steps = 24 * 7;
    const body = {
      type: 'HISTORICAL',
      params: {
        collateral_weights: { SOL: 0.6, ETH: 0.4 },
        loan_weights: { BTC: 1 },
        analysis_date: '10-20-2025',
        model_lookback: days,
        loan_duration: 7,
        mc_top_up: 11.5,
        loan_value: 1000,
        N: 1.2,
        M: 1.15,
        L: 1.1,
        R: 1.18,
      },
    };
    const answer = await operations.answer(LOAN_QUESTION, body);
    // The close of 2025-10-20 is the close of its last hourly bar, which opens at 23:00.
    const closes = (asset: string) =>
      readCloses(`${dataDir}/hourly/${asset}_usdt.csv`, '2025-10-20T23:00:00Z', 24 * days + steps);
    const [sol, eth, btc] = [closes('sol'), closes('eth'), closes('btc')];
    const loans: LoanOnPath[] = [];
    for (let start = 0; start + steps < sol.length; start++) {
      const collateral: number[] = [];
      const loan: number[] = [];
      for (let t = 0; t <= steps; t++) {
        collateral.push(0.6 * (sol[start + t] / sol[start]) + 0.4 * (eth[start + t] / eth[start]));
        loan.push(btc[start + t] / btc[start]);
      }
      loans.push(loanOnPath({ N: 1.2, M: 1.15, L: 1.1, R: 1.18, topUpSteps: 12 }, collateral, loan));
    }
    expect(loans).toHaveLength(24 * days);
    const share = (pick: (loan: LoanOnPath) => boolean) => loans.filter(pick).length / loans.length;
    const mean = (pick: (loan: LoanOnPath) => number) =>
      loans.reduce((sum, loan) => sum + pick(loan), 0) / loans.length;
    expectFigures(answer.result, {
      PrMarginCall: share(loan => loan.marginCall),
      PrLiquidation: share(loan => loan.liquidation),
      PrCloseout: share(loan => loan.closeout),
      PrUnderwater: share(loan => loan.underwater),
      AvgSurvivalRate: mean(loan => loan.endStep / steps),
      AvgLossPct: 100 * mean(loan => loan.loss),
      WorstCaseCCR: Math.min(...loans.map(loan => loan.worstCcr)),
    });
    expect(answer.result.PrMarginCall).toBeGreaterThan(0.05);
    expect(answer.engine.backend).toBe('cpu');
    expect(answer.filled).toEqual([]);
  });

  it('uses days, with deadlines rounded up to days, if an asset has no hours', async () => {
    const days = 200;
    const steps = 30;
    const body = {
      type: 'HISTORICAL',
      params: {
        collateral_weights: { LINK: 1 },
        loan_weights: { ETH: 1 },
        analysis_date: '03-01-2026',
        model_lookback: days,
        loan_duration: 30,
        mc_top_up: 25,
        loan_value: 1000,
        N: 1.5,
        M: 1.3,
        L: 1.1,
        R: 1.4,
      },
    };
    const answer = await operations.answer(LOAN_QUESTION, body);
    const closes = (asset: string) =>
      readCloses(`${dataDir}/daily/${asset}_usdt.csv`, '2026-03-01', days + steps);
    const [link, eth] = [closes('link'), closes('eth')];
    const loans = Array.from({ length: days }, (_, start) => {
      const window = (series: Float64Array) =>
        Array.from({ length: steps + 1 }, (_, t) => series[start + t] / series[start]);
      return loanOnPath({ N: 1.5, M: 1.3, L: 1.1, R: 1.4, topUpSteps: 2 }, window(link), window(eth));
    });
    const share = (pick: (loan: LoanOnPath) => boolean) => loans.filter(pick).length / loans.length;
    expectFigures(answer.result, {
      PrMarginCall: share(loan => loan.marginCall),
      PrLiquidation: share(loan => loan.liquidation),
      PrCloseout: share(loan => loan.closeout),
      PrUnderwater: share(loan => loan.underwater),
      WorstCaseCCR: Math.min(...loans.map(loan => loan.worstCcr)),
    });
  });

  it('answers /var with windows of each horizon that end in the lookback', async () => {
    const days = 300;
    // In no order: engines take them in rising order.
    const horizons = [2.5, 10, 1];
    const quantiles = [0.99, 0.9];
    const body = {
      type: 'HISTORICAL',
      params: {
        collateral_weights: { BTC: 0.5, SOL: 0.5 },
        loan_weights: { ETH: 1 },
        analysis_date: '06-01-2025',
        model_lookback: days,
        var_duration: horizons,
        quantile: quantiles,
        loan_value: 6000,
        collateral_value: 10_000,
      },
    };
    const answer = await operations.answer(VALUE_AT_RISK_QUESTION, body);
    const closes = (asset: string) =>
      readCloses(`${dataDir}/hourly/${asset}_usdt.csv`, '2025-06-01T23:00:00Z', 24 * (days + 10));
    const [btc, sol, eth] = [closes('btc'), closes('sol'), closes('eth')];
    for (const horizon of horizons) {
      const steps = Math.round(24 * horizon);
      const values: [number, number][] = [];
      for (let end = btc.length - 24 * days; end < btc.length; end++) {
        const growth = (series: Float64Array) => series[end] / series[end - steps];
        values.push([10_000 * (0.5 * growth(btc) + 0.5 * growth(sol)), 6000 * growth(eth)]);
      }
      for (const q of quantiles) {
        const collateral = valueAtRisk(
          values.map(([c]) => c),
          q,
        );
        const loan = valueAtRisk(
          values.map(([, l]) => l),
          q,
        );
        const net = valueAtRisk(
          values.map(([c, l]) => c - l),
          q,
        );
        const found = (answer.result[String(horizon)] as Record<string, Record<string, unknown>>)[String(q)];
        expectFigures(found, {
          CollateralVar: collateral.Var,
          CollateralCVar: collateral.CVar,
          LoanVar: loan.Var,
          LoanCVar: loan.CVar,
          NetExposureVar: net.Var,
          NetExposureCVar: net.CVar,
        });
      }
    }
    expect(answer.arguments).toMatchObject({
      lookback_factor: 1 + 10 / 300,
      dt: 1 / 24,
      var_duration_max: 10,
    });
  });

  it('answers /isolated_perp_risk on hourly windows as the raw files say', async () => {
    const days = 60;
    const steps = 100;
    const body = {
      model: 'HISTORICAL',
      market: 'ETH',
      model_lookback: days,
      trade_duration_hours: steps,
      contract_type: 'linear',
      funding_method: 'flat',
      entry_price: 3000,
      initial_margin: 400,
      position_size: -2,
      contract_size: 1,
      funding_rate: 0.0003,
      funding_interval_hour: 8,
      analysis_date: '11-15-2025',
    };
    const answer = await operations.answer(PERPETUAL_QUESTION, body);
    const eth = readCloses(`${dataDir}/hourly/eth_usdt.csv`, '2025-11-15T23:00:00Z', 24 * days + steps);
    const positions = Array.from({ length: 24 * days }, (_, start) =>
      positionOnPath(
        {
          kind: 'perpetual',
          contract: 'linear',
          quantity: -2,
          entryPrice: 3000,
          startPrice: 3000,
          initialMargin: 400,
          unrealizedPnl: 0,
          fundingRatePerInterval: 0.0003,
          settlements: Uint32Array.from({ length: steps }, (_, i) => ((i + 1) % 8 === 0 ? 1 : 0)),
          debitsOnly: false,
          maintenanceMarginRate: 0.005,
          takerFeeRate: 0,
          marginCallMultiple: 1.25,
          steps,
        },
        Array.from({ length: steps + 1 }, (_, t) => eth[start + t] / eth[start]),
      ),
    );
    const share = (flags: boolean[]) => flags.filter(Boolean).length / positions.length;
    expectFigures(answer.result, {
      PrMarginCall: share(positions.map(p => p.marginCall)),
      PrLiquidation: share(positions.map(p => p.liquidation)),
    });
    const quantiles = (values: number[]) => ({
      q05: quantile(values, 0.05),
      q50: quantile(values, 0.5),
      q99: quantile(values, 0.99),
    });
    expectFigures(answer.result.Roi, quantiles(positions.map(p => (p.finalEquity - 400) / 400)));
    expectFigures(answer.result.FinalEquity, quantiles(positions.map(p => p.finalEquity)));
    expectFigures(answer.result.AccFunding, quantiles(positions.map(p => p.accumulatedFunding)));
    expectFigures(answer.result.MaxEquityDrawDown, quantiles(positions.map(p => p.maxEquityDrawdown)));
    expectFigures(answer.result.Leverage, quantiles(positions.map(p => p.medianLeverage)));
  });
});

function expectFigures(found: unknown, expected: Record<string, number>): void {
  for (const [name, value] of Object.entries(expected)) {
    const figure = (found as Record<string, number>)[name];
    const difference = Math.abs(figure - value) / Math.max(1, Math.abs(value));
    expect(difference, `${name}: ${figure} against ${value}`).toBeLessThan(ROUNDING);
  }
}
