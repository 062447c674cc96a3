/** The windows of history that ship with the program. */
import { expect, it } from 'vitest';
import {
  drawdownOf,
  HOURS_AFTER,
  LIBRARY_WINDOWS,
  shippedClose,
  shippedWindows,
} from '#src/question/scenario/library.js';
import { formatHour } from '#src/text/calendar-date.js';
import { describeWithSharedData, readColumn } from '../../support/shared-data.ts';

/** Largest falls by closes of BTC, ETH and SOL as published with the definition of the windows, per cent. */
const PUBLISHED: Readonly<Record<string, readonly (number | undefined)[]>> = {
  'covid-2020': [-48.0, -52.2, undefined],
  'may-2021': [-28.9, -47.7, -63.0],
  'luna-2022': [-20.6, -27.3, -46.8],
  'ftx-2022': [-24.9, -31.1, -62.0],
  'august-2024': [-23.8, -30.4, -33.2],
  'october-2025': [-9.9, -15.2, -22.4],
  'february-2026': [-20.4, -22.4, -27.9],
};

it.each(LIBRARY_WINDOWS)('The falls of $name are the published ones', ({ name, hours }) => {
  const shipped = shippedWindows().get(name);
  const falls = ['BTC', 'ETH', 'SOL'].map(asset => {
    const prices = shipped?.prices.get(asset);
    return prices && Number((100 * drawdownOf(prices, hours).closes).toFixed(1));
  });
  expect(falls).toEqual(PUBLISHED[name]);
});

it.each(LIBRARY_WINDOWS)('A low of $name is never above the closes around it', ({ name, hours }) => {
  for (const [asset, { closes, lows }] of shippedWindows().get(name)?.prices ?? []) {
    expect(closes.length, asset).toBe(hours + HOURS_AFTER + 1);
    expect(lows.length, asset).toBe(hours);
    const above = [...lows.keys()].filter(hour => !(lows[hour] <= closes[hour + 1]));
    expect(above, asset).toEqual([]);
    const { closes: byCloses, lows: byLows } = drawdownOf({ closes, lows }, hours);
    expect(byLows, asset).toBeLessThanOrEqual(byCloses);
  }
});

it('A fall is measured from the highest close before it, and by the low of a later hour', () => {
  const prices = { closes: Float64Array.of(100, 110, 99, 120), lows: Float64Array.of(50, 88, 99) };
  // The low of 50 lies in the hour that ends at 110: it is a fall from 100.
  expect(drawdownOf(prices, 3)).toEqual({ closes: 99 / 110 - 1, lows: 50 / 100 - 1 });
});

it('A fall ends with the last hour, and a rise is none', () => {
  const rising = { closes: Float64Array.of(100, 110, 120, 60), lows: Float64Array.of(105, 115, 30) };
  expect(drawdownOf(rising, 0)).toEqual({ closes: 0, lows: 0 });
  expect(drawdownOf(rising, 2)).toEqual({ closes: 0, lows: 0 });
  expect(drawdownOf(rising, 3)).toEqual({ closes: -0.5, lows: -0.75 });
});

describeWithSharedData('The closes that ship with the program', dataDir => {
  it.each(['BTC', 'ETH', 'SOL'])('of %s are those of the market data, hour by hour', asset => {
    const file = `${dataDir}/hourly/${asset.toLowerCase()}_usdt.csv`;
    const opened = readColumn(file, 'timestamp');
    const closes = readColumn(file, 'close');
    const closeAt = new Map(opened.map((stamp, i) => [Date.parse(stamp) / 3_600_000 + 1, Number(closes[i])]));
    for (const window of shippedWindows().values()) {
      if (!window.prices.has(asset)) continue;
      for (let hour = window.from; hour <= window.from + window.hours + HOURS_AFTER; hour++)
        expect(shippedClose(window, asset, hour), `${window.name} ${formatHour(hour)}`).toBe(
          closeAt.get(hour),
        );
    }
  });
});
