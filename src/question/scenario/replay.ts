/**
 * A replay: the hourly closes of a historical window, over its first close, as one path of every asset (part G.2 of the methodology of
 * stress).
 */
import type { Fault } from '../../core/errors.ts';
import type { MarketData } from '../../market/market-data.ts';
import { MissingMarketData } from '../../market/missing-data.ts';
import { DAILY_CARRY } from '../../market/window.ts';
import { type Day, formatHour, type Hour } from '../../text/calendar-date.ts';
import { DOLLAR, isMoney, isSteady } from '../../text/symbols.ts';
import { type ReplayWindow, type ShippedWindow, shippedClose, shippedWindows } from './library.ts';

/** The proxy of an asset without hours in a window of the library. */
const LIBRARY_PROXY: Proxy = { asset: 'ETH', beta: 1 };

/** An asset whose log returns, times beta, replace another asset's. */
interface Proxy {
  readonly asset: string;
  readonly beta: number;
}

/** The window of a replay. */
export interface ReplayChoice extends ReplayWindow {
  /** Of a window of the library. */
  readonly name?: string;
  readonly proxies: Readonly<Record<string, Proxy>>;
}

/** One path of n assets. */
export interface ReplayPath {
  /** In the order requested: price over the first price, of the first hour, each hour of the window, and `after` more. */
  readonly relatives: readonly Float64Array[];
  /** Proxies that were used: sentences. */
  readonly proxied: readonly string[];
  /** Assets whose closes end before the hours after the window do; their last close is repeated. */
  readonly ended: readonly string[];
}

/** Closes of one asset by the hour; shorter than requested where they end after the window. */
type Closes = Float64Array;

/** An asset on the path, before missing prices are filled in. */
interface Track {
  readonly closes: Closes;
  readonly proxied?: string;
}

/**
 * The path of a replay.
 *
 * @param after hours after the window, 0 or more
 * @throws MissingMarketData that names every asset without hours and without a proxy
 */
export async function replayPath(
  market: MarketData,
  symbols: readonly string[],
  choice: ReplayChoice,
  after: number,
): Promise<ReplayPath> {
  const read = reader(market, choice, after);
  const points = choice.hours + after + 1;
  const found = await Promise.all(symbols.map(symbol => trackOf(symbol, choice, read, points)));
  const faults = symbols.flatMap((symbol, i): Fault[] => {
    const track = found[i];
    return 'missing' in track ? [{ path: symbol, message: track.missing }] : [];
  });
  if (faults.length > 0) throw new MissingMarketData(faults);
  const tracks = found as readonly Track[];
  return {
    relatives: tracks.map(({ closes }) =>
      Float64Array.from(
        { length: points },
        (_, hour) => closes[Math.min(hour, closes.length - 1)] / closes[0],
      ),
    ),
    proxied: tracks.flatMap(({ proxied }) => proxied ?? []),
    ended: symbols.filter((_, i) => tracks[i].closes.length < points),
  };
}

/** Source of closes. */
interface Reader {
  /** Closes of the window and of the known hours after it; undefined where the window is not complete. */
  hours(symbol: string): Promise<Closes | undefined>;
  /** Hours between the daily closes of a currency or stablecoin; undefined where the market has none. */
  money(symbol: string): Promise<Closes | undefined>;
}

function reader(market: MarketData, { name, from, hours }: ReplayChoice, after: number): Reader {
  const shipped = name === undefined ? undefined : shippedWindows().get(name);
  async function stored(symbol: string): Promise<Closes | undefined> {
    const window = await market.hourlyClosesFrom(symbol, from, hours + 1, after);
    return 'missing' in window ? undefined : window.prices[0];
  }
  return {
    async hours(symbol) {
      const own = shipped && shippedCloses(shipped, symbol, hours + after);
      // The sample market is synthetic: in a real window its hours have no fall.
      if (market.sample && shipped !== undefined) return own;
      return (await stored(symbol)) ?? own;
    },
    async money(symbol) {
      // Where a close next to the window is missing, the line begins or ends at one beyond it.
      const firstDay = Math.floor(from / 24) - 1 - DAILY_CARRY.longestRun;
      const lastDay = Math.ceil((from + hours + after) / 24) - 1 + DAILY_CARRY.longestRun;
      return betweenDays(await market.heldCloses(symbol, firstDay, lastDay), firstDay, from, hours + after);
    },
  };
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

async function trackOf(
  symbol: string,
  choice: ReplayChoice,
  read: Reader,
  points: number,
): Promise<Track | { readonly missing: string }> {
  if (symbol === DOLLAR) return { closes: new Float64Array(points).fill(1) };
  const own = choice.proxies[symbol];
  const takesHours = own === undefined && !isSteady(symbol);
  const closes = takesHours ? await read.hours(symbol) : undefined;
  if (closes !== undefined) return { closes };
  if (isSteady(symbol) || (own === undefined && isMoney(symbol))) {
    const between = await read.money(symbol);
    if (between !== undefined) return { closes: between };
    const price = isSteady(symbol) ? 'a price of 1' : 'an unchanged price';
    return { closes: new Float64Array(points).fill(1), proxied: `${symbol} by ${price}` };
  }
  const proxy = own ?? (choice.name === undefined ? undefined : LIBRARY_PROXY);
  const of = `${formatHour(choice.from)} to ${formatHour(choice.from + choice.hours)}`;
  if (proxy === undefined)
    return { missing: `Hourly prices of ${symbol} from ${of} are missing: send a proxy for it` };
  const standing = await read.hours(proxy.asset);
  if (standing === undefined)
    return { missing: `Hourly prices of ${proxy.asset}, the proxy of ${symbol}, are missing from ${of}` };
  return {
    closes: standing.map(close => (close / standing[0]) ** proxy.beta),
    proxied: `${symbol} by ${proxy.asset}, beta ${proxy.beta}`,
  };
}
