/** Replays of a window as one path of every asset. */
import { describe, expect, it } from 'vitest';
import { formatHour, parseHour } from '#src/calendar-date.js';
import type { Series } from '#src/market/series.js';
import { DOLLAR } from '#src/market/symbols.js';
import { shippedWindows } from '#src/scenario/library.js';
import { betweenDays, type ReplayChoice, replayPath } from '#src/scenario/replay.js';
import { marketOfSeries } from '../support/market-of-series.ts';

const FROM = parseHour('2024-03-10T12:00Z') as number;

const marketOf = (
  hourly: Readonly<Record<string, Series>>,
  daily: Readonly<Record<string, Series>> = {},
  sample = false,
) => marketOfSeries({ hourly, daily, sample, symbols: Object.keys(hourly) });

/** Closes from `FROM` on. */
const hours = (...values: number[]): Series => ({ first: FROM, values: Float64Array.from(values) });
const choice = (more: Partial<ReplayChoice> = {}): ReplayChoice => ({
  from: FROM,
  hours: 3,
  proxies: {},
  ...more,
});
const rounded = (values: Float64Array) => Array.from(values, value => Number(value.toFixed(12)));

describe('A replay', () => {
  it('has each price over the first one, and repeats the last close after the end of the data', async () => {
    const market = marketOf({ BTC: hours(200, 150, 100, 120, 130), ETH: hours(10, 9, 8, 7, 6, 5) });
    const path = await replayPath(market, ['BTC', 'ETH', DOLLAR], choice(), 2);
    expect(path.relatives.map(rounded)).toEqual([
      [1, 0.75, 0.5, 0.6, 0.65, 0.65],
      [1, 0.9, 0.8, 0.7, 0.6, 0.5],
      [1, 1, 1, 1, 1, 1],
    ]);
    expect(path).toMatchObject({ ended: ['BTC'], proxied: [] });
  });

  it('uses the log returns of a proxy times beta, also for an asset that has hours', async () => {
    const market = marketOf({ ETH: hours(10, 5, 20, 10), BTC: hours(1, 1, 1, 1) });
    const proxies = { PEPE: { asset: 'ETH', beta: 2 }, BTC: { asset: 'ETH', beta: -1 } };
    const path = await replayPath(market, ['PEPE', 'BTC'], choice({ proxies }), 0);
    expect(path.relatives.map(rounded)).toEqual([
      [1, 0.25, 4, 1],
      [1, 2, 0.5, 1],
    ]);
    expect(path.proxied).toEqual(['PEPE by ETH, beta 2', 'BTC by ETH, beta -1']);
  });

  it('refuses all assets without hours and without a proxy at once', async () => {
    const market = marketOf({ BTC: hours(1, 1, 1, 1) });
    const refused = replayPath(market, ['BTC', 'XRP', 'DOGE'], choice(), 0);
    await expect(refused).rejects.toMatchObject({
      reason: 'missing-market-data',
      faults: [{ path: 'XRP' }, { path: 'DOGE' }],
    });
  });

  it('interpolates the logarithms of the daily closes of a dollar coin linearly, and uses 1 where there is none', async () => {
    const day = FROM / 24 - 0.5;
    const market = marketOf({}, { USDC: { first: day - 1, values: Float64Array.of(1, 0.81, 0.81) } });
    const path = await replayPath(market, ['USDC', 'USDT'], choice({ hours: 12 }), 0);
    // From noon of the day that closes at 0.81: half of the fall, in logarithms, is over.
    expect(path.relatives[0][12]).toBeCloseTo(0.81 / 0.9, 12);
    expect(path.relatives[0][6]).toBeCloseTo(Math.sqrt(0.81 / 0.9), 12);
    expect([...path.relatives[1]]).toEqual(Array(13).fill(1));
    expect(path.proxied).toEqual(['USDT by a price of 1']);
  });

  it('of the library uses the closes of the program where the market is synthetic or lacks hours', async () => {
    const {
      from,
      hours: length,
      prices,
    } = shippedWindows().get('october-2025') as never as {
      from: number;
      hours: number;
      prices: Map<string, { closes: Float64Array }>;
    };
    const flat = { first: from, values: new Float64Array(length + 800).fill(7) };
    const named = { name: 'october-2025', from, hours: length, proxies: {} };
    const real = prices.get('BTC')?.closes as Float64Array;
    for (const market of [marketOf({ BTC: flat }, {}, true), marketOf({})]) {
      const { relatives, proxied } = await replayPath(market, ['BTC', 'XYZ'], named, 24);
      expect(relatives[0][length + 24]).toBe(real[length + 24] / real[0]);
      expect(relatives[0]).toHaveLength(length + 25);
      expect(proxied).toEqual(['XYZ by ETH, beta 1']);
    }
    const own = await replayPath(marketOf({ BTC: flat }), ['BTC'], named, 24);
    expect(new Set(own.relatives[0])).toEqual(new Set([1]));
  });
});

it('Hours before the first daily close and after the last have its price', () => {
  const closes = Float64Array.of(Number.NaN, 2, 8, Number.NaN);
  // Day 10 closes at hour 264; 2 is the close of day 11 (hour 288), 8 that of day 12 (hour 312).
  const path = betweenDays(closes, 10, 276, 48) as Float64Array;
  expect([path[0], path[12], path[24], path[36], path[48]].map(value => Number(value.toFixed(12)))).toEqual([
    2, 2, 4, 8, 8,
  ]);
});

it.each(['2024-02-30T00:00Z', '2024-02-29T24:00Z', '2024-02-29T10:30Z', '2024-02-29', '02-29-2024T10:00Z'])(
  '%s is no full hour of the calendar',
  text => {
    expect(parseHour(text)).toBeUndefined();
  },
);

it('An hour is formatted as it was parsed', () => {
  for (const text of ['2020-03-12T00:00Z', '1999-12-31T23:00Z', '2024-02-29T07:00Z'])
    expect(formatHour(parseHour(text) as number)).toBe(text);
  expect(parseHour('2020-03-12T05:00:00Z')).toBe(parseHour('2020-03-12T05:00Z'));
});
