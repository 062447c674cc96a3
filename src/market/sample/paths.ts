/**
 * The sample market: hourly prices, daily volumes and volatility indices as pure functions of time.
 *
 * A value depends only on the hours before it, so that series grow with time and never change. Only additions, products and
 * divisions are used, so that the values are equal on every machine. Simulations draw from another generator.
 */

// The assets: round numbers of the size that such assets have had; none of them is a real price.

/** A coin with a volatile price. */
interface SampleCoin {
  readonly symbol: string;
  /** Level that the price swings around, USD. */
  readonly levelUsd: number;
  /** Mean annual volatility, a fraction per year. */
  readonly annualVolatility: number;
  /** Correlation of its returns with the market's returns. */
  readonly marketCorrelation: number;
  /** Mean volume per day over all exchanges, USD. */
  readonly dailyVolumeUsd: number;
}

const coin = (
  symbol: string,
  levelUsd: number,
  annualVolatility: number,
  marketCorrelation: number,
  dailyVolumeUsd: number,
): SampleCoin => ({ symbol, levelUsd, annualVolatility, marketCorrelation, dailyVolumeUsd });

export const COINS: readonly SampleCoin[] = [
  coin('BTC', 60_000, 0.5, 0.92, 2.4e9),
  coin('ETH', 2_800, 0.65, 0.92, 1.5e9),
  coin('SOL', 130, 0.85, 0.8, 6e8),
  coin('BNB', 550, 0.55, 0.75, 3e8),
  coin('XRP', 1.4, 0.75, 0.72, 5e8),
  coin('ADA', 0.6, 0.8, 0.78, 1.2e8),
  coin('DOGE', 0.18, 0.9, 0.72, 3e8),
  coin('AVAX', 28, 0.85, 0.78, 9e7),
  coin('LINK', 15, 0.8, 0.8, 9e7),
  coin('LTC', 95, 0.65, 0.76, 8e7),
  coin('PEPE', 0.000009, 1.2, 0.62, 2e8),
  coin('PAXG', 2_600, 0.15, 0.12, 1.5e7),
];

/** Coins that stay near 1 USD. */
export const STABLECOINS: readonly string[] = ['USDC', 'USDT', 'DAI'];

/** Exchanges, their quotes, and their shares of a coin's volume. */
export const EXCHANGES = [
  { exchange: 'binance', quote: 'USDT', share: 0.7 },
  { exchange: 'coinbase', quote: 'USD', share: 0.2 },
  { exchange: 'kraken', quote: 'USD', share: 0.1 },
] as const;

/** Coins with a volatility index. */
export const INDEXED: readonly string[] = ['BTC', 'ETH'];

/** First hour of the sample market: 2021-01-01T00:00Z, in hours since 1970. Its first bar closes an hour later. */
export const START_HOUR = Date.UTC(2021, 0, 1) / 3_600_000;

const HOURS_PER_YEAR = 8760;
const REGIME_STREAM = 1;
const MARKET_STREAM = 2;
/** Streams of single series begin here, eight apart. */
const FIRST_SERIES_STREAM = 16;
/** Volatility relative to its mean loses 4 % of its deviation a day: its standard deviation is 0.32. */
const REGIME_MEMORY = 0.96;
const REGIME_NOISE = 0.09;
const CALMEST = 0.35;
/** Pull back towards a coin's level, per year, far from it. */
const REVERSION_PER_YEAR = 1.5;
/** A stablecoin's deviation from 1 halves in about a day and a half and has a standard deviation of 0.0005. */
const PEG_MEMORY = 0.98;
const PEG_NOISE = 0.0001;
/** Implied volatility over realised volatility, on average. */
const INDEX_PREMIUM = 1.08;
const VOLUME_NOISE = 0.22;

/** The common factor of all coins, from the first day on. */
export interface MarketState {
  /** Per day: volatility relative to its mean. */
  readonly regime: Float64Array;
  /** Per hour: the market's shock, variance 1. */
  readonly shocks: Float64Array;
}

/** The shared state of the first `hours` hours. */
export function marketState(hours: number): MarketState {
  // One day more than has begun, since an index uses the next day.
  const regime = new Float64Array(Math.floor(hours / 24) + 2);
  let deviation = 0;
  for (let day = 0; day < regime.length; day++) {
    deviation = REGIME_MEMORY * deviation + REGIME_NOISE * noise(REGIME_STREAM, day);
    regime[day] = Math.max(CALMEST, 1 + deviation);
  }
  const shocks = Float64Array.from({ length: hours }, (_, hour) => noise(MARKET_STREAM, hour));
  return { regime, shocks };
}

/** Mixes 32 bits so that each one of them depends on all (finaliser of MurmurHash3, A. Appleby, public domain). */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * Repeatable noise: a bell-shaped number with mean 0 and variance 1, between -3.47 and 3.47: the scaled sum of four uniforms of 16 bits.
 *
 * @param stream which noise
 * @param position hour or day, whole
 */
function noise(stream: number, position: number): number {
  const one = mix(Math.imul(position, 0x9e3779b1) ^ mix(stream));
  const two = mix(one ^ 0x6a09e667);
  const sum = (one & 0xffff) + (one >>> 16) + (two & 0xffff) + (two >>> 16);
  // Four uniforms on 0..65535 have mean 4 x 32767.5 and variance 4 x (65536^2 - 1) / 12.
  return (sum - 131_070) / 37_837.22747;
}

const streamOf = (index: number): number => FIRST_SERIES_STREAM + 8 * index;

/**
 * Hourly closes of a coin, USD, from the first hour on.
 *
 * S_{h+1} = S_h (1 + sigma_d (rho m_h + sqrt(1 - rho^2) e_h) + k (level - S_h) / (level + S_h)), sigma_d the coin's hourly
 * volatility in the regime of the day, m the market's shocks, e its own.
 *
 * @param index number of the coin among all assets
 */
export function coinCloses(state: MarketState, coin: SampleCoin, index: number): Float64Array {
  const { levelUsd, annualVolatility, marketCorrelation } = coin;
  const own = Math.sqrt(1 - marketCorrelation * marketCorrelation);
  const hourlyVolatility = annualVolatility / Math.sqrt(HOURS_PER_YEAR);
  const closes = new Float64Array(state.shocks.length);
  let price = levelUsd;
  for (let hour = 0; hour < closes.length; hour++) {
    const shock = marketCorrelation * state.shocks[hour] + own * noise(streamOf(index), hour);
    const volatility = hourlyVolatility * state.regime[Math.floor(hour / 24)];
    const pull = ((REVERSION_PER_YEAR / HOURS_PER_YEAR) * (levelUsd - price)) / (levelUsd + price);
    price *= 1 + volatility * shock + pull;
    closes[hour] = price;
  }
  return closes;
}

/** Hourly closes of a stablecoin, USD, from the first hour on. */
export function stablecoinCloses(hours: number, index: number): Float64Array {
  const closes = new Float64Array(hours);
  let deviation = 0;
  for (let hour = 0; hour < hours; hour++) {
    deviation = PEG_MEMORY * deviation + PEG_NOISE * noise(streamOf(index), hour);
    closes[hour] = 1 + deviation;
  }
  return closes;
}

/** Daily closes of a coin's volatility index, volatility points: its volatility in the regime of the next day. */
export function indexCloses(state: MarketState, coin: SampleCoin, days: number): Float64Array {
  return Float64Array.from(
    { length: days },
    (_, day) => 100 * INDEX_PREMIUM * coin.annualVolatility * state.regime[day + 1],
  );
}

/**
 * Daily volume of a coin on one exchange, in coins: its mean volume, more in wild days, over the day's close.
 *
 * @param exchange number of the exchange, 0 to 6
 * @param share of the coin's volume
 * @param dailyCloses USD, from the first day on
 */
export function baseVolumes(
  state: MarketState,
  coin: SampleCoin,
  index: number,
  exchange: number,
  share: number,
  dailyCloses: Float64Array,
): Float64Array {
  return dailyCloses.map((close, day) => {
    const activity = state.regime[day] * (1 + VOLUME_NOISE * noise(streamOf(index) + 1 + exchange, day));
    return (share * coin.dailyVolumeUsd * activity) / close;
  });
}
