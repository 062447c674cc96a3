/** The five accounts whose figures are known from a million paths of another program (docs/accounts.md, "Verification"). */

import { tiersOf } from '#src/core/account/tiers.js';
import type { AccountProduct, AccountRow, VenueTerms } from '#src/core/plan/product/account.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { correlationFactor } from '#src/models/calibration/correlation-factor.js';

interface Leg {
  readonly market: string;
  readonly size: number;
  readonly inverse?: boolean;
  readonly entry?: number;
  readonly tiers: readonly (readonly [from: number, rate: number])[];
  readonly coin?: boolean;
  readonly funding?: number;
  readonly interval?: number;
  readonly volume?: number;
  readonly process?: number;
}

interface Account {
  readonly collateral: Readonly<Record<string, readonly [units: number, haircut: number]>>;
  readonly legs: readonly Leg[];
  readonly venue: VenueTerms;
  readonly slippage: number;
  readonly growth?: number;
  readonly steps: number;
  readonly processes?: (assetOf: (market: string) => number) => AccountProduct['processes'];
}

const PRICES: Readonly<Record<string, number>> = {
  BTC: 60_000,
  ETH: 3_000,
  SOL: 150,
  DOGE: 0.2,
  LINK: 15,
  AVAX: 30,
  SUI: 2,
};
const VOLATILITIES: Readonly<Record<string, number>> = {
  BTC: 0.55,
  ETH: 0.75,
  SOL: 0.9,
  DOGE: 1,
  LINK: 0.9,
  AVAX: 0.95,
  SUI: 1.1,
};

/** Majors have correlations of their own; the alts of A2 0.7 among them and 0.6 with BTC. */
function correlation(a: string, b: string, alts: boolean): number {
  if (a === b) return 1;
  const pair = [a, b].sort().join('-');
  if (alts) return pair.includes('BTC') ? 0.6 : 0.7;
  return { 'BTC-ETH': 0.8, 'BTC-SOL': 0.7, 'ETH-SOL': 0.75 }[pair] ?? 0;
}

/** The terms of a venue, the usual ones where they are not named. */
export const venue = (own: Partial<VenueTerms> & Pick<VenueTerms, 'strict' | 'close'>): VenueTerms => ({
  feeRate: 0,
  feeCap: 'equity',
  reserveFee: false,
  backstop: 0,
  rest: 'account',
  bankruptcy: 'whole',
  unfilled: 'bankruptcy',
  costs: 'account',
  conversionCost: 0,
  ...own,
});

const rate = (value: number) => [[0, value]] as const;
const ALT = [
  [0, 0.01],
  [50_000, 0.025],
  [250_000, 0.05],
] as const;

export const ACCOUNTS = {
  A1: {
    collateral: { USD: [25_000, 0] },
    legs: [
      { market: 'BTC', size: 6, tiers: rate(0.0125) },
      { market: 'ETH', size: -60, tiers: rate(0.02) },
    ],
    venue: venue({
      strict: true,
      close: { rule: 'portion', portion: 0.2, above: 100_000 },
      backstop: 2 / 3,
    }),
    slippage: 0.001,
    steps: 168,
  },
  A2: {
    collateral: { BTC: [1, 0.05], USD: [5_000, 0] },
    legs: (
      [
        ['SOL', 400],
        ['DOGE', 300_000],
        ['LINK', 3_000],
        ['AVAX', 1_500],
        ['SUI', 20_000],
      ] as const
    ).map(([market, size]) => ({ market, size, tiers: ALT })),
    venue: venue({
      strict: false,
      close: { rule: 'one', order: 'pnl' },
      feeRate: 0.0125,
      conversionCost: 0.005,
    }),
    slippage: 0.002,
    steps: 168,
  },
  A3: {
    collateral: { BTC: [0.6, 0.1], USD: [12_000, 0] },
    legs: [
      {
        market: 'BTC',
        size: 240_000,
        inverse: true,
        entry: 58_000,
        coin: true,
        tiers: [
          [0, 0.01],
          [3, 0.02],
        ],
      },
      { market: 'ETH', size: -50, entry: 3_100, tiers: rate(0.02), funding: 0.00005, interval: 1 },
      { market: 'SOL', size: 600, entry: 140, tiers: rate(0.03), funding: -0.0001, interval: 4 },
    ],
    venue: venue({
      strict: true,
      close: { rule: 'share', share: 0.2, target: 0.9 },
      maintenanceFee: 0.7,
      reserveFee: true,
      feeRate: 0.0005,
    }),
    slippage: 0.0005,
    steps: 336,
  },
  A4: {
    collateral: { BTC: [3, 0.05], ETH: [100, 0.1], USD: [-420_000, 0] },
    legs: [
      { market: 'BTC', size: -3, tiers: rate(0.0125), process: 0 },
      { market: 'ETH', size: -100, tiers: rate(0.02), process: 1 },
    ],
    venue: venue({ strict: false, close: { rule: 'all' }, feeRate: 0.005, conversionCost: 0.002 }),
    slippage: 0.001,
    steps: 720,
    processes: assetOf =>
      [
        { asset: assetOf('BTC'), rank: 0, mean: 0.0004, correlation: 0.3 },
        { asset: assetOf('ETH'), rank: 1, mean: 0.0006, correlation: 0.2 },
      ].map(own => ({
        of: 'premium' as const,
        ...own,
        start: own.mean,
        deviation: 0.0003,
        phi: 0.5 ** (1 / 24),
        intervalHours: 8,
        interest: 0.0001,
        clamp: 0.0005,
        linearWeights: false,
        cap: 0.0075,
      })),
  },
  A5: {
    collateral: { USD: [6_000_000, 0] },
    legs: [
      {
        market: 'BTC',
        size: 800,
        volume: 500e6,
        tiers: [
          [0, 0.01],
          [20e6, 0.02],
          [40e6, 0.05],
        ],
      },
      {
        market: 'ETH',
        size: -6_000,
        volume: 300e6,
        tiers: [
          [0, 0.0125],
          [5e6, 0.025],
          [15e6, 0.05],
        ],
      },
      {
        market: 'SOL',
        size: 40_000,
        volume: 50e6,
        funding: 0.0002,
        tiers: [
          [0, 0.02],
          [2e6, 0.05],
        ],
      },
    ],
    venue: venue({ strict: true, close: { rule: 'enough', buffer: 0.05 }, feeRate: 0.001 }),
    slippage: 0.0005,
    growth: 0.02,
    steps: 168,
  },
} as const satisfies Readonly<Record<string, Account>>;

export type AccountName = keyof typeof ACCOUNTS;

/** The plan of an account. @param bridge variance within the hour; 0 checks by the hour alone */
export function accountPlan(
  name: AccountName,
  paths: number,
  seed: number,
  bridge: number,
): SimulationPlan<AccountProduct> {
  const { collateral, legs, venue, slippage, growth = 0, steps, processes }: Account = ACCOUNTS[name];
  const symbols = [...new Set([...Object.keys(collateral), ...legs.map(({ market }) => market)])]
    .filter(symbol => symbol !== 'USD')
    .sort();
  const assets = symbols.length;
  const assetOf = (symbol: string) => symbols.indexOf(symbol);
  const inCoins = legs.flatMap(({ market, inverse }) => (inverse === true ? [market] : []));
  const held = [...new Set([...Object.keys(collateral), ...inCoins, 'USD'])];
  const volatility = Float64Array.from(symbols, symbol => VOLATILITIES[symbol]);
  const factor = correlationFactor(
    Float64Array.from(symbols.flatMap(a => symbols.map(b => correlation(a, b, name === 'A2')))),
    assets,
  );
  const rows = legs.map((leg): AccountRow => {
    const price = PRICES[leg.market];
    return {
      asset: assetOf(leg.market),
      currency: held.indexOf(leg.inverse === true ? leg.market : 'USD'),
      inverse: leg.inverse === true,
      quantity: leg.size,
      entryPrice: leg.entry ?? price,
      markPrice: price,
      assetPrice: price,
      coin: leg.coin === true,
      tiers: tiersOf(leg.tiers.map(([from, each]) => ({ from, rate: each }))),
      fundingRate: leg.funding ?? 0.0001,
      fundingIntervalHours: leg.interval ?? 8,
      ...(leg.volume === undefined ? {} : { hourlyVolume: leg.volume }),
      ...(leg.process === undefined ? {} : { process: leg.process }),
    };
  });
  return {
    seed,
    paths,
    scenarios: {
      kind: 'gbm',
      assets,
      annualVolatility: volatility,
      factor: factor.map((value, k) => value * volatility[Math.floor(k / assets)]),
    },
    product: {
      kind: 'account',
      venue,
      currencies: held.map(symbol => ({
        asset: symbol === 'USD' ? assets : assetOf(symbol),
        price: symbol === 'USD' ? 1 : PRICES[symbol],
        balance: collateral[symbol]?.[0] ?? 0,
        haircut: collateral[symbol]?.[1] ?? 0,
        debtMarkup: 0,
      })),
      rows,
      processes: processes?.(assetOf) ?? [],
      marginCallRatio: 0.8,
      slippage,
      slippageGrowth: growth,
      feedLagHours: 0,
      bridgeVariance: bridge,
      debitsOnly: false,
      steps,
    },
  };
}

/** Share of the paths with a forced close by hourly checks, of a million paths. */
export const FORCED_CLOSES: Readonly<Record<AccountName, number>> = {
  A1: 0.285668,
  A2: 0.039271,
  A3: 0.010532,
  A4: 0.056587,
  A5: 0.082825,
};
