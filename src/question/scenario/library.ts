/** The windows of history that every server can replay, with their closes of closes.csv, which scripts/scenario-library.mjs writes. */
import { readFileSync } from 'node:fs';
import { type Hour, parseHour } from '../../text/calendar-date.ts';

/** A range of hours that is replayed. */
export interface ReplayWindow {
  /** End of the bar whose close is the first price. */
  readonly from: Hour;
  /** Hours after it, 1 or more. */
  readonly hours: number;
}

interface LibraryWindow extends ReplayWindow {
  readonly name: string;
  /** For people. */
  readonly title: string;
}

const window = (name: string, title: string, from: string, hours: number): LibraryWindow => ({
  name,
  title,
  from: parseHour(from) as Hour,
  hours,
});

/** Falls of the last years. Each window contains the fall and the first rebound. */
export const LIBRARY_WINDOWS: readonly LibraryWindow[] = [
  window('covid-2020', 'Fall of all markets, March 2020', '2020-03-11T00:00Z', 96),
  window('may-2021', 'Deleveraging of May 2021', '2021-05-18T12:00Z', 144),
  window('luna-2022', 'Collapse of Terra, May 2022', '2022-05-09T00:00Z', 96),
  window('ftx-2022', 'Collapse of FTX, November 2022', '2022-11-07T00:00Z', 96),
  window('august-2024', 'Unwinding of the yen carry trade, August 2024', '2024-08-02T00:00Z', 96),
  window('october-2025', 'Liquidations of 10 October 2025', '2025-10-10T12:00Z', 48),
  window('february-2026', 'Fall of February 2026', '2026-02-03T00:00Z', 96),
];

/** Assets whose hourly prices are in the program. */
export const LIBRARY_ASSETS = ['BTC', 'ETH', 'SOL'] as const;

/** Hours with closes after a window, in which open orders are executed. */
export const HOURS_AFTER = 720;

/** Hourly prices of an asset from the beginning of a window. */
interface WindowPrices {
  /** USDT; the window and HOURS_AFTER hours after it. */
  readonly closes: Float64Array;
  /** Lowest price of each hour of the window, without its first point. */
  readonly lows: Float64Array;
}

/** Largest falls of an asset from a highest close within a window, fractions below 0. */
interface Drawdown {
  /** To a close. */
  readonly closes: number;
  /** To the lowest price of an hour. */
  readonly lows: number;
}

/** A window with the prices of its traded assets. */
export interface ShippedWindow extends LibraryWindow {
  readonly prices: ReadonlyMap<string, WindowPrices>;
}

/** Largest falls of an asset within a window. */
export function drawdownOf({ closes, lows }: WindowPrices, hours: number): Drawdown {
  let peak = closes[0];
  const drawdown = { closes: 0, lows: 0 };
  for (let hour = 1; hour <= hours; hour++) {
    // Within an hour the low may come before the highest close.
    drawdown.lows = Math.min(drawdown.lows, lows[hour - 1] / peak - 1);
    peak = Math.max(peak, closes[hour]);
    drawdown.closes = Math.min(drawdown.closes, closes[hour] / peak - 1);
  }
  return drawdown;
}

let shipped: ReadonlyMap<string, ShippedWindow> | undefined;

/** The windows by their names, in the order of time; the file is read once. */
export function shippedWindows(): ReadonlyMap<string, ShippedWindow> {
  shipped ??= readWindows(readFileSync(new URL('./closes.csv', import.meta.url), 'utf8'));
  return shipped;
}

/** @throws Error where the file does not match the windows */
function readWindows(text: string): ReadonlyMap<string, ShippedWindow> {
  const [header, ...lines] = text.trimEnd().split('\n');
  const columns = header.split(',');
  const rows = new Map<string, string[][]>(LIBRARY_WINDOWS.map(({ name }) => [name, []]));
  for (const line of lines) {
    const cells = line.split(',');
    rows.get(cells[0])?.push(cells);
  }
  return new Map(
    LIBRARY_WINDOWS.map(window => {
      const own = rows.get(window.name) ?? [];
      if (parseHour(own[0]?.[1] ?? '') !== window.from)
        throw new Error(`closes.csv lacks the window ${window.name}.`);
      const column = (name: string) => own.map(cells => cells[columns.indexOf(name)]);
      const traded = LIBRARY_ASSETS.filter(asset => column(asset)[0] !== '');
      const prices = traded.map(asset => {
        const closes = Float64Array.from(column(asset), Number);
        const lows = Float64Array.from(column(`${asset}_low`).slice(1, window.hours + 1), Number);
        return [asset as string, { closes, lows }] as const;
      });
      return [window.name, { ...window, prices: new Map(prices) }];
    }),
  );
}

/** The close of an asset at an hour of a window or after it; undefined where the program has none. */
export function shippedClose(window: ShippedWindow, asset: string, hour: Hour): number | undefined {
  return window.prices.get(asset)?.closes[hour - window.from];
}
