/** `price_shock` of loans, of /var and of perpetuals: the same as values or a mark that have moved before the first step. */

import { beforeAll, describe, expect, it } from 'vitest';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Operations, openOperations } from '../support/operations.ts';
import { readRequest } from '../support/request-bodies.ts';

const VAR = {
  type: 'GBM',
  params: {
    collateral_weights: { BTC: 1 },
    loan_weights: { ETH: 1 },
    analysis_date: '06-30-2024',
    model_lookback: 60,
    mc_iter: 500,
    var_duration: [3, 30],
    quantile: [0.9, 0.99],
    loan_value: 100_000,
    collateral_value: 150_000,
  },
};
const LOAN = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 60,
  mc_iter: 500,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 100_000,
  N: 1.6,
  M: 1.3,
  L: 1.1,
  R: 1.4,
};
const MARKETS = { volume_lookback: 30, markets: [['BTC', 'USDT', 'binance']], participation_ratio: 0.1 };
type Figures = Readonly<Record<string, number>>;

const POSITION = {
  model: 'GBM',
  market: 'BTC',
  model_lookback: 30,
  trade_duration_hours: 72,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 60_000,
  initial_margin: 6000,
  position_size: 1,
  contract_size: 1,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
  analysis_date: '06-30-2024',
  mc_iter: 500,
};

type Keyed = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;

describe('A price shock', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });

  const tails = async (price_shock?: Readonly<Record<string, number>>) =>
    (
      await operations.answer(VALUE_AT_RISK_QUESTION, {
        ...VAR,
        params: { ...VAR.params, ...(price_shock && { price_shock }) },
      })
    ).result as Keyed;

  const results = async (more: object) =>
    (await operations.answer(PERPETUAL_QUESTION, { ...POSITION, ...more })).result as {
      readonly PrLiquidation: number;
      readonly PrMarginCall: number;
    } & Readonly<Record<string, Readonly<Record<string, number>>>>;

  const loan = async (more: object, compute: 'cpu' | 'auto' = 'cpu') =>
    (await operations.answer(LOAN_QUESTION, { type: 'GBM', params: { ...LOAN, ...more } }, { compute }))
      .result as Figures;
  const cappedLoan = async (more: object) =>
    (
      await operations.answer(CAPPED_LOAN_QUESTION, {
        type: 'GBM',
        params: { ...LOAN, ...MARKETS, ...more },
      })
    ).result as Figures;

  it.each([
    ['that leaves the loan open', { BTC: -0.1 }, { N: 1.6 * 0.9 }],
    ['that calls it', { BTC: -0.2 }, { N: 1.6 * 0.8, called_hours_ago: 0 }],
  ])('%s equals a loan with that much less collateral, on every engine', async (_, price_shock, moved) => {
    for (const compute of ['cpu', 'auto'] as const) {
      const [after, same] = [await loan({ price_shock }, compute), await loan(moved, compute)];
      for (const [name, value] of Object.entries(same))
        expect(after[name], `${compute}: ${name}`).toBeCloseTo(value, compute === 'cpu' ? 10 : 5);
    }
    const [after, same] = [await cappedLoan({ price_shock }), await cappedLoan(moved)];
    for (const [name, value] of Object.entries(same))
      if (typeof value === 'number') expect(after[name], name).toBeCloseTo(value, 10);
  });

  it('that takes a loan below L liquidates it at the start', async () => {
    const after = await loan({ price_shock: { '*': -0.35 } });
    expect(after).toMatchObject({ PrMarginCall: 1, PrLiquidation: 1, PrCloseout: 0, AvgSurvivalRate: 0 });
    // 1.6 x 0.65 is above 1: it is under water on some paths only. 1.6 x 0.6 is not.
    expect(after.PrUnderwater).toBeLessThan(1);
    expect((await loan({ price_shock: { '*': -0.4 } })).PrUnderwater).toBe(1);
    expect((await loan({ price_shock: { '*': -0.4 } })).WorstCaseCCR).toBeLessThanOrEqual(0.96);
  });

  it('to exactly L, or to a coverage of exactly 1, is below neither, whatever the weights', async () => {
    // 1.25 x (0.7 x 0.8 + 0.3 x 0.8) is 0.9999999999999998 in double precision.
    const terms = { N: 1.25, M: 1.1, L: 1, R: 1.3, loan_duration: 0.5, price_shock: { '*': -0.2 } };
    for (const BTC of [0.5, 0.7]) {
      const weights = { collateral_weights: { BTC, ETH: 1 - BTC } };
      for (const figures of [
        await loan({ ...terms, ...weights }),
        await loan({ ...terms, ...weights }, 'auto'),
        await cappedLoan({ ...terms, ...weights }),
      ]) {
        expect(figures.PrMarginCall).toBe(1);
        expect(figures.PrLiquidation).toBeLessThan(1);
        expect(figures.PrUnderwater).toBeLessThanOrEqual(figures.PrLiquidation);
      }
    }
    const near = await loan({ ...terms, price_shock: { '*': -0.2 - 1e-9 } });
    expect([near.PrLiquidation, near.PrUnderwater]).toEqual([1, 1]);
  });

  it('of the debt divides the coverage', async () => {
    const weights = { loan_weights: { ETH: 1 } };
    // 1.6 / 1.3 = 1.23 is below M, 1.6 / 1.5 = 1.07 below L: liquidated before the first step.
    const called = await loan({ ...weights, price_shock: { ETH: 0.3 } });
    expect(called.PrMarginCall).toBe(1);
    expect(called.PrLiquidation).toBeLessThan(1);
    const liquidated = await loan({ ...weights, price_shock: { ETH: 0.5 } });
    expect(liquidated).toMatchObject({ PrLiquidation: 1, AvgSurvivalRate: 0 });
    // A debt that has fallen by a tenth: 1.6 / 0.9.
    const eased = await loan({ ...weights, price_shock: { ETH: -0.1 } });
    const same = await loan({ ...weights, N: 1.6 / 0.9 });
    expect(eased.PrMarginCall).toBe(same.PrMarginCall);
  });

  it('of an asset in both baskets moves both', async () => {
    const weights = { collateral_weights: { BTC: 0.5, ETH: 0.5 }, loan_weights: { ETH: 1 } };
    const after = await loan({ ...weights, price_shock: { ETH: 0.5 } });
    // CCR 1.6 x (0.5 + 0.75) / 1.5 = 1.333: above M, and nearer to it than before.
    const before = await loan(weights);
    expect(after.PrMarginCall).toBeGreaterThan(before.PrMarginCall);
    expect(after.PrMarginCall).toBeLessThan(1);
    expect(after['Collateral Volatility']).toBe(before['Collateral Volatility']);
  });

  it('leaves a called loan called at any price', async () => {
    const called = { N: 1.2, called_hours_ago: 6 };
    const { PrMarginCall } = await loan({ ...called, price_shock: { BTC: 0.05 } });
    expect(PrMarginCall).toBe(1);
  });

  it('multiplies every value of a basket of one asset', async () => {
    const [plain, shocked] = [await tails(), await tails({ BTC: -0.3, ETH: 0.5 })];
    for (const days of ['3', '30'])
      for (const [quantile, figures] of Object.entries(plain[days]))
        for (const [name, factor] of [
          ['CollateralVar', 0.7],
          ['CollateralCVar', 0.7],
          ['LoanVar', 1.5],
          ['LoanCVar', 1.5],
        ] as const) {
          const after = shocked[days][quantile][name];
          expect(after / figures[name], `${name} ${days} ${quantile}`).toBeCloseTo(factor, 12);
        }
    for (const figure of ['Collateral Volatility', 'Loan Volatility', 'Collateral/Loan Correlation'])
      expect(shocked[figure]).toBe(plain[figure]);
  });

  it('of * does not change named assets and dollars', async () => {
    expect(await tails({ BTC: -0.3, '*': 0.5 })).toEqual(await tails({ BTC: -0.3, ETH: 0.5 }));
    expect(await tails({ BTC: 0, ETH: 0 })).toEqual(await tails());
  });

  it.each([
    [{ BTC: -1 }, 'params.price_shock.BTC'],
    [{ BTC: 101 }, 'params.price_shock.BTC'],
    [{ BTC: '-0.3' }, 'params.price_shock.BTC'],
    [{ DOGE: -0.3 }, 'params.price_shock'],
    [{ USD: 0.1 }, 'params.price_shock.USD'],
    [{ cash: 0.1 }, 'params.price_shock.cash'],
    [{ btc: -0.1, BTC: -0.2 }, 'params.price_shock.BTC'],
    [{}, 'params.price_shock'],
    [-0.3, 'params.price_shock'],
  ])('%j is refused at its member', (price_shock, path) => {
    const checked = readRequest(VALUE_AT_RISK_QUESTION, 30_000, {
      ...VAR,
      params: { ...VAR.params, price_shock },
    });
    expect(checked.ok ? [] : checked.faults.map(fault => fault.path)).toEqual([path]);
  });

  it('moves the mark of a perpetual, and its equity before is the first peak', async () => {
    const shocked = await results({ price_shock: { BTC: -0.05 } });
    // 3,000 of 6,000 USD are lost at once: the drawdown is no smaller on any path.
    expect(shocked.MaxEquityDrawDown.q99).toBeLessThanOrEqual(-3000);
    const moved = await results({ unrealized_pnl: -3000 });
    expect(shocked.FinalEquity).toEqual(moved.FinalEquity);
    expect(shocked.Leverage).toEqual(moved.Leverage);
    expect(shocked.PrLiquidation).toBe(moved.PrLiquidation);
    // Roi counts from the equity before the shock.
    expect(shocked.Roi.q50).toBeCloseTo(moved.Roi.q50 - 0.5, 12);
  });

  it('of a perpetual to its margin call counts a call on every path', async () => {
    const { PrMarginCall, PrLiquidation } = await results({ price_shock: { '*': -0.0948 } });
    expect(PrMarginCall).toBe(1);
    expect(PrLiquidation).toBeLessThan(1);
  });

  it.each([
    ['linear', -0.2, 0],
    ['linear', -0.0955, 6000 - 0.0955 * 60_000],
    ['inverse', -0.2, 0],
  ])(
    'liquidates a %s position at once that a shock of %d leaves without its margin',
    async (contract_type, change, left) => {
      const inverse = { contract_value_usd: 100, position_size: 600, initial_margin: 0.1 };
      const ended = await results({
        contract_type,
        ...(contract_type === 'inverse' && inverse),
        price_shock: { BTC: change },
      });
      expect(ended).toMatchObject({ PrMarginCall: 1, PrLiquidation: 1 });
      expect(ended.Leverage.q99).toBe(0);
      expect(ended.AccFunding.q50).toBe(0);
      expect(ended.FinalEquity.q01).toBeCloseTo(left, 9);
      expect(ended.FinalEquity.q99).toBe(ended.FinalEquity.q01);
    },
  );

  it('is applied after the check of the position: an invalid position is refused', async () => {
    await expect(results({ initial_margin: 200, price_shock: { BTC: 0.5 } })).rejects.toMatchObject({
      reason: 'invalid-request',
    });
  });
});
