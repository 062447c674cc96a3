import { describe, expect, it } from 'vitest';
import { parseIsoDate } from '#src/calendar-date.js';
import { RiskError } from '#src/core/errors.js';
import { lastCompleteDay } from '#src/market/last-complete-day.js';
import { formatFilled, type MarketTriple } from '#src/market/market-data.js';
import { dailyFromHourly, type Series } from '#src/market/series.js';
import { marketOfSeries } from '../support/market-of-series.ts';

const day = (text: string): number => parseIsoDate(text) as number;
const _ = Number.NaN;

const from = (first: string, ...values: number[]): Series => ({
  first: day(first),
  values: Float64Array.from(values),
});
/** Hourly closes of whole days, the first one closing at 01:00 of `first`. */
const hoursFrom = (first: string, values: number[]): Series => ({
  first: 24 * day(first) + 1,
  values: Float64Array.from(values),
});
const rising = (length: number): number[] => Array.from({ length }, (__, i) => i + 1);

async function failure(promise: Promise<unknown>): Promise<RiskError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RiskError);
  return error as RiskError;
}

describe('daily closes', () => {
  it('end with the close of the requested day, with a count of carried closes', async () => {
    const market = marketOfSeries({
      daily: { BTC: from('2024-01-01', 1, 2, 3, 4, 5), USDC: from('2024-01-01', 1, _, 1.1, 1.2, _) },
    });
    const window = await market.dailyCloses(['BTC', 'USDC'], day('2024-01-05'), 4);
    expect(window.gridHours).toBe(24);
    expect(window.symbols).toEqual(['BTC', 'USDC']);
    expect(window.prices.map(prices => [...prices])).toEqual([
      [2, 3, 4, 5],
      [1, 1.1, 1.2, 1.2],
    ]);
    expect(window.filled).toEqual([{ symbol: 'USDC', count: 2, unit: 'day', of: 4 }]);
  });

  it('without carrying are one for each day, first and last included, NaN where there is none', async () => {
    const market = marketOfSeries({ daily: { BTC: from('2024-01-01', 1, _, 3) } });
    const closes = (symbol: string) => market.heldCloses(symbol, day('2023-12-31'), day('2024-01-03'));
    expect([...(await closes('BTC'))]).toEqual([_, 1, _, 3]);
    expect([...(await closes('ETH'))]).toEqual([_, _, _, _]);
  });

  it('are copies: a change of one does not change the others', async () => {
    const market = marketOfSeries({ daily: { BTC: from('2024-01-01', 1, 2) } });
    (await market.dailyCloses(['BTC'], day('2024-01-02'), 2)).prices[0].fill(0);
    expect([...(await market.dailyCloses(['BTC'], day('2024-01-02'), 2)).prices[0]]).toEqual([1, 2]);
  });

  it('are refused with every asset, its missing dates and its available range at once', async () => {
    const market = marketOfSeries({
      daily: {
        BTC: from('2024-01-01', 1, _, _, _, _, 6, 7, 8),
        FTT: from('2024-01-01', 1, 2, 3),
        ETH: from('2024-01-01', ...rising(8)),
      },
    });
    const error = await failure(market.dailyCloses(['BTC', 'ETH', 'FTT', 'XYZ'], day('2024-01-08'), 8));
    expect(error.reason).toBe('missing-market-data');
    expect(error.message).toBe('The market data that this request needs is not complete: BTC, FTT, XYZ.');
    expect(error.faults).toEqual([
      {
        path: 'BTC',
        message:
          'The daily price of BTC is missing for 2024-01-02 to 2024-01-05 (4 days); available: 2024-01-01 to 2024-01-08',
      },
      {
        path: 'FTT',
        message:
          'The daily price of FTT is missing for 2024-01-04 to 2024-01-08 (5 days); available: 2024-01-01 to 2024-01-03',
      },
      { path: 'XYZ', message: 'A price of XYZ is not available; available: BTC, FTT, ETH' },
    ]);
  });

  it('are refused in a sentence of bounded length for any number of gaps', async () => {
    const holes = Array.from({ length: 600 }, (__, i) => (i % 6 === 0 ? 1 : _));
    const market = marketOfSeries({ daily: { BTC: from('2024-01-01', ...holes) } });
    const [{ message }] = (await failure(market.dailyCloses(['BTC'], day('2024-01-01') + 594, 595))).faults;
    expect(message).toContain('2024-01-02 to 2024-01-06, 2024-01-08');
    expect(message).toContain('89 more ranges (495 days)');
    expect(message.length).toBeLessThan(500);
  });
});

describe('history', () => {
  const lead = { hours: 12, days: 1 };
  const hourly = hoursFrom('2024-01-01', rising(72));
  const daily = dailyFromHourly(hourly) as Series;

  it('is hourly where every asset has the hours of the whole range', async () => {
    const market = marketOfSeries({
      hourly: { BTC: hourly, ETH: hourly },
      daily: { BTC: daily, ETH: daily },
    });
    const history = await market.history(['BTC', 'ETH'], day('2024-01-03'), 2, lead);
    expect(history.gridHours).toBe(1);
    // 12 hours of lead and 48 windows; the last point is the close of 2024-01-03, the 72nd hour.
    expect(history.prices.map(prices => [prices.length, prices[0], prices[59]])).toEqual([
      [60, 13, 72],
      [60, 13, 72],
    ]);
  });

  it('is daily where one asset has no hours', async () => {
    const market = marketOfSeries({ hourly: { BTC: hourly }, daily: { BTC: daily, USDC: daily } });
    const history = await market.history(['BTC', 'USDC'], day('2024-01-03'), 2, lead);
    expect(history.gridHours).toBe(24);
    expect(history.prices.map(prices => [...prices])).toEqual([
      [24, 48, 72],
      [24, 48, 72],
    ]);
  });

  it('is daily where the hours do not reach back over the lead', async () => {
    const market = marketOfSeries({
      hourly: { BTC: hourly },
      daily: { BTC: from('2023-12-31', 1, 24, 48, 72) },
    });
    const history = await market.history(['BTC'], day('2024-01-03'), 3, { hours: 24, days: 1 });
    expect(history.gridHours).toBe(24);
    expect([...history.prices[0]]).toEqual([1, 24, 48, 72]);
    expect((await market.history(['BTC'], day('2024-01-03'), 2, { hours: 24, days: 1 })).gridHours).toBe(1);
  });

  it('counts carried hours as hours', async () => {
    const values = rising(72).map((value, i) => (i >= 30 && i < 34 ? _ : value));
    const market = marketOfSeries({ hourly: { BTC: hoursFrom('2024-01-01', values) } });
    const { filled } = await market.history(['BTC'], day('2024-01-03'), 2, lead);
    expect(formatFilled(filled)).toBe('BTC=4h');
  });
});

describe('hourly closes', () => {
  it('end with the close of the last day', async () => {
    const market = marketOfSeries({ hourly: { BTC: hoursFrom('2024-01-01', rising(72)) } });
    const window = await market.hourlyCloses('BTC', day('2024-01-02'), 25);
    expect('missing' in window ? window.missing : [...window.prices[0]]).toEqual(rising(25).map(i => i + 23));
  });

  it('return the missing hours instead of failing', async () => {
    const market = marketOfSeries({ hourly: { BTC: hoursFrom('2024-01-01', rising(40)) } });
    expect(await market.hourlyCloses('BTC', day('2024-01-02'), 25)).toEqual({
      missing:
        'The hourly price of BTC is missing for 2024-01-02T17:00Z to 2024-01-03T00:00Z (8 hours); ' +
        'available: 2024-01-01T01:00Z to 2024-01-02T16:00Z',
      partlyHeld: true,
    });
    expect(await market.hourlyCloses('ETH', day('2024-01-02'), 25)).toEqual({
      missing: 'An hourly price of ETH is not available',
      partlyHeld: false,
    });
  });
});

describe('the volatility index', () => {
  const market = marketOfSeries({
    index: { BTC: from('2021-03-24', 90, 91, _, _, 94), ETH: from('2021-03-24', 110, 111, 112, 113, 114) },
  });

  it('is the last close at most 2 days old', async () => {
    expect(await market.volatilityIndex(day('2021-03-24'))).toEqual({
      levels: { BTC: 90, ETH: 110 },
      filled: [],
    });
    expect(await market.volatilityIndex(day('2021-03-27'))).toEqual({
      levels: { BTC: 91, ETH: 113 },
      filled: [{ symbol: 'BTC-VIX', count: 2, unit: 'day' }],
    });
    expect(await market.volatilityIndex(day('2021-03-30'))).toEqual({
      levels: { BTC: 94, ETH: 114 },
      filled: [
        { symbol: 'BTC-VIX', count: 2, unit: 'day' },
        { symbol: 'ETH-VIX', count: 2, unit: 'day' },
      ],
    });
  });

  it('is refused before the first close and 3 days after the last, with the available range', async () => {
    for (const date of ['2021-03-23', '2021-03-31']) {
      const { faults } = await failure(market.volatilityIndex(day(date)));
      expect(faults.map(({ path }) => path)).toEqual(['volatility_index.BTC', 'volatility_index.ETH']);
      expect(faults[0].message).toBe(
        `The volatility index of BTC has no close on ${date} or the 2 days before it; available: 2021-03-24 to 2021-03-28`,
      );
    }
  });

  it('is refused where a market has none', async () => {
    const { faults } = await failure(marketOfSeries({}).volatilityIndex(day('2024-01-01')));
    expect(faults[1].message).toBe('The volatility index of ETH is not available');
  });
});

describe('daily volume', () => {
  const held = {
    daily: { BTC: from('2024-01-01', 10, 20, _, 40), ETH: from('2024-01-01', 1, 2, 3, 4) },
    volume: {
      'BTC/USDT binance': from('2024-01-01', 5, 6, 7, 8),
      'BTC/USD kraken': from('2024-01-01', 1, 1, 1),
      'ETH/USD kraken': from('2024-01-01', 100, _, 300, 400),
    },
  };
  const [binance, kraken, ethereum]: MarketTriple[] = [
    { base: 'BTC', quote: 'USDT', exchange: 'binance' },
    { base: 'BTC', quote: 'USD', exchange: 'kraken' },
    { base: 'ETH', quote: 'USD', exchange: 'kraken' },
  ];

  it('sums base volume times base close over the markets, with the carried closes', async () => {
    const { volumeUsd, filled } = await marketOfSeries(held).dailyVolumeUsd(
      [binance, kraken],
      day('2024-01-03'),
      3,
    );
    // 2024-01-03 has no close of BTC: that of the day before, 20.
    expect([...volumeUsd]).toEqual([6 * 10, 7 * 20, 8 * 20]);
    expect(filled).toEqual([{ symbol: 'BTC', count: 1, unit: 'day', of: 3 }]);
  });

  it('is refused for missing days and unknown markets, all at once', async () => {
    const unknown = { base: 'BTC', quote: 'EUR', exchange: 'kraken' };
    const nothing = { base: 'XYZ', quote: 'EUR', exchange: 'kraken' };
    const error = await failure(
      marketOfSeries(held).dailyVolumeUsd(
        [kraken, ethereum, binance, unknown, nothing],
        day('2024-01-04'),
        4,
      ),
    );
    expect(error.reason).toBe('missing-market-data');
    expect(error.message).toBe(
      'The market data that this request needs is not complete: ' +
        'BTC/USD on kraken, ETH/USD on kraken, BTC/EUR on kraken, XYZ/EUR on kraken.',
    );
    expect(error.faults).toEqual([
      {
        path: 'markets.0',
        message:
          'The volume of BTC/USD on kraken is missing for 2024-01-04 (1 day); available: 2024-01-01 to 2024-01-03',
      },
      {
        path: 'markets.1',
        message:
          'The volume of ETH/USD on kraken is missing for 2024-01-02 (1 day); available: 2024-01-01 to 2024-01-04',
      },
      {
        path: 'markets.3',
        message:
          'The volume of BTC/EUR on kraken is not available; available: BTC/USDT on binance, BTC/USD on kraken',
      },
      {
        path: 'markets.4',
        message:
          'The volume of XYZ/EUR on kraken is not available; available: BTC/USDT on binance, BTC/USD on kraken, ETH/USD on kraken',
      },
      { path: 'markets.4', message: 'A price of XYZ is not available; available: BTC, ETH' },
    ]);
  });

  it('accepts a day without trade', async () => {
    const market = marketOfSeries({ ...held, volume: { 'BTC/USD kraken': from('2024-01-01', 0, 1) } });
    const { volumeUsd } = await market.dailyVolumeUsd([kraken], day('2024-01-02'), 2);
    expect([...volumeUsd]).toEqual([0, 20]);
  });
});

describe('the last complete day', () => {
  const now = new Date('2026-01-30T00:00:00Z');

  it('is the analysis day, or yesterday if that is today', () => {
    expect(lastCompleteDay(day('2026-01-30'), now)).toBe(day('2026-01-29'));
    expect(lastCompleteDay(day('2026-01-29'), now)).toBe(day('2026-01-29'));
    expect(lastCompleteDay(day('2020-02-29'), now)).toBe(day('2020-02-29'));
  });

  it('changes at midnight UTC', () => {
    const late = new Date('2026-01-30T23:59:59.999Z');
    expect(lastCompleteDay(day('2026-01-30'), late)).toBe(day('2026-01-29'));
    expect(lastCompleteDay(day('2026-01-30'), new Date('2026-01-31T00:00:00Z'))).toBe(day('2026-01-30'));
  });
});

describe('the header of carried closes', () => {
  it('names days plainly and hours with an h', () => {
    expect(
      formatFilled([
        { symbol: 'USDC', count: 9, unit: 'day' },
        { symbol: 'BTC', count: 4, unit: 'hour' },
      ]),
    ).toBe('USDC=9,BTC=4h');
    expect(formatFilled([])).toBe('');
  });
});
