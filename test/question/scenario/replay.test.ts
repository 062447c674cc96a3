/** Replays of a window as one path of every asset. */
import { describe, expect, it } from 'vitest';
import type { Series } from '#src/market/series.js';
import { betweenDays, type ReplayChoice, type StandIns } from '#src/question/scenario/asset-track.js';
import { slopeOfReturns } from '#src/question/scenario/beta.js';
import { shippedWindows } from '#src/question/scenario/library.js';
import { replayPath } from '#src/question/scenario/replay.js';
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
const pathOf = (
  market: Parameters<typeof replayPath>[0],
  symbols: readonly string[],
  of: ReplayChoice,
  after: number,
  standIns: StandIns = { proxies: {}, lastDay: Math.floor(FROM / 24) },
) => replayPath(market, symbols, of, after, standIns);
const rounded = (values: Float64Array) => Array.from(values, value => Number(value.toFixed(12)));

describe('A replay', () => {
  it('has each price over the first one, and repeats the last close after the end of the data', async () => {
    const market = marketOf({ BTC: hours(200, 150, 100, 120, 130), ETH: hours(10, 9, 8, 7, 6, 5) });
    const path = await pathOf(market, ['BTC', 'ETH', DOLLAR], choice(), 2);
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
    const path = await pathOf(market, ['PEPE', 'BTC'], choice({ proxies }), 0);
    expect(path.relatives.map(rounded)).toEqual([
      [1, 0.25, 4, 1],
      [1, 2, 0.5, 1],
    ]);
    expect(path.proxied).toEqual(['PEPE by ETH, beta 2', 'BTC by ETH, beta -1']);
  });

  it('refuses all assets without hours and without a proxy at once', async () => {
    const market = marketOf({ BTC: hours(1, 1, 1, 1) });
    const refused = pathOf(market, ['BTC', 'XRP', 'DOGE'], choice(), 0);
    await expect(refused).rejects.toMatchObject({
      reason: 'missing-market-data',
      faults: [{ path: 'XRP' }, { path: 'DOGE' }],
    });
  });

  it('interpolates the logarithms of the daily closes of a dollar coin linearly, and uses 1 where there is none', async () => {
    const day = FROM / 24 - 0.5;
    const market = marketOf({}, { USDC: { first: day - 1, values: Float64Array.of(1, 0.81, 0.81) } });
    const path = await pathOf(market, ['USDC', 'USDT'], choice({ hours: 12 }), 0);
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
    const path = await pathOf(marketOf({ ETH }, daily), ['EUR', 'CHF'], choice(), 0);
    expect(path.relatives.map(rounded)).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]);
    expect(path.proxied).toEqual(['CHF by an unchanged price']);
    const market = marketOf({ ETH, EUR: hours(1, 1.2, 1.2, 1.2) }, daily);
    expect((await pathOf(market, ['EUR'], choice(), 0)).relatives.map(rounded)).toEqual([[1, 1.2, 1.2, 1.2]]);
    const proxies = { EUR: { asset: 'ETH', beta: 1 } };
    const proxied = await pathOf(market, ['EUR'], choice({ proxies }), 0);
    expect(proxied.proxied).toEqual(['EUR by ETH, beta 1']);
  });

  it('interpolates a dollar coin to the closes beyond the window where those next to it are missing', async () => {
    const day = FROM / 24 - 0.5;
    const values = Float64Array.of(1, Number.NaN, Number.NaN, 0.512);
    const market = marketOf({}, { USDC: { first: day - 2, values } });
    const path = await pathOf(market, ['USDC'], choice({ hours: 12 }), 0);
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
      const { relatives, proxied } = await pathOf(market, ['BTC', 'XYZ'], named, 24);
      expect(relatives[0][length + 24]).toBe(real[length + 24] / real[0]);
      expect(relatives[0]).toHaveLength(length + 25);
      expect(proxied).toEqual(['XYZ by ETH, beta 1']);
    }
    const own = await pathOf(marketOf({ BTC: flat }), ['BTC'], named, 24);
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

describe('An asset without hours', () => {
  const DAY = FROM / 24 - 0.5;
  const ETH = hours(10, 5, 20, 10);
  const daily = (first: number, ...values: number[]) => ({ first, values: Float64Array.from(values) });
  const named = { name: 'october-2025', from: FROM, hours: 3, proxies: {} };
  const standIns = { proxies: { NEW: { asset: 'ETH', beta: 2 } }, lastDay: DAY };

  it('is on the line between its own daily closes, which a proxy for missing prices does not replace', async () => {
    const market = marketOf({ ETH }, { NEW: daily(DAY - 1, 1, 0.25, 0.25) });
    const path = await pathOf(market, ['NEW'], choice({ hours: 12 }), 0, standIns);
    // From noon on half of the fall to a quarter is over, in logarithms.
    expect(path.relatives[0][12]).toBeCloseTo(0.5, 12);
    expect(path).toMatchObject({ proxied: ['NEW between its daily closes'], follows: {}, ended: [] });
    const ends = await pathOf(market, ['NEW'], choice({ hours: 12 }), 240, standIns);
    expect(ends.ended).toEqual(['NEW']);
    expect(ends.relatives[0]).toHaveLength(253);
  });

  it('moves between its daily closes as another asset does in these hours, times the beta of the days around', async () => {
    const wave = Float64Array.from({ length: 40 }, (_, k) => Math.exp(0.1 * Math.sin(k)));
    const days = {
      ETH: { first: DAY - 20, values: wave },
      NEW: { first: DAY - 20, values: wave.map(value => 7 * value ** 2) },
    };
    // Noon is half-way between the closes of DAY - 1 and DAY, and hour 12 is the latter.
    const hourly = Float64Array.from({ length: 13 }, (_, k) => (k === 12 ? wave[20] : 1 + k / 100));
    const path = await pathOf(
      marketOf({ ETH: { first: FROM, values: hourly } }, days),
      ['NEW', 'ETH'],
      choice({ hours: 12 }),
      0,
    );
    expect(path.proxied).toEqual(['NEW between its daily closes by the hours of ETH']);
    for (const [hour, value] of path.relatives[0].entries())
      expect(value, `hour ${hour}`).toBeCloseTo(path.relatives[1][hour] ** 2, 9);
  });

  it('is not on a line that begins after the window does, ends before it, or has a hole of more than three closes', async () => {
    const [nan, late] = [Number.NaN, daily(DAY + 1, 1, 1)];
    for (const [series, length] of [
      [late, 3],
      [daily(DAY - 2, 1, 1), 3],
      [daily(DAY - 1, 1, nan, nan, nan, nan, 1), 100],
    ] as const) {
      const refused = pathOf(marketOf({ ETH }, { NEW: series }), ['NEW'], choice({ hours: length }), 0);
      await expect(refused).rejects.toMatchObject({ faults: [{ path: 'NEW' }] });
    }
    const held = daily(DAY - 1, 1, nan, nan, nan, 1);
    const path = await pathOf(marketOf({ ETH }, { NEW: held }), ['NEW'], choice({ hours: 80 }), 0);
    expect(path.proxied).toEqual(['NEW between its daily closes']);
  });

  it('follows the asset that it wraps, with its hours or its daily closes, before any proxy', async () => {
    const BTC = hours(10, 9, 8, 7);
    const proxies = { WBTC: { asset: 'ETH', beta: 3 } };
    const path = await pathOf(marketOf({ BTC, ETH }), ['WBTC'], choice(), 0, { ...standIns, proxies });
    expect(path.relatives.map(rounded)).toEqual([[1, 0.9, 0.8, 0.7]]);
    expect(path).toMatchObject({ proxied: ['WBTC by BTC, which it wraps'], follows: { WBTC: 'BTC' } });
    const gold = await pathOf(marketOf({ ETH }), ['PAXG'], named, 0);
    expect(gold.relatives.map(rounded)).toEqual([[1, 1, 1, 1]]);
    expect(gold.proxied).toEqual(['PAXG by an unchanged price']);
  });

  it('follows the proxy by name, and ETH in windows of the library, with the beta of daily closes where it is known', async () => {
    const path = await pathOf(marketOf({ ETH }), ['NEW'], choice(), 0, standIns);
    expect(path.relatives.map(rounded)).toEqual([[1, 0.25, 4, 1]]);
    const wave = Float64Array.from({ length: 60 }, (_, k) => Math.exp(0.1 * Math.sin(k)));
    const days = {
      ETH: { first: DAY - 100, values: wave },
      OLD: { first: DAY - 100, values: wave.map(value => value ** 1.5) },
    };
    const market = marketOf({ ETH }, days);
    const [old, unknown] = await Promise.all(
      ['OLD', 'XYZ'].map(symbol => pathOf(market, [symbol], named, 0)),
    );
    expect(rounded(old.relatives[0])).toEqual([
      1,
      Number((0.5 ** 1.5).toFixed(12)),
      Number((2 ** 1.5).toFixed(12)),
      1,
    ]);
    expect(old.proxied).toEqual(['OLD by ETH, beta 1.5 of its daily closes']);
    expect(unknown.proxied).toEqual(['XYZ by ETH, beta 1']);
  });
});

it('A slope is that of the returns of days on which both have one, and none below thirty of them or without a move', () => {
  const x = Float64Array.from({ length: 40 }, (_, k) => Math.exp(Math.sin(k)));
  const y = x.map((value, k) => (k % 9 === 5 ? Number.NaN : 3 / value));
  expect(slopeOfReturns(y, x)).toBe(-1);
  expect(slopeOfReturns(y.subarray(0, 30), x.subarray(0, 30))).toBeUndefined();
  expect(
    slopeOfReturns(
      x,
      x.map(() => 2),
    ),
  ).toBeUndefined();
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
    const { relatives } = await pathOf(market, ['BTC'], choice(), 2);
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
      const { relatives } = await pathOf(market, ['DAI'], choice({ from, hours }), after);
      expect(asked).toEqual([['days', 'DAI', first - 3, last + 3]]);
      // A close belongs to the midnight that ends its day: the price doubles each day.
      expect(relatives[0]).toHaveLength(hours + after + 1);
      expect(relatives[0].at(-1)).toBeCloseTo(2 ** ((hours + after) / 24), 12);
    },
  );

  it('of a single missing asset is refused', async () => {
    const refused = pathOf(marketOf({ BTC: hours(1, 1, 1, 1) }), ['XRP'], choice(), 0);
    await expect(refused).rejects.toMatchObject({ faults: [{ path: 'XRP' }] });
  });

  it('for a proxy that is missing names both', async () => {
    const proxies = { XRP: { asset: 'SOL', beta: 1 } };
    const refused = pathOf(marketOf({}), ['XRP'], choice({ proxies }), 0);
    const of = `${formatHour(FROM)} to ${formatHour(FROM + 3)}`;
    await expect(refused).rejects.toMatchObject({
      faults: [
        {
          code: 'no_data',
          path: 'XRP',
          message: `Hourly prices of SOL, the proxy of XRP, are missing from ${of}`,
        },
      ],
    });
  });

  it('for a proxy is its price over the first one', async () => {
    const market = marketOf({ ETH: hours(10, 5, 20, 10) });
    const { relatives } = await pathOf(
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
