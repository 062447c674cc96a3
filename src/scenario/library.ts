/** The windows of history in the program, with their closes of closes.csv, which scripts/scenario-library.mjs writes. */
import { readFileSync } from 'node:fs';
import { type Hour, parseHour } from '../text/calendar-date.ts';
import { LIBRARY_ASSETS, LIBRARY_WINDOWS, type LibraryWindow } from './windows.ts';

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
