/** `price_shock` of /var and of perpetuals: the same as values or a mark that have moved before the first step. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/question.js';
import { perpetualRequest } from '#src/question/perpetual/request.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/question.js';
import { valueAtRiskRequest } from '#src/question/value-at-risk/request.js';
import { checkRequest } from '#src/request/parse.js';
import { type Operations, openOperations } from '../support/operations.ts';

const VAR = {
  type: 'GBM',
  params: {
    collateral_weights: { BTC: 1 },
    loan_weights: { ETH: 1 },
    analysis_date: '06-30-2024',
    model_lookback: 60,
    mc_iter: 4000,
    var_duration: [3, 30],
    quantile: [0.9, 0.99],
    loan_value: 100_000,
    collateral_value: 150_000,
  },
};
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
  afterAll(() => operations.close());

  const tails = async (price_shock?: Readonly<Record<string, number>>) =>
    (
      await operations.answer(valueAtRiskRequest, VALUE_AT_RISK_QUESTION.answer, {
        ...VAR,
        params: { ...VAR.params, ...(price_shock && { price_shock }) },
      })
    ).result as Keyed;

  const results = async (more: object) =>
    (await operations.answer(perpetualRequest, PERPETUAL_QUESTION.answer, { ...POSITION, ...more }))
      .result as {
      readonly PrLiquidation: number;
      readonly PrMarginCall: number;
    } & Readonly<Record<string, Readonly<Record<string, number>>>>;

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

  it('of * leaves named assets and dollars as they are said', async () => {
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
    const checked = checkRequest(valueAtRiskRequest(30_000), {
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

  it('that calls a perpetual is a margin call on every path', async () => {
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

  it('is judged after the position: one that is not allowed before it is refused', async () => {
    await expect(results({ initial_margin: 200, price_shock: { BTC: 0.5 } })).rejects.toMatchObject({
      reason: 'invalid-request',
    });
  });
});
