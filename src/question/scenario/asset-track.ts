/** The hours of one asset in a replay: its own, those between its daily closes, or those of another asset. */
import type { MarketData } from '../../market/market-data.ts';
import { DAILY_CARRY } from '../../market/window.ts';
import { type Day, formatHour, type Hour } from '../../text/calendar-date.ts';
import { DOLLAR, isMoney, isSteady, wrappedBy } from '../../text/symbols.ts';
import type { Proxies, ProxyAsset } from '../request/proxies.ts';
import { betaAround, betaOf } from './beta.ts';
import { type ReplayWindow, type ShippedWindow, shippedClose, shippedWindows } from './library.ts';

/** The window of a replay. */
export interface ReplayChoice extends ReplayWindow {
  /** Of a window of the library. */
  readonly name?: string;
  /** Used in place of prices that the market has. */
  readonly proxies: Proxies;
}

/** What stands in for missing hours. */
export interface StandIns {
  /** For assets without prices in the window. */
  readonly proxies: Proxies;
  /** Last day of the closes that give a beta. */
  readonly lastDay: Day;
}

/** Stands in for an asset without prices in a window of the library. */
const LIBRARY_PROXY: ProxyAsset = { asset: 'ETH' };

/** Closes by the hour; shorter than requested where they end after the window. */
type Closes = Float64Array;

/** An asset on the path. */
export interface Track {
  readonly closes: Closes;
  /** What replaces missing hours, in words. */
  readonly proxied?: string;
  /** The asset whose returns it has. */
  readonly follows?: string;
}
interface NoTrack {
  readonly missing: string;
}

/**
 * Finds the hours of an asset: those of a proxy of the replay; its own; those between its own daily closes; those of the asset that it
 * wraps; those of a proxy. A currency or stablecoin stands still where nothing is known of it.
 *
 * @param after hours after the window
 */
export function assetTracks(
  market: MarketData,
  choice: ReplayChoice,
  after: number,
  { proxies, lastDay }: StandIns,
): (symbol: string) => Promise<Track | NoTrack> {
  const { name, from, hours } = choice;
  const points = hours + after + 1;
  const shipped = name === undefined ? undefined : shippedWindows().get(name);
  // The sample market is synthetic: in a real window its prices have no fall.
  const isSynthetic = market.sample && shipped !== undefined;
  const read = reader(market, choice, after, shipped);
  const constant = (symbol: string): Track => ({
    closes: new Float64Array(points).fill(1),
    proxied: `${symbol} by ${isSteady(symbol) ? 'a price of 1' : 'an unchanged price'}`,
  });

  async function moneyTrack(symbol: string): Promise<Track> {
    const between = await read.days(symbol);
    return between === undefined ? constant(symbol) : { closes: between };
  }

  /** Its own hours, or those between its own daily closes. */
  async function ownTrack(symbol: string): Promise<Track | undefined> {
    const closes = await read.hours(symbol);
    if (closes !== undefined) return { closes };
    return isSynthetic ? undefined : betweenOwnDays(symbol);
  }

  /** Through its daily closes; within a day it moves as another asset does, times the beta of the days around the window. */
  async function betweenOwnDays(symbol: string): Promise<Track | undefined> {
    const own = await read.wholeDays(symbol);
    if (own === undefined) return undefined;
    const reference = wrappedBy(symbol) ?? proxies[symbol]?.asset ?? LIBRARY_PROXY.asset;
    const [hoursOfOther, daysOfOther, beta] = await Promise.all([
      read.hours(reference),
      read.held(reference),
      betaAround(market, symbol, reference, choice),
    ]);
    const through = (closes: Float64Array) => betweenDays(closes, read.firstDay, from, own.hours) as Closes;
    if (hoursOfOther === undefined || beta === undefined)
      return { closes: through(own.closes), proxied: `${symbol} between its daily closes` };
    const line = through(own.closes.map((close, day) => close / daysOfOther[day] ** beta));
    return {
      closes: line.slice(0, hoursOfOther.length).map((rest, hour) => rest * hoursOfOther[hour] ** beta),
      proxied: `${symbol} between its daily closes by the hours of ${reference}`,
    };
  }

  async function proxyTrack(symbol: string, { asset, beta }: ProxyAsset): Promise<Track | NoTrack> {
    const standing = asset === DOLLAR ? constant(DOLLAR) : await ownTrack(asset);
    if (standing === undefined)
      return { missing: `Hourly prices of ${asset}, the proxy of ${symbol}, are missing from ${of}` };
    const slope = beta ?? (isSynthetic ? undefined : await betaOf(market, symbol, asset, lastDay));
    const factor = slope ?? 1;
    const { closes } = standing;
    return {
      closes: closes.map(close => (close / closes[0]) ** factor),
      proxied: `${symbol} by ${asset}, beta ${factor}${beta === undefined && slope !== undefined ? ' of its daily closes' : ''}`,
      follows: asset,
    };
  }

  const of = `${formatHour(from)} to ${formatHour(from + hours)}`;
  return async symbol => {
    if (symbol === DOLLAR) return { closes: new Float64Array(points).fill(1) };
    const replaced = choice.proxies[symbol];
    if (replaced !== undefined && !isSteady(symbol)) return proxyTrack(symbol, replaced);
    if (isSteady(symbol)) return moneyTrack(symbol);
    if (isMoney(symbol)) {
      const closes = await read.hours(symbol);
      if (closes !== undefined) return { closes };
      return proxies[symbol] ? proxyTrack(symbol, proxies[symbol]) : moneyTrack(symbol);
    }
    const own = await ownTrack(symbol);
    if (own !== undefined) return own;
    const wrapped = wrappedBy(symbol);
    const standing = wrapped == null ? undefined : await ownTrack(wrapped);
    if (wrapped != null && standing !== undefined)
      return {
        closes: standing.closes,
        proxied: `${symbol} by ${wrapped}, which it wraps`,
        follows: wrapped,
      };
    const proxy = proxies[symbol];
    if (proxy === undefined && wrapped === null) return constant(symbol);
    if (proxy === undefined && name === undefined)
      return {
        missing: `Hourly prices of ${symbol} from ${of} are missing, and daily ones: send a proxy for it`,
      };
    return proxyTrack(symbol, proxy ?? LIBRARY_PROXY);
  };
}

/** Source of closes. */
interface Reader {
  /** Closes of the window and of the known hours after it; undefined where the window is not complete. */
  hours(symbol: string): Promise<Closes | undefined>;
  /** Hours between daily closes, with the nearest one beyond them; undefined where the market has none. */
  days(symbol: string): Promise<Closes | undefined>;
  /** Daily closes of the days around the window from `firstDay` on, NaN where there is none. */
  held(symbol: string): Promise<Float64Array>;
  readonly firstDay: Day;
  /** The same, and the hours to the last of them; undefined where more than three closes in a row of the window are missing. */
  wholeDays(symbol: string): Promise<{ readonly closes: Float64Array; readonly hours: number } | undefined>;
}

function reader(
  market: MarketData,
  { from, hours }: ReplayChoice,
  after: number,
  shipped: ShippedWindow | undefined,
): Reader {
  // Where a close next to the window is missing, the line begins or ends at one beyond it.
  const firstDay = Math.floor(from / 24) - 1 - DAILY_CARRY.longestRun;
  const lastDay = Math.ceil((from + hours + after) / 24) - 1 + DAILY_CARRY.longestRun;
  const held = (symbol: string) => market.heldCloses(symbol, firstDay, lastDay);
  async function stored(symbol: string): Promise<Closes | undefined> {
    const window = await market.hourlyClosesFrom(symbol, from, hours + 1, after);
    return 'missing' in window ? undefined : window.prices[0];
  }
  return {
    async hours(symbol) {
      const own = shipped && shippedCloses(shipped, symbol, hours + after);
      if (market.sample && shipped !== undefined) return own;
      return (await stored(symbol)) ?? own;
    },
    held,
    firstDay,
    async days(symbol) {
      return betweenDays(await held(symbol), firstDay, from, hours + after);
    },
    async wholeDays(symbol) {
      const closes = await held(symbol);
      const last = lastOfRun(closes, firstDay, from);
      if (last === undefined || last < from + hours) return undefined;
      return { closes, hours: Math.min(hours + after, last - from) };
    },
  };
}

/**
 * The moment of the last daily close that is reached from the beginning of a window without more than three missing closes in a row;
 * undefined where the beginning is not between such closes.
 */
function lastOfRun(closes: Float64Array, firstDay: Day, from: Hour): Hour | undefined {
  const momentOf = (day: number) => 24 * (firstDay + day + 1);
  let last: number | undefined;
  for (const day of closes.keys()) {
    if (Number.isNaN(closes[day])) continue;
    if (last === undefined ? momentOf(day) > from : day - last > DAILY_CARRY.longestRun + 1) break;
    last = day;
  }
  return last === undefined ? undefined : momentOf(last);
}

function shippedCloses(window: ShippedWindow, symbol: string, hours: number): Closes | undefined {
  const closes: number[] = [];
  for (let hour = window.from; hour <= window.from + hours; hour++) {
    const close = shippedClose(window, symbol, hour);
    if (close === undefined) break;
    closes.push(close);
  }
  return closes.length > window.hours ? Float64Array.from(closes) : undefined;
}

/**
 * Hourly prices on the straight line between the logarithms of daily closes; before the first and after the last close, the nearest one.
 *
 * @param closes of the days from `firstDay` on, NaN where there is none; a close belongs to the midnight that ends its day
 */
export function betweenDays(
  closes: Float64Array,
  firstDay: Day,
  from: Hour,
  hours: number,
): Closes | undefined {
  const known = [...closes.keys()].filter(day => !Number.isNaN(closes[day]));
  if (known.length === 0) return undefined;
  const [first, last] = [known[0], known[known.length - 1]];
  let next = 0;
  return Float64Array.from({ length: hours + 1 }, (_, k) => {
    // In days after the midnight that ends `firstDay`.
    const place = Math.min(last, Math.max(first, (from + k) / 24 - firstDay - 1));
    while (known[next] < place) next++;
    if (known[next] === place) return closes[known[next]];
    const [before, behind] = [known[next - 1], known[next]];
    const share = (place - before) / (behind - before);
    return closes[before] ** (1 - share) * closes[behind] ** share;
  });
}
