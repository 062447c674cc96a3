/** Facts of public texts and tests of venues, exact but for the rounding of double precision: docs/accounts.md, "Verification". */
import { describe, expect, it } from 'vitest';
import { AccountNow } from '#src/core/account/account-now.js';
import { AccountState } from '#src/core/account/account-state.js';
import { Closing } from '#src/core/account/closing.js';
import { settledRate } from '#src/core/account/funding.js';
import { prepareAccount } from '#src/core/account/prepared-account.js';
import { tiersOf } from '#src/core/account/tiers.js';
import type { AccountProduct, AccountRow, Tier, VenueTerms } from '#src/core/plan/product/account.js';
import { startProfit } from '#src/core/plan/product/account.js';
import { venue as venueTerms } from '../../support/check-accounts.ts';

/** Digits after the point of amounts up to some millions: what double precision carries. */
const DIGITS = 6;

interface Leg {
  readonly size: number;
  readonly entry?: number;
  readonly mark: number;
  readonly tiers: readonly Tier[];
  /** Units of the market that find a counterparty. */
  readonly book?: number;
  readonly inverse?: boolean;
}

const flat = (rate: number, deduction = 0): readonly Tier[] => [{ from: 0, rate, deduction }];

/** An account in USD; row i is on asset i. */
function account(
  cash: number,
  legs: readonly Leg[],
  venue: Partial<VenueTerms> = {},
  more: Partial<AccountProduct> = {},
): AccountProduct {
  return {
    kind: 'account',
    venue: venueTerms({ strict: true, close: { rule: 'all' }, ...venue }),
    currencies: [
      { asset: legs.length, price: 1, balance: cash, haircut: 0, debtMarkup: 0 },
      ...legs.map(({ mark }, asset) => ({ asset, price: mark, balance: 0, haircut: 0, debtMarkup: 0 })),
    ],
    rows: legs.map(
      (leg, asset): AccountRow => ({
        asset,
        currency: leg.inverse === true ? asset + 1 : 0,
        inverse: leg.inverse === true,
        quantity: leg.size,
        entryPrice: leg.entry ?? 0,
        markPrice: leg.mark,
        assetPrice: leg.mark,
        coin: leg.inverse === true,
        tiers: leg.tiers,
        ...(leg.book === undefined ? {} : { depth: leg.book * leg.mark }),
        fundingRate: 0,
        fundingIntervalHours: 1,
      }),
    ),
    processes: [],
    marginCallRatio: 1,
    slippage: 0,
    slippageGrowth: 0,
    feedLagHours: 0,
    bridgeVariance: 0,
    debitsOnly: false,
    steps: 1,
    ...more,
  };
}

/** Evaluated at its marks. */
function stateOf(product: AccountProduct) {
  const state = new AccountState(prepareAccount(product, product.rows.length));
  const prices = new Float64Array(product.rows.length + 1).fill(1);
  state.start();
  state.evaluate(prices);
  return { state, prices };
}

/** What is left after one pass at its marks. */
function closed(product: AccountProduct) {
  const { state, prices } = stateOf(product);
  const closing = new Closing(state);
  closing.start();
  closing.beginHour();
  closing.pass(closing.begin(prices, 0), prices, false);
  const { fees, shortfall, deleveraged, gained, ended } = closing.closes;
  const cash = ended ?? state.balance[0];
  const left = product.rows.map(({ quantity }, i) => quantity * state.open[i]);
  return { cash, left, fund: fees - shortfall, deleveraged, gained, state };
}

describe('Binance, multi-assets mode', () => {
  const CASH = 1_535_443.01;
  const ETH = { size: 3_683.979, entry: 1_456.84, mark: 1_335.18, tiers: flat(0.1, 135_365) };
  const BTC = { size: 109.488, entry: 32_481.98, mark: 31_967.27, tiers: flat(0.025, 16_300) };
  const below = (legs: readonly Leg[]) => {
    const now = new AccountNow(account(CASH, legs), legs.length);
    return legs.map(({ mark }, i) => mark * Number(now.liquidations([i]).below));
  };

  it('is liquidated at these prices, of one asset alone, to the cent', () => {
    const [eth, btc] = below([ETH, BTC]);
    expect(eth).toBeCloseTo(1_153.26, 2);
    expect(btc).toBeCloseTo(26_316.89, 2);
    expect(below([ETH])[0]).toBeCloseTo(1_114.78, 2);
    expect(below([BTC])[0]).toBeCloseTo(18_778.73, 2);
  });
});

describe('Dango', () => {
  const DANGO: Partial<VenueTerms> = { close: { rule: 'enough', buffer: 0 }, feeRate: 0.001 };
  const eth = (size: number, mark: number, book: number) => ({
    size,
    entry: 2_000,
    mark,
    book,
    tiers: flat(0.05),
  });
  const btc = (size: number, mark: number) => ({ size, entry: 50_000, mark, book: 0, tiers: flat(0.05) });

  it.each([
    // Size, cash, mark, book of ETH; cash after, size left, gain of the other side, fund.
    [10, 2_180, 1_800, 8, 565.6, 2, 0, 14.4],
    [10, 2_180, 1_800, 5, 511.6, 2, 654, 14.4],
    [10, 2_180, 1_800, 0, 421.6, 2, 1_744, 14.4],
    [10, 2_800, 1_700, 10, 0, 0, 0, -200],
    [10, 2_800, 1_700, 4, 0, 0, 1_680, -80],
    [10, 2_800, 1_700, 0, 0, 0, 2_800, 0],
    [-10, 2_220, 2_200, 8, 602.4, -2, 0, 17.6],
    [-10, 2_220, 2_200, 5, 536.4, -2, 666, 17.6],
    [-10, 2_220, 2_200, 0, 426.4, -2, 1_776, 17.6],
    [-10, 2_800, 2_300, 10, 0, 0, 0, -200],
    [-10, 2_800, 2_300, 4, 0, 0, 1_680, -80],
    [-10, 2_800, 2_300, 0, 0, 0, 2_800, 0],
    [10, -1_450, 2_200, 5, -461, 5, 0, 11],
  ])(
    'closes %d ETH on %d USD at %d with a book of %d',
    (size, cash, mark, book, after, left, other, fund) => {
      const result = closed(account(cash, [eth(size, mark, book)], DANGO));
      expect(result.cash).toBeCloseTo(after, DIGITS);
      expect(result.left[0]).toBeCloseTo(left, DIGITS);
      expect(result.fund).toBeCloseTo(fund, DIGITS);
      // What the account and the fund lose and the book does not gain, the other side gains.
      const filled = Math.min(Math.abs(size - left), book) * Math.sign(size);
      expect(cash - result.cash - result.fund - filled * (2_000 - mark)).toBeCloseTo(other, DIGITS);
    },
  );

  it.each([
    // Sizes of ETH and BTC, cash, marks; cash after, left, gain of the other side, fund.
    [10, 1, 7_065, 1_900, 47_000, 6_453.8, [10, 0.9], 606.5, 4.7],
    [10, 1, 7_065, 1_800, 44_000, 0, [0, 0], 7_065, 0],
    [-10, -1, 7_435, 2_100, 53_000, 6_786.2, [-10, -0.9], 643.5, 5.3],
    [-10, -1, 7_435, 2_200, 56_000, 0, [0, 0], 7_435, 0],
  ])(
    'closes %d ETH and %d BTC on %d USD without a book',
    (e, b, cash, markE, markB, after, left, other, fund) => {
      const result = closed(account(cash, [eth(e, markE, 0), btc(b, markB)], DANGO));
      expect(result.cash).toBeCloseTo(after, DIGITS);
      left.forEach((size, i) => {
        expect(result.left[i]).toBeCloseTo(size, DIGITS);
      });
      expect(result.fund).toBeCloseTo(fund, DIGITS);
      expect(cash - result.cash - result.fund).toBeCloseTo(other, DIGITS);
    },
  );

  it('closes 2 ETH in its incident', () => {
    const product = account(2_000, [eth(10, 1_875, 10)], { ...DANGO, feeRate: 0 });
    const { state } = stateOf(product);
    expect(state.marginEquity).toBeCloseTo(750, DIGITS);
    expect(state.required).toBeCloseTo(937.5, DIGITS);
    expect(closed(product).left[0]).toBeCloseTo(8, DIGITS);
  });
});

describe('dYdX', () => {
  const DYDX: Partial<VenueTerms> = { bankruptcy: 'share', feeCap: 'bankruptcy' };
  const leg = (size: number, mark: number, book?: number): Leg => ({
    size,
    mark,
    tiers: flat(0.1),
    ...(book === undefined ? {} : { book }),
  });

  it.each([
    // Cash, BTC, ETH; bankruptcy value of the ETH.
    [-490, 0.004, 0.1, 294],
    [510, -0.004, -0.1, 306],
    [110, 0.004, -0.1, 306],
  ])('closes %d USD with %d BTC and %d ETH at these prices', (cash, btc, eth, value) => {
    const legs = [leg(btc, 50_000, 0), leg(eth, 3_000, 0)];
    const product = account(cash, legs, { ...DYDX, close: { rule: 'one', order: 'maintenance' } });
    const { state, prices } = stateOf(product);
    const closing = new Closing(state);
    closing.start();
    closing.beginHour();
    // Healthy or not, a pass closes the ETH first: its maintenance is larger.
    closing.run(prices, prices, true, 0);
    expect(Math.abs(closing.closes.gained[1])).toBeCloseTo(value, DIGITS);
  });

  it('leaves 30,300 once 1 BTC is closed at 50,500', () => {
    const product = account(80_800, [leg(-1, 50_000, 0), leg(-10, 3_000, 0)], {
      ...DYDX,
      close: { rule: 'one', order: 'maintenance' },
    });
    expect(closed(product).gained[0]).toBeCloseTo(-50_500, DIGITS);
    expect(80_800 + closed(product).gained[0]).toBeCloseTo(30_300, DIGITS);
  });

  it.each([
    [-4_501, 0.1, 4_501],
    [-5_000, 0.1, 5_000],
  ])('closes %d USD with %d BTC alone at its bankruptcy value', (cash, size, value) => {
    const result = closed(account(cash, [leg(size, 50_000, 0)], DYDX));
    expect(Math.abs(result.gained[0])).toBeCloseTo(value, DIGITS);
  });

  it.each([
    // Side, bankruptcy value, filled, fee rate; fund.
    [1, 5_100, 5_610, 0.005, 28.05],
    [1, 5_100, 5_610, 0.025, 140.25],
    [1, 5_100, 5_610, 1, 510],
    [1, 5_100, 5_105.1, 0.005, 5.1],
    [1, 5_100, 5_049, 0.005, -51],
    [-1, 4_900, 4_410, 0.005, 22.05],
    [-1, 4_900, 4_949, 0.005, -49],
  ])('pays the fund for a fill of side %d', (side, bankruptcy, filled, feeRate, fund) => {
    // A mark beyond the fill: slippage leads from one to the other.
    const mark = side > 0 ? 6_000 : 4_000;
    const cash = side > 0 ? -bankruptcy : bankruptcy;
    const slippage = Math.abs(filled / mark - 1);
    const product = account(
      cash,
      [{ size: side, mark, tiers: flat(0.9) }],
      { ...DYDX, feeRate },
      { slippage },
    );
    expect(closed(product).fund).toBeCloseTo(fund, DIGITS);
  });

  it('deleverages a short of 1 BTC on 54,999 USD at that price', () => {
    const result = closed(account(54_999, [leg(-1, 50_000, 0)], { bankruptcy: 'share' }));
    expect(result.cash).toBeCloseTo(0, DIGITS);
    expect(result.gained[0]).toBeCloseTo(-54_999, DIGITS);
  });
});

describe('Paradex', () => {
  const LEGS = [
    { size: 0.1, entry: 60_000, mark: 54_800, tiers: flat(0.01) },
    { size: -1, entry: 3_000, mark: 3_400, tiers: flat(0.01) },
  ];
  const PARADEX = (maintenanceFee: number): Partial<VenueTerms> => ({
    close: { rule: 'share', share: 0.2, target: 0.9 },
    maintenanceFee,
  });

  it.each([
    // Fee; ratios of the shares tried, the share, the fee paid, cash.
    [0.5, [0.999, 0.856, 0.666, 0.399], 0.4, 17.76, 614.24],
    [0.7, [1.0514, 0.9663, 0.832], 0.6, 37.296, 1_000 - 0.6 * 920 - 37.296],
  ])('closes by a fee of %d', (fee, ratios, share, paid, cash) => {
    const product = account(1_000, LEGS, PARADEX(fee));
    const { state, prices } = stateOf(product);
    expect(state.marginEquity).toBeCloseTo(80, DIGITS);
    expect(state.required).toBeCloseTo(88.8, DIGITS);
    ratios.forEach((ratio, k) => {
      const y = 0.2 * (k + 1);
      const after = state.requiredAt(1 - y, prices) / (state.marginEquity - y * fee * state.maintained);
      expect(after).toBeCloseTo(ratio, 3);
    });
    const result = closed(product);
    expect(result.left[0]).toBeCloseTo(0.1 * (1 - share), DIGITS);
    expect(result.left[1]).toBeCloseTo(share - 1, DIGITS);
    expect(result.fund).toBeCloseTo(paid, DIGITS);
    expect(result.cash).toBeCloseTo(cash, DIGITS);
  });

  it('pays 75 for a premium of 12 in an hour, and 300 with two hours of 18', () => {
    const hour = (premium: number) =>
      50 * settledRate(premium, { interest: 0, clamp: 0, cap: Number.POSITIVE_INFINITY, intervalHours: 1 });
    expect(hour(12)).toBeCloseTo(75, DIGITS);
    expect(hour(12) + 2 * hour(18)).toBeCloseTo(300, DIGITS);
  });
});

/** Maintenance at notionals, and the notionals back. */
function margins(
  tiers: readonly Tier[],
  rows: readonly (readonly [notional: number, margin: number])[],
): void {
  const { state, prices } = stateOf(account(1, [{ size: 1, mark: 1, tiers }]));
  for (const [notional, margin] of rows) {
    expect(state.maintenanceOf(0, notional, prices)).toBeCloseTo(margin, DIGITS);
    expect(state.notionalRequiring(0, margin, prices)).toBeCloseTo(notional, DIGITS);
  }
}

describe('Tiers', () => {
  it('of Hyperliquid have these margins, and notionals back', () => {
    const three = tiersOf([
      { from: 0, rate: 1 / 80 },
      { from: 10_000, rate: 1 / 50 },
      { from: 50_000, rate: 1 / 20 },
    ]);
    margins(three, [
      [10_000, 125],
      [30_000, 525],
      [50_000, 925],
      [100_000, 3_425],
    ]);
    const two = tiersOf([
      { from: 0, rate: 1 / 80 },
      { from: 150e6, rate: 1 / 40 },
    ]);
    margins(two, [
      [100e6, 1.25e6],
      [150e6, 1.875e6],
      [200e6, 3.125e6],
    ]);
  });

  it('of Bybit have these margins', () => {
    const four = [0.02, 0.025, 0.03, 0.035].map((rate, k) => ({ from: 1_000 * k, rate }));
    margins(tiersOf(four), [[3_500, 92.5]]);
    const three = [0.01, 0.02, 0.03].map((rate, k) => ({ from: 10 * k, rate }));
    margins(tiersOf(three), [[25, 0.45]]);
  });
});

describe('Hyperliquid', () => {
  it('liquidates 1 BTC beside a short of 10 ETH on 10,000 USD at 91,746.84', () => {
    const legs = [
      { size: 1, entry: 100_000, mark: 100_000, tiers: flat(1 / 80) },
      { size: -10, entry: 3_000, mark: 3_000, tiers: flat(1 / 50) },
    ];
    const { below } = new AccountNow(account(10_000, legs), 2).liquidations([0]);
    expect(100_000 * Number(below)).toBeCloseTo(91_746.84, 2);
  });

  it('settles 0.95 % per 8 hours for a premium of 1 %', () => {
    const terms = { interest: 0.0001, clamp: 0.0005, cap: 0.04, intervalHours: 8 };
    expect(settledRate(0.01, terms)).toBeCloseTo(0.0095, 12);
  });
});

describe('Drift', () => {
  it.each([
    [22_050, 13_555.327867, 153_688.524588 - 6.147540983 * 22_050],
    [21_050, 12_940.573769, 24_282.786896],
  ])('has this requirement and profit of a short at %d', (mark, requirement, profit) => {
    const entry = 153_688.524588 / 6.147540983;
    const { state, prices } = stateOf(account(0, [{ size: -6.147540983, entry, mark, tiers: flat(0.1) }]));
    // Cut at 1e-6 there.
    expect(Math.abs(state.required - requirement)).toBeLessThan(1e-6);
    expect(Math.abs(state.profit(0, prices) - profit)).toBeLessThan(1e-6);
  });
});

describe('Binance, portfolio margin', () => {
  const LEGS = [
    { size: -0.05, entry: 52_000, mark: 40_000, tiers: flat(0.005) },
    { size: 0.04, entry: 52_350, mark: 42_000, tiers: flat(0.005) },
    { size: 10_000, entry: 50_000, mark: 40_000, inverse: true, tiers: flat(0.005) },
  ];

  it('has these profits, margins and balance', () => {
    const product = account(0, LEGS);
    const profits = product.rows.map(startProfit);
    expect(profits[0]).toBeCloseTo(600, DIGITS);
    expect(profits[1]).toBeCloseTo(-414, DIGITS);
    expect(profits[2]).toBeCloseTo(-0.05, 12);
    const { state } = stateOf(product);
    expect(state.maintenance[0] + state.maintenance[1]).toBeCloseTo(18.4, DIGITS);
    expect(state.maintenance[2] / 40_000).toBeCloseTo(0.00125, 12);
    const held = {
      ...product,
      currencies: product.currencies.map((each, c) => (c === 3 ? { ...each, balance: 0.06 } : each)),
    };
    expect(stateOf(held).state.value[3] / 40_000).toBeCloseTo(0.01, 12);
  });
});
