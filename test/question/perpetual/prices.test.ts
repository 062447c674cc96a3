/** Prices of liquidation and margin call at the start: against another solution, the definition, and a table. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type MarginedPosition,
  marginPrices,
  notionalAt,
  priceAtMarginRate,
  profitAt,
} from '#src/question/perpetual/position.js';
import { liquidationPrice } from '../../support/closed-forms/liquidation-price.ts';

const LONG: MarginedPosition = {
  contract: 'linear',
  quantity: 2,
  entryPrice: 50_000,
  startPrice: 50_000,
  initialMargin: 10_000,
  maintenanceMarginRate: 0.005,
  takerFeeRate: 0,
  marginCallMultiple: 1.25,
};

const positions = fc.record({
  contract: fc.constantFrom('linear' as const, 'inverse' as const),
  quantity: fc
    .tuple(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), fc.boolean())
    .map(([size, long]) => (long ? size : -size)),
  entryPrice: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  leverage: fc.double({ min: 0.3, max: 100, noNaN: true }),
  rate: fc.double({ min: 1e-4, max: 0.5, noNaN: true }),
});

describe('priceAtMarginRate', () => {
  it('is the liquidation price of the formulas of either side', () => {
    fc.assert(
      fc.property(positions, ({ contract, quantity, entryPrice, leverage, rate }) => {
        const notional =
          contract === 'linear' ? Math.abs(quantity) * entryPrice : Math.abs(quantity) / entryPrice;
        const initialMargin = notional / leverage;
        const position = { ...LONG, contract, quantity, entryPrice, startPrice: entryPrice, initialMargin };
        const known = liquidationPrice(position, rate);
        const price = priceAtMarginRate(position, rate);
        // Equal but for the rounding of entry - margin / q, which cancels where leverage is near 1.
        if (known === undefined)
          expect(price === undefined || price < 1e-9 * entryPrice || price > 1e9 * entryPrice).toBe(true);
        else
          expect(Math.abs((price ?? 0) - known)).toBeLessThanOrEqual(
            1e-12 * (known + entryPrice) * (1 + known / entryPrice),
          );
      }),
      { numRuns: 2000 },
    );
  });

  it('is the price at which equity equals the required margin', () => {
    for (const quantity of [2, -2])
      for (const rate of [0.005, 0.00625, 0.1]) {
        const price = priceAtMarginRate({ ...LONG, quantity }, rate) as number;
        const equity = LONG.initialMargin + quantity * (price - LONG.entryPrice);
        expect(equity).toBeCloseTo(rate * Math.abs(quantity) * price, 8);
      }
  });

  it('is the price at which equity equals the required margin less an amount, or nothing is left', () => {
    fc.assert(
      fc.property(
        positions,
        fc.double({ min: 0, max: 2, noNaN: true }),
        ({ contract, quantity, entryPrice, leverage, rate }, part) => {
          const position = { ...LONG, contract, quantity, entryPrice, startPrice: entryPrice };
          const notional = notionalAt(position, entryPrice);
          const initialMargin = notional / leverage;
          const amount = part * rate * notional;
          const price = priceAtMarginRate({ ...position, initialMargin }, rate, amount);
          // A long linear and a short inverse position lose less than their notional.
          const isBounded = quantity > 0 === (contract === 'linear');
          if (price === undefined) expect(isBounded && initialMargin >= notional * (1 - 1e-9)).toBe(true);
          else {
            const required = Math.max(0, rate * notionalAt(position, price) - amount);
            const error = initialMargin + profitAt(position, price) - required;
            expect(Math.abs(error)).toBeLessThanOrEqual(
              1e-9 * (notional + initialMargin + notionalAt(position, price)),
            );
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is undefined if the margin covers any loss', () => {
    expect(priceAtMarginRate({ ...LONG, initialMargin: 100_001 }, 0.005)).toBeUndefined();
    // 2 units at 50,000: at a price of zero the loss is the margin.
    expect(priceAtMarginRate({ ...LONG, initialMargin: 100_000 }, 0.005)).toBeUndefined();
    const inverse = { ...LONG, contract: 'inverse' as const, quantity: -50_000 };
    expect(priceAtMarginRate({ ...inverse, initialMargin: 1 }, 0.005)).toBeUndefined();
    expect(priceAtMarginRate({ ...inverse, initialMargin: 0.9 }, 0.005)).toBeGreaterThan(50_000);
  });
});

describe('A position whose required margin moves as its profit', () => {
  // 1 - rate and 1 + sign rate are 0: no price changes what is missing.
  it('has no price of a call', () => {
    expect(priceAtMarginRate(LONG, 1)).toBeUndefined();
    expect(
      priceAtMarginRate({ ...LONG, contract: 'inverse', quantity: -50_000, initialMargin: 0.5 }, 1),
    ).toBeUndefined();
    expect(priceAtMarginRate({ ...LONG, quantity: -2 }, 1)).toBeCloseTo(55_000 / 2, 8);
  });
});

describe('marginPrices', () => {
  it('has both prices and their distances', () => {
    // (50000 - 5000) / 0.995 and / 0.99375; sigma sqrt(T) = 0.8 / 8.
    const model = marginPrices(LONG, 0.8, 1 / 64);
    expect(model.liquidation_price).toBeCloseTo(45_226.130653, 6);
    expect(model.margin_call_price).toBeCloseTo(45_283.018868, 6);
    expect(model.liquidation_distance).toBeCloseTo(Math.log(50_000 / 45_226.130653) / 0.1, 8);
    expect(model.margin_call_distance).toBeCloseTo(Math.log(50_000 / 45_283.018868) / 0.1, 8);
    expect(model).toMatchObject({
      start_price: 50_000,
      annual_volatility: 0.8,
      maintenance_margin_rate: 0.005,
    });
  });

  it('has no distance without a volatility, and 0 for a price that is passed', () => {
    const unmodelled = marginPrices(LONG, undefined, 1);
    expect([unmodelled.liquidation_distance, unmodelled.annual_volatility]).toEqual([null, null]);
    expect(unmodelled.liquidation_price).not.toBeNull();
    expect(marginPrices(LONG, 0, 1).margin_call_distance).toBeNull();
    const called = marginPrices({ ...LONG, initialMargin: 550 }, 0.8, 1);
    expect(called.margin_call_distance).toBe(0);
    expect(called.liquidation_distance).toBeGreaterThan(0);
    const covered = marginPrices({ ...LONG, initialMargin: 200_000 }, 0.8, 1);
    expect([covered.liquidation_price, covered.liquidation_distance]).toEqual([null, null]);
  });

  it('requires the taker fee as well, and is 0 from a price that is called to the bit', () => {
    // 0.4 % and 0.05 %, and a call at 1.2 times that, 324: the price of a call is a rounding below the start.
    const rates = { maintenanceMarginRate: 0.004, takerFeeRate: 0.0005, marginCallMultiple: 1.2 };
    const start = { entryPrice: 60_000, startPrice: 60_000, initialMargin: 324 };
    const model = marginPrices({ ...LONG, ...rates, ...start, quantity: -1 }, 0.8, 1 / 64);
    expect(model.margin_call_price).not.toBe(60_000);
    expect(model.margin_call_distance).toBe(0);
    expect(model.liquidation_price).toBeCloseTo(60_324 / 1.0045, 6);
  });

  it('counts losses since the entry', () => {
    // 260 of the margin are left at 50,000: above the 250 of liquidation, below the 312.5 of a call.
    const fallen = { ...LONG, quantity: 1, entryPrice: 60_000, startPrice: 50_000, initialMargin: 10_260 };
    const model = marginPrices(fallen, 0.8, 1 / 64);
    expect(model.margin_call_distance).toBe(0);
    expect(model.liquidation_price).toBeCloseTo(49_740 / 0.995, 6);
    expect(model.liquidation_distance).toBeCloseTo(Math.log(50_000 / (49_740 / 0.995)) / 0.1, 8);
  });

  it('has the distance to the other side if the required margin outgrows the profit', () => {
    // Rates of 0.9 for liquidation and 1.125 for a call, of a long at 50,000 with one unit.
    const long = { ...LONG, quantity: 1, maintenanceMarginRate: 0.9 };
    const rich = marginPrices({ ...long, initialMargin: 60_000 }, 0.8, 1 / 64);
    // 60,000 + P - 50,000 = 1.125 P.
    expect(rich.margin_call_price).toBeCloseTo(80_000, 6);
    expect(rich.margin_call_distance).toBeCloseTo(Math.log(80_000 / 50_000) / 0.1, 8);
    // With less than the entry price it is called at every price.
    const poor = marginPrices({ ...long, initialMargin: 48_000 }, 0.8, 1 / 64);
    expect([poor.margin_call_price, poor.margin_call_distance]).toEqual([null, 0]);
    expect(poor.liquidation_price).toBeCloseTo(2000 / 0.1, 6);
    expect(poor.liquidation_distance).toBeCloseTo(Math.log(50_000 / 20_000) / 0.1, 8);
    // A short inverse position has the mirror image: 0.95 + 1 - 1 / p = 1.125 / p has no p, and every p is called.
    const inverse = { ...long, contract: 'inverse' as const, quantity: -50_000 };
    const short = marginPrices({ ...inverse, initialMargin: 0.95 }, 0.8, 1 / 64);
    expect([short.margin_call_price, short.margin_call_distance]).toEqual([null, 0]);
  });
});
