/** Replays of a window as one path of every asset. */
import { describe, expect, it } from 'vitest';
import type { Series } from '#src/market/series.js';
import { shippedWindows } from '#src/question/scenario/library.js';
import { betweenDays, type ReplayChoice, replayPath } from '#src/question/scenario/replay.js';
import { formatHour, parseHour } from '#src/text/calendar-date.js';
import { DOLLAR } from '#src/text/symbols.js';
import { marketOfSeries } from '../../support/market-of-series.ts';

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

  it('interpolates or keeps a currency that has no hours, and takes its hours or its proxy where there are any', async () => {
    const day = FROM / 24 - 0.5;
    const daily = { EUR: { first: day - 1, values: Float64Array.of(1.1, 1.1, 1.1) } };
    const ETH = hours(10, 5, 5, 5);
    const path = await replayPath(marketOf({ ETH }, daily), ['EUR', 'CHF'], choice(), 0);
    expect(path.relatives.map(rounded)).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]);
    expect(path.proxied).toEqual(['CHF by an unchanged price']);
    const market = marketOf({ ETH, EUR: hours(1, 1.2, 1.2, 1.2) }, daily);
    expect((await replayPath(market, ['EUR'], choice(), 0)).relatives.map(rounded)).toEqual([
      [1, 1.2, 1.2, 1.2],
    ]);
    const proxies = { EUR: { asset: 'ETH', beta: 1 } };
    const proxied = await replayPath(market, ['EUR'], choice({ proxies }), 0);
    expect(proxied.proxied).toEqual(['EUR by ETH, beta 1']);
  });

  it('interpolates a dollar coin to the closes beyond the window where those next to it are missing', async () => {
    const day = FROM / 24 - 0.5;
    const values = Float64Array.of(1, Number.NaN, Number.NaN, 0.512);
    const market = marketOf({}, { USDC: { first: day - 2, values } });
    const path = await replayPath(market, ['USDC'], choice({ hours: 12 }), 0);
    // A fall to 0.512 in three days is one by a fifth a day.
    expect(path.relatives[0][12]).toBeCloseTo(Math.sqrt(0.8), 12);
    expect(path.proxied).toEqual([]);
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

it('Hours between daily closes with a hole lie on one line of their logarithms, also with one close alone', () => {
  const path = betweenDays(Float64Array.of(1, Number.NaN, Number.NaN, 8), 10, 264, 72) as Float64Array;
  expect(path).toHaveLength(73);
  expect([path[0], path[24], path[48], path[72]].map(value => Number(value.toFixed(12)))).toEqual([
    1, 2, 4, 8,
  ]);
  expect([...(betweenDays(Float64Array.of(2), 10, 200, 3) as Float64Array)]).toEqual([2, 2, 2, 2]);
  expect(betweenDays(Float64Array.of(Number.NaN), 10, 200, 3)).toBeUndefined();
});

describe('What a replay asks of the market', () => {
  function asking() {
    const asked: unknown[][] = [];
    const market = {
      sample: false,
      hourlyClosesFrom: async (...terms: unknown[]) => {
        asked.push(['hours', ...terms]);
        return { prices: [Float64Array.of(1, 2, 3, 4, 5)] };
      },
      heldCloses: async (symbol: string, first: number, last: number) => {
        asked.push(['days', symbol, first, last]);
        return Float64Array.from({ length: last - first + 1 }, (_, day) => 2 ** day);
      },
    } as unknown as Parameters<typeof replayPath>[0];
    return { asked, market };
  }

  it('is each hour of the window and its first one, and those after it', async () => {
    const { asked, market } = asking();
    const { relatives } = await replayPath(market, ['BTC'], choice(), 2);
    expect(asked).toEqual([['hours', 'BTC', FROM, 4, 2]]);
    expect([...relatives[0]]).toEqual([1, 2, 3, 4, 5, 5]);
  });

  it.each([
    [24 * 100, 24, 0, 99, 100],
    [24 * 100 + 1, 23, 0, 99, 100],
    [24 * 100 + 1, 23, 1, 99, 101],
    [24 * 100 - 1, 1, 48, 98, 101],
  ])(
    'is three days beyond the days around hours %d to %d and %d more: %d to %d',
    async (from, hours, after, first, last) => {
      const { asked, market } = asking();
      const { relatives } = await replayPath(market, ['DAI'], choice({ from, hours }), after);
      expect(asked).toEqual([['days', 'DAI', first - 3, last + 3]]);
      // A close belongs to the midnight that ends its day: the price doubles each day.
      expect(relatives[0]).toHaveLength(hours + after + 1);
      expect(relatives[0].at(-1)).toBeCloseTo(2 ** ((hours + after) / 24), 12);
    },
  );

  it('of a single missing asset is refused', async () => {
    const refused = replayPath(marketOf({ BTC: hours(1, 1, 1, 1) }), ['XRP'], choice(), 0);
    await expect(refused).rejects.toMatchObject({ faults: [{ path: 'XRP' }] });
  });

  it('for a proxy that is missing names both', async () => {
    const proxies = { XRP: { asset: 'SOL', beta: 1 } };
    const refused = replayPath(marketOf({}), ['XRP'], choice({ proxies }), 0);
    const of = `${formatHour(FROM)} to ${formatHour(FROM + 3)}`;
    await expect(refused).rejects.toMatchObject({
      faults: [{ path: 'XRP', message: `Hourly prices of SOL, the proxy of XRP, are missing from ${of}` }],
    });
  });

  it('for a proxy is its price over the first one', async () => {
    const market = marketOf({ ETH: hours(10, 5, 20, 10) });
    const { relatives } = await replayPath(
      market,
      ['PEPE'],
      choice({ proxies: { PEPE: { asset: 'ETH', beta: 0.5 } } }),
      0,
    );
    expect(rounded(relatives[0])).toEqual([
      1,
      Number(Math.SQRT1_2.toFixed(12)),
      Number(Math.SQRT2.toFixed(12)),
      1,
    ]);
  });
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
