/**
 * Isolated positions against worked examples that exchanges publish, where the maintenance margin is taken on the mark
 * notional. Fees are part of the maintenance rate where the example has them, and a maintenance amount (a deduction
 * from the requirement) is so much more margin, which is the same inequality.
 */
import { describe, expect, it } from 'vitest';
import { liquidationPrice } from '../support/closed-forms/liquidation-price.ts';
import {
  FINE_STEP,
  findLiquidationPrice,
  type PositionTerms,
  positionOnPrices,
} from '../support/position-on-prices.ts';
import { Dice } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(1);

interface PublishedPrice extends PositionTerms {
  readonly source: string;
  readonly url: string;
  readonly price: number;
  /** Half a unit of the last digit published; a unit where the digits are cut. */
  readonly rounding: number;
}

const PUBLISHED_PRICES: readonly PublishedPrice[] = [
  {
    // 500 USDT behind 1,000 USDT at 50,000; the lowest bracket of BTCUSDT, 0.4 %.
    source: 'Binance USD-M, support page on avoiding liquidation',
    url: 'https://www.binance.com/en/support/faq/25edcd7fe0e544839d0847b8cbb2e400',
    contract: 'linear',
    quantity: 0.02,
    entryPrice: 50_000,
    initialMargin: 500,
    maintenanceMarginRate: 0.004,
    price: 25_100.4,
    rounding: 0.005,
  },
  {
    // 101 BTC behind 10,000,000 USD at 45,000; bracket of 300 BTC in the page on COIN-M liquidation prices
    // (https://www.binance.com/en/support/faq/ceccfcfb4e3a45e3b48b0b1bb1a8ae46): 12.5 %, maintenance amount 11.605 BTC,
    // whose three digits leave 0.05 USD of the price open.
    source: "Binance COIN-M, figure of Binance's calculator in its developer forum",
    url: 'https://dev.binance.vision/t/coin-margined-futures-liquidation-price-calculation-help-cm-variable/6292',
    contract: 'inverse',
    quantity: 10_000_000,
    entryPrice: 45_000,
    initialMargin: 101 + 11.605,
    maintenanceMarginRate: 0.125,
    price: 33_599.4,
    rounding: 0.05,
  },
  {
    // 60,000 USD at 50,000, 10x, 0.5 %; the article's inverse formulas of May 2026, maintenance at the mark.
    source: 'Bybit, Liquidation Price Calculation under Isolated Mode (Unified Trading Account), long',
    url: 'https://www.bybit.com/en/help-center/article/Liquidation-Price-Calculation-under-Isolated-Mode-Unified-Trading-Account',
    contract: 'inverse',
    quantity: 60_000,
    entryPrice: 50_000,
    initialMargin: 0.12,
    maintenanceMarginRate: 0.005,
    price: 45_681.8,
    rounding: 0.05,
  },
  {
    source: 'Bybit, Liquidation Price Calculation under Isolated Mode (Unified Trading Account), short',
    url: 'https://www.bybit.com/en/help-center/article/Liquidation-Price-Calculation-under-Isolated-Mode-Unified-Trading-Account',
    contract: 'inverse',
    quantity: -60_000,
    entryPrice: 50_000,
    initialMargin: 0.12,
    maintenanceMarginRate: 0.005,
    price: 55_277.8,
    rounding: 0.05,
  },
  {
    // Formula of https://www.gate.io/help/futures/perpetual/22160/calculation-of-liquidation-price; the figure is what
    // the exchange's app shows, cut after two digits. Maintenance 0.5 % and a taker rate of 0.00075 %.
    source: 'Gate, calculation of liquidation price, as reproduced in freqtrade issue 7294',
    url: 'https://github.com/freqtrade/freqtrade/issues/7294',
    contract: 'linear',
    quantity: 0.5423,
    entryPrice: 1680.05,
    initialMargin: 182.81,
    maintenanceMarginRate: 0.005,
    takerFeeRate: 7.5e-6,
    price: 1349.7,
    rounding: 0.01,
  },
  {
    // 500 contracts at 0.4, 5x with the closing fee in the margin; maintenance 1 % and a taker rate of 0.06 %.
    source: 'Phemex, estimated liquidation price of USDT-M positions',
    url: 'https://phemex.com/help-center/liq-price-for-USDTM',
    contract: 'linear',
    quantity: 500,
    entryPrice: 0.4,
    initialMargin: 40.096,
    maintenanceMarginRate: 0.01,
    takerFeeRate: 0.0006,
    price: 0.3232,
    rounding: 0.00005,
  },
];

describe('the published liquidation price', () => {
  it.each(PUBLISHED_PRICES)('of $source is that of the simulator', async example => {
    const { price, rounding, entryPrice, url } = example;
    const found = await findLiquidationPrice(engine, example, entryPrice, price);
    expect(found, url).toBeDefined();
    // The simulator finds the first step at or beyond the price.
    const told = `${found} against ${price}, ${url}`;
    expect(Math.abs((found as number) - price), told).toBeLessThanOrEqual(rounding + FINE_STEP * price);
  });
});

describe('the liquidation price of the simulator', () => {
  it.each(['linear long', 'linear short', 'inverse long', 'inverse short'])(
    'is the closed form for %s positions',
    async kind => {
      const [contract, side] = kind.split(' ') as ['linear' | 'inverse', 'long' | 'short'];
      for (let seed = 1; seed <= 12; seed++) {
        const dice = new Dice(500 + seed);
        const entryPrice = dice.between(0.001, 90_000);
        const notional = dice.between(10, 1e7);
        const size = contract === 'linear' ? notional / entryPrice : notional;
        const leverage = dice.between(1.5, 60);
        const terms: PositionTerms = {
          contract,
          quantity: side === 'long' ? size : -size,
          entryPrice,
          initialMargin: (contract === 'linear' ? notional : notional / entryPrice) / leverage,
          maintenanceMarginRate: dice.between(0.002, 0.012),
        };
        const price = liquidationPrice(terms, terms.maintenanceMarginRate) as number;
        const found = (await findLiquidationPrice(engine, terms, entryPrice, price)) as number;
        const beyond = (side === 'long' ? price - found : found - price) / price;
        const told = `${found} against ${price}: ${JSON.stringify(terms)}`;
        // At the price or at most one step beyond it; 1e-9 is the rounding of an equity near zero.
        expect(beyond, told).toBeGreaterThan(-1e-9);
        expect(beyond, told).toBeLessThan(FINE_STEP + 1e-9);
      }
    },
  );
});

describe('a maintenance amount', () => {
  it.each([100, -100])('is taken from the margin of a bracket: %i units', async quantity => {
    // 1 % less 16,300 USD: margin and amount, 6163 USD a unit, cover the loss and 1 % of the notional.
    const terms = { contract: 'linear', quantity, entryPrice: 60_000, initialMargin: 600_000 } as const;
    const bracket = { maintenanceMarginRate: 0.01, maintenanceAmount: 16_300 };
    const price = quantity > 0 ? 53_837 / 0.99 : 66_163 / 1.01;
    const found = (await findLiquidationPrice(engine, { ...terms, ...bracket }, 60_000, price)) as number;
    const beyond = ((price - found) * Math.sign(quantity)) / price;
    expect(beyond).toBeGreaterThan(-1e-9);
    expect(beyond).toBeLessThan(FINE_STEP + 1e-9);
  });
});

describe('the published maintenance margin', () => {
  const cases = [
    {
      // 10,000 contracts of 0.001 BTC at a mark of 30,000, 0.4 %: 1,200 USDT.
      source: 'KuCoin, How to Calculate Futures Liquidation Price',
      url: 'https://www.kucoin.com/support/26694703491737',
      contract: 'linear' as const,
      size: 10,
      mark: 30_000,
      maintenance: 1200,
    },
    {
      // 100 contracts of 100 USD at a mark of 25,000, 0.4 %: 0.0016 BTC.
      source: 'Binance, How to Calculate Liquidation Price of Coin-M Futures Contracts',
      url: 'https://www.binance.com/en/support/faq/ceccfcfb4e3a45e3b48b0b1bb1a8ae46',
      contract: 'inverse' as const,
      size: 10_000,
      mark: 25_000,
      maintenance: 0.0016,
    },
  ];
  it.each(cases)(
    'of $source is where a position ends',
    async ({ contract, size, mark, maintenance, url }) => {
      for (const quantity of [size, -size]) {
        const held = (initialMargin: number) =>
          positionOnPrices(
            engine,
            { contract, quantity, entryPrice: mark, initialMargin, maintenanceMarginRate: 0.004 },
            Float64Array.of(mark, mark, mark),
          );
        expect((await held(maintenance * (1 - 1e-9))).liquidation, url).toBe(true);
        expect((await held(maintenance * (1 + 1e-9))).liquidation, url).toBe(false);
        // The warning of methodology 7.5 comes at 1.25 times that margin.
        expect((await held(1.25 * maintenance * (1 - 1e-9))).marginCall, url).toBe(true);
        expect((await held(1.25 * maintenance * (1 + 1e-9))).marginCall, url).toBe(false);
      }
    },
  );
});

describe('published profit, loss and funding', () => {
  it('of a BitMEX XBTUSD long over one funding time', async () => {
    // https://www.bitmex.com/app/perpetualContractsGuideExamples: 15,000 contracts bought at 750 at 10:00; at 12:00, mark
    // 750, funding of 0.25 %: 0.05 XBT paid; sold at 800 at 18:00, profit 1.25 XBT, in total 1.2 XBT.
    const prices = Float64Array.of(750, 750, 750, 760, 770, 780, 790, 795, 800);
    const long: PositionTerms = {
      contract: 'inverse',
      quantity: 15_000,
      entryPrice: 750,
      initialMargin: 4,
      maintenanceMarginRate: 0.005,
      fundingRate: 0.0025,
      fundingHours: [2],
    };
    const end = await positionOnPrices(engine, long, prices);
    expect(end.accumulatedFunding).toBeCloseTo(-0.05, 12);
    expect(end.finalEquity - long.initialMargin).toBeCloseTo(1.2, 12);
    // The counterparty receives the payments of the long and loses its gains.
    const short = await positionOnPrices(engine, { ...long, quantity: -15_000 }, prices);
    expect(short.accumulatedFunding).toBeCloseTo(0.05, 12);
    expect(short.finalEquity - long.initialMargin).toBeCloseTo(-1.2, 12);
  });

  it('of a Kraken inverse perpetual short over one hour', async () => {
    // https://support.kraken.com/hc/en-us/articles/360022835911-Inverse-Crypto-Collateral-Perpetual-Contract-Specifications:
    // 100,000 contracts of 1 USD short at 7,000 earn 0.01785 % in the hour, 17.85 USD or 0.00255 BTC.
    const short: PositionTerms = {
      contract: 'inverse',
      quantity: -100_000,
      entryPrice: 7000,
      initialMargin: 2,
      maintenanceMarginRate: 0.005,
      fundingRate: 0.0001785,
      fundingHours: [1],
    };
    const end = await positionOnPrices(engine, short, Float64Array.of(7000, 7000));
    expect(end.accumulatedFunding).toBeCloseTo(0.00255, 12);
    expect(end.finalEquity).toBeCloseTo(2.00255, 12);
  });

  it('of a Binance USD-M long and short of one BTC', async () => {
    // https://www.binance.com/en/support/announcement/a-beginner-s-guide-to-futures-trading-360039304272: bought at 5,000
    // and sold at 5,500, or sold at 5,000 and bought back at 4,500, one BTC earns 500.
    for (const [quantity, exit] of [
      [1, 5500],
      [-1, 4500],
    ]) {
      const end = await positionOnPrices(
        engine,
        { contract: 'linear', quantity, entryPrice: 5000, initialMargin: 1000, maintenanceMarginRate: 0.004 },
        Float64Array.of(5000, 5000, exit),
      );
      expect(end.finalEquity).toBe(1500);
    }
  });
});
