/** /isolated_perp_risk on the sample market: the choice of the maintenance margin, and the prices of `?include=model`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { type Operations, openOperations } from '../../support/operations.ts';

const BODY = {
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
  funding_rate: 0,
  funding_interval_hour: 8,
  analysis_date: '06-30-2024',
  mc_iter: 2000,
};
interface Results {
  readonly PrLiquidation: number;
  readonly PrMarginCall: number;
  readonly FinalEquity: { readonly q01: number };
}
const withModel = { query: { ...DEFAULT_QUERY, include: new Set(['model'] as const) } };

describe('/isolated_perp_risk', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });

  const ask = (body: object, overrides: object = {}) =>
    operations.answer(PERPETUAL_QUESTION, { ...BODY, ...body }, overrides);

  it('prefers the rate of the request to that of the server', async () => {
    const server = { maintenanceMargins: { rateOf: () => 0.02 } };
    const [byServer, byRequest] = [await ask({}, server), await ask({ maintenance_margin_rate: 0.02 })];
    expect(byRequest.result).toEqual(byServer.result);
    expect(byRequest.basis.maintenanceMarginRate).toBe(0.02);
    expect(byRequest.arguments).toEqual({ ...byServer.arguments, maintenance_margin_rate: 0.02 });
    expect((await ask({ maintenance_margin_rate: 0.05 }, server)).result).not.toEqual(byServer.result);
  });

  it.each([
    [{}, 60_000],
    [{ unrealized_pnl: 500 }, 60_500],
    [{ position_size: -3, unrealized_pnl: 600, initial_margin: 20_000 }, 179_400],
    [{ contract_type: 'inverse', contract_value_usd: 100, position_size: -50, initial_margin: 0.02 }, 5000],
  ])('asks the server for the rate of the notional at the start: %j', async (body, notional) => {
    const asked: [string, number][] = [];
    const maintenanceMargins = {
      rateOf: (symbol: string, notionalUsd: number) => {
        asked.push([symbol, notionalUsd]);
        return 0.005;
      },
    };
    await ask(body, { maintenanceMargins });
    expect(asked).toEqual([['BTC', notional]]);
  });

  it('books received funding under flat, and not under debitflat', async () => {
    const received = { position_size: -1, funding_rate: 0.001 };
    const [flat, debits] = await Promise.all(
      ['flat', 'debitflat'].map(async funding_method => {
        const { result } = await ask({ ...received, funding_method });
        return (result as unknown as { AccFunding: { q50: number } }).AccFunding.q50;
      }),
    );
    // Nine settlements of 0.1 % of some 60,000 USD.
    expect(flat).toBeGreaterThan(300);
    expect(debits).toBe(0);
  });

  it('sets the taker fee aside with the maintenance margin, and charges it in liquidation', async () => {
    const fee = { taker_fee_rate: 0.01 };
    const [sum, plain, split] = [
      await ask({ maintenance_margin_rate: 0.03 }),
      await ask({ maintenance_margin_rate: 0.02 }),
      await ask({ maintenance_margin_rate: 0.02, ...fee }, withModel),
    ];
    const results = [sum, plain, split].map(answer => answer.result as unknown as Results);
    const [ofSum, ofPlain, ofSplit] = results;
    expect(split.arguments).toEqual({ ...plain.arguments, ...fee });
    expect(split.basis.maintenanceMarginRate).toBe(0.02);
    expect(ofSplit.PrLiquidation).toBe(ofSum.PrLiquidation);
    expect(ofSplit.PrMarginCall).toBe(ofSum.PrMarginCall);
    expect(ofSplit.PrLiquidation).toBeGreaterThan(ofPlain.PrLiquidation);
    // At the liquidation price, 54,000 / 0.97, closing costs 557 USD, and a little less below it.
    expect(ofSplit.PrLiquidation).toBeGreaterThan(0.02);
    const paid = ofSum.FinalEquity.q01 - ofSplit.FinalEquity.q01;
    expect(paid).toBeGreaterThan(500);
    expect(paid).toBeLessThan(0.01 * (54_000 / 0.97));
    expect(split.included?.Model).toMatchObject({
      liquidation_price: expect.closeTo(54_000 / 0.97, 6),
      maintenance_margin_rate: 0.02,
      taker_fee_rate: 0.01,
    });
  });

  describe('with the bracket of an exchange', () => {
    const bracket = {
      ...{ position_size: 100, initial_margin: 600_000, maintenance_margin_rate: 0.01 },
      maintenance_amount: 16_300,
    };

    it('takes the amount from the maintenance margin', async () => {
      const { maintenance_amount: _, ...rateAlone } = bracket;
      const [less, more] = [await ask(bracket, withModel), await ask(rateAlone, withModel)];
      expect(less.included?.Model).toMatchObject({
        liquidation_price: expect.closeTo(54_380.808, 3),
        // Equity of 1.25 times the margin.
        margin_call_price: expect.closeTo((60_000 - 6203.75) / 0.9875, 6),
      });
      expect(more.included?.Model).toMatchObject({ liquidation_price: expect.closeTo(54_545.455, 3) });
      expect(less.arguments).toEqual({ ...more.arguments, maintenance_amount: 16_300 });
      const [ofLess, ofMore] = [less, more].map(({ result }) => result as unknown as Results);
      expect(ofLess.PrMarginCall).toBeLessThan(ofMore.PrMarginCall);
    });

    it('is refused without its rate, and above the maintenance margin at the start', async () => {
      await expect(ask({ maintenance_amount: 1 })).rejects.toMatchObject({
        faults: [
          {
            path: 'maintenance_amount',
            message:
              'maintenance_amount must be absent, or beside maintenance_margin_rate, the rate of its bracket; got 1 without a rate',
          },
        ],
      });
      await expect(ask({ ...bracket, maintenance_amount: 60_001 })).rejects.toMatchObject({
        faults: [
          {
            path: 'maintenance_amount',
            message:
              'maintenance_amount is 60001, more than the maintenance margin of 60000 from which it is taken (rate 0.01 of a notional of ' +
              '6000000): use rate and amount of the bracket of this notional, or an amount of at most 60000.',
          },
        ],
      });
      expect((await ask({ ...bracket, maintenance_amount: 60_000 })).arguments).toMatchObject({
        maintenance_amount: 60_000,
      });
    });
  });

  it('has the prices of liquidation and margin call if the query names them', async () => {
    expect((await ask({})).included).toEqual({});
    const Model = (await ask({}, withModel)).included?.Model as Record<string, number>;
    expect(Model).toMatchObject({ start_price: 60_000, maintenance_margin_rate: 0.005 });
    expect(Model.liquidation_price).toBeCloseTo(54_000 / 0.995, 6);
    expect(Model.margin_call_price).toBeCloseTo(54_000 / 0.99375, 6);
    const deviation = Model.annual_volatility * Math.sqrt(72 / 8760);
    expect(Model.liquidation_distance).toBeCloseTo(Math.log(60_000 / Model.liquidation_price) / deviation, 9);
    const shocked = (await ask({ volatility_shock: 1 }, withModel)).included?.Model as Record<string, number>;
    expect(shocked.liquidation_distance).toBeCloseTo(Model.liquidation_distance / 2, 9);
  });

  const LOOKBACK = 200;
  it.each(['STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP'] as const)(
    'tells distances in deviations of the model under %s, and the window they are from',
    async model => {
      const Model = (await ask({ model, model_lookback: LOOKBACK }, withModel)).included?.Model as {
        annual_volatility: number;
        annual_volatilities: Record<string, number>;
        liquidation_price: number;
        liquidation_distance: number;
        window: { first_close: string; closes: number; grid_hours: number };
      };
      expect(Model.annual_volatility).toBeCloseTo(Object.values(Model.annual_volatilities)[0], 12);
      const deviation = Model.annual_volatility * Math.sqrt(72 / 8760);
      expect(Model.liquidation_distance).toBeCloseTo(
        Math.log(60_000 / Model.liquidation_price) / deviation,
        9,
      );
      const { first_close, closes, grid_hours } = Model.window;
      expect(closes).toBe(1 + (LOOKBACK * 24) / grid_hours);
      expect(Date.parse(first_close) + (closes - 1) * grid_hours * 3_600_000).toBe(
        // A day's close is named by its day, an hour's by its end.
        Date.parse(grid_hours === 1 ? '2024-07-01T00:00:00Z' : '2024-06-30T00:00:00Z'),
      );
    },
  );

  it('has no distance for HISTORICAL, which has no volatility', async () => {
    const { mc_iter: _, ...body } = BODY;
    const answer = await operations.answer(PERPETUAL_QUESTION, { ...body, model: 'HISTORICAL' }, withModel);
    expect(answer.included?.Model).toMatchObject({
      liquidation_price: expect.closeTo(54_000 / 0.995, 6),
      liquidation_distance: null,
      margin_call_distance: null,
      annual_volatility: null,
    });
  });
});
