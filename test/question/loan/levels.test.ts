/** The prices at which a loan is called and liquidated, and its exact figures. */
import { describe, expect, it } from 'vitest';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { exactLoanFigures } from '#src/question/loan/exact.js';
import { loanLevels } from '#src/question/loan/levels.js';
import type { OperationContext } from '#src/question/question.js';
import { resolvedBaskets } from '#src/question/resolved.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { marketOfSeries } from '../../support/market-of-series.ts';

const DAY = parseIsoDate('2024-01-02') as number;

describe('The levels of a loan', () => {
  const context = {
    market: marketOfSeries({
      daily: {
        BTC: { first: DAY - 1, values: Float64Array.of(100, 200) },
        ETH: { first: DAY - 1, values: Float64Array.of(10) },
      },
    }),
    now: new Date('2024-01-10T00:00:00Z'),
  } as unknown as OperationContext;
  const terms = {
    collateral_weights: { BTC: 0.5, ETH: 0.5 },
    loan_weights: { USD: 1 },
    analysis_date: DAY,
    loan_duration: 365 / 4,
    loan_value: 1000,
    N: 2,
    M: 1.5,
    L: 1.25,
  };
  const asked = (changes: object = {}, volatilities?: Record<string, number>, lossPct?: number) =>
    loanLevels(
      { terms: { ...terms, ...changes }, ...resolvedBaskets({ ...terms, ...changes }) },
      volatilities,
      lossPct,
      context,
    );

  it('are the price of each asset at which it alone brings the ratio, in deviations of the term', async () => {
    // Half of 2 is BTC: it falls by half to 1.5, and by three quarters to 1.25.
    const { levels } = await asked({}, { BTC: 0.8, ETH: 0 });
    expect(levels.BTC).toEqual({
      price: 200,
      margin_call: { price: 100, deviations: expect.closeTo(Math.log(2) / 0.4, 12) },
      liquidation: { price: 50, deviations: expect.closeTo(Math.log(4) / 0.4, 12) },
    });
    // A carried close is no price, and an asset that does not move has no deviations.
    expect(levels.ETH).toEqual({
      price: null,
      margin_call: { price: null, deviations: null },
      liquidation: { price: null, deviations: null },
    });
    const { levels: without } = await asked();
    expect(without.BTC.margin_call).toEqual({ price: 100, deviations: null });
  });

  it('begin at the prices that were sent, and after a shock', async () => {
    const { levels } = await asked({ prices: { ETH: 40 }, price_shock: { BTC: -0.2, '*': 0 } }, { BTC: 0.8 });
    // 2 (0.4 + 0.5) = 1.8 after the shock: BTC at 160 falls by 0.3 of 0.8, and by 0.55 of 0.8.
    expect(levels.BTC.price).toBe(160);
    expect(levels.BTC.margin_call.price).toBeCloseTo(160 * (1 - 0.3 / 0.8), 10);
    expect(levels.BTC.liquidation.price).toBeCloseTo(160 * (1 - 0.55 / 0.8), 10);
    expect(levels.ETH.price).toBe(40);
    expect(levels.ETH.margin_call.price).toBeCloseTo(40 * (1 - 0.3), 10);
  });

  it('have the asset of the loan, whose price rises, but no stablecoin of it', async () => {
    // 2 of USDC against BTC and DAI: BTC rises from 0.5 to 2 / 1.5 - 0.5, and to 2 / 1.25 - 0.5.
    const lent = { collateral_weights: { USDC: 1 }, loan_weights: { BTC: 0.5, DAI: 0.5 } };
    const { levels } = await asked({ ...lent, prices: { USDC: 1 } }, { BTC: 0.8 });
    expect(Object.keys(levels)).toEqual(['USDC', 'BTC']);
    expect(levels.BTC.price).toBe(200);
    expect(levels.BTC.margin_call).toEqual({
      price: expect.closeTo(200 * (5 / 3), 9),
      deviations: expect.closeTo(Math.log(5 / 3) / 0.4, 12),
      rise: true,
    });
    expect(levels.BTC.liquidation.price).toBeCloseTo(200 * 2.2, 9);
    expect(levels.USDC.margin_call).toEqual({ price: 0.75, deviations: null });
    const passed = await asked({ ...lent, N: 1.2, prices: { USDC: 1 } }, { BTC: 0.8 });
    expect(passed.levels.BTC.margin_call.price).toBeCloseTo(200 * 0.6, 9);
    expect(passed.levels.BTC.margin_call.deviations).toBeCloseTo(Math.log(0.6) / 0.4, 12);
  });

  it('are absent for a rise of a dollar or a stablecoin on both sides, and present for its fall', async () => {
    // The debt has more of it than the collateral: only a rise would call the loan.
    const mostlyLent = { collateral_weights: { USDC: 0.3, BTC: 0.7 }, loan_weights: { USDC: 1 } };
    const rising = await asked({ ...mostlyLent, prices: { USDC: 1 } }, { BTC: 0.8 });
    expect(rising.levels.USDC.margin_call).toEqual({ price: null, deviations: null });
    expect(rising.levels.USDC.liquidation).toEqual({ price: null, deviations: null });
    const mostlyHeld = { collateral_weights: { USDC: 1 }, loan_weights: { USDC: 0.5, BTC: 0.5 } };
    const falling = await asked({ ...mostlyHeld, prices: { USDC: 1 } }, { BTC: 0.8 });
    expect(falling.levels.USDC.margin_call.price).toBeLessThan(1);
    expect(falling.levels.USDC.margin_call).not.toHaveProperty('rise');
  });

  it('are absent for the dollar, which is worth 1', async () => {
    const lent = { collateral_weights: { USD: 1 }, loan_weights: { BTC: 1 } };
    const { levels } = await asked({ ...lent, prices: { USD: 1 } }, { BTC: 0.8 });
    expect(levels.USD.price).toBe(1);
    expect(levels.USD.margin_call).toEqual({ price: null, deviations: null });
    expect(levels.USD.liquidation).toEqual({ price: null, deviations: null });
    expect(levels.BTC.margin_call).toMatchObject({ rise: true });
  });

  it('are absent where no price of an asset brings them', async () => {
    const { levels } = await asked({ collateral_weights: { BTC: 0.1, SOL: 0.9 } });
    expect(levels.BTC.margin_call).toEqual({ price: null, deviations: null });
    expect(levels.SOL.price).toBeNull();
  });

  it('have the mean loss in USD, and the rate that pays for it', async () => {
    expect(await asked()).not.toHaveProperty('expected_loss_usd');
    expect(await asked({}, undefined, 1)).toMatchObject({
      expected_loss_usd: 10,
      loss_spread: expect.closeTo(-4 * Math.log(0.99), 12),
    });
    // No loss on the paths of a run is no spread of 0.
    expect(await asked({}, undefined, 0)).toMatchObject({ expected_loss_usd: 0, loss_spread: null });
    expect(await asked({}, undefined, 100)).toMatchObject({ expected_loss_usd: 1000, loss_spread: null });
  });
});

describe('The exact figures of a loan', () => {
  const asker = { caller: '', signal: new AbortController().signal };
  const figures = async (changes: object = {}, scenarios: object = {}, signal = asker.signal) => {
    const exact = await exactLoanFigures(
      {
        scenarios: {
          kind: 'gbm',
          assets: 2,
          annualVolatility: Float64Array.of(0.6, 0),
          factor: Float64Array.of(0.6, 0, 0, 0),
          ...scenarios,
        },
        product: {
          kind: 'loan',
          portfolio: {
            assets: 2,
            collateralWeights: Float64Array.of(1, 0),
            loanWeights: Float64Array.of(0, 1),
          },
          steps: 24,
          nominalRatio: 1.3,
          marginCallRatio: 1.2,
          liquidationRatio: 1.1,
          recoveryRatio: 1.25,
          topUpSteps: 12,
          ...changes,
        },
      } as unknown as SimulationPlan<LoanProduct>,
      { ...asker, signal },
    );
    return Object.fromEntries(Object.entries(exact).map(([name, { value }]) => [name, value]));
  };

  it('are there for terms up to a year, and for normal returns alone', async () => {
    // Those of a year take seconds: it is enough that they are begun.
    const ended = AbortSignal.abort(new Error('ended'));
    await expect(figures({ steps: 8760 }, {}, ended)).rejects.toThrow('ended');
    expect(await figures({ steps: 8761 }, {}, ended)).toEqual({});
    expect(await figures({}, { kind: 'student-t' })).toEqual({});
    expect(Object.keys(await figures({}, { kind: 'gbm-shifted' }))).toHaveLength(3);
  });

  it('are certain events of a loan that is called, or under water, at its start', async () => {
    const { PrMarginCall = 0, PrUnderwater = 0 } = await figures();
    expect(PrMarginCall).toBeGreaterThan(0.001);
    expect(PrMarginCall).toBeLessThan(0.9);
    expect(PrUnderwater).toBeLessThan(PrMarginCall);
    for (const status of ['called', 'liquidated'])
      expect(await figures({ start: { status } }), status).toMatchObject({ PrMarginCall: 1, PrUnderwater });
    expect(await figures({ start: { status: 'open' } })).toMatchObject({ PrMarginCall, PrUnderwater });
    const below = { nominalRatio: 0.99 };
    expect(await figures({ ...below, start: { status: 'open' } })).toMatchObject({ PrUnderwater: 1 });
    // Without a state step 0 is no step of the term.
    expect((await figures(below)).PrUnderwater).toBeLessThan(1);
    expect((await figures({ nominalRatio: 1, start: { status: 'open' } })).PrUnderwater).toBeLessThan(1);
  });

  it('have a mean loss that grows with the debt', async () => {
    const { AvgLossPct = 0 } = await figures({ nominalRatio: 0.5 });
    // Far under water the loss is the debt less the collateral, whose mean is 0.5.
    expect(AvgLossPct).toBeCloseTo(50, 6);
    expect((await figures({ nominalRatio: 0.5, debtGrowth: 1.1 })).AvgLossPct).toBeCloseTo(60, 6);
  });
});
