import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { lastCompleteDay } from '#src/market/last-complete-day.js';
import { formatFilled, type MarketTriple } from '#src/market/market-data.js';
import { dailyFromHourly, type Series } from '#src/market/series.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
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

  it('may not end with a carried close where that is asked for', async () => {
    const market = marketOfSeries({
      daily: { BTC: from('2024-01-01', 1, _, 3, _), ETH: from('2024-01-01', 1, _, 3) },
    });
    const held = (symbol: string, lastDay: string, endsHeld?: boolean) =>
      market.dailyCloses([symbol], day(lastDay), 3, endsHeld === undefined ? undefined : { endsHeld });
    expect([...(await held('BTC', '2024-01-04')).prices[0]]).toEqual([1, 3, 3]);
    expect([...(await held('BTC', '2024-01-04', false)).prices[0]]).toEqual([1, 3, 3]);
    // A close inside may be carried.
    expect([...(await held('ETH', '2024-01-03', true)).prices[0]]).toEqual([1, 1, 3]);
    const { faults } = await failure(held('BTC', '2024-01-04', true));
    expect(faults[0].message).toContain('missing for 2024-01-04 (1 day)');
  });

  it('and hours of the dollar are 1, as many as those of others', async () => {
    const hourly = { BTC: hoursFrom('2024-01-01', rising(48)) };
    const market = marketOfSeries({ daily: { BTC: from('2024-01-01', 7, _) }, hourly });
    const days = await market.dailyCloses(['USD', 'BTC'], day('2024-01-02'), 2);
    expect(days).toEqual({
      symbols: ['USD', 'BTC'],
      gridHours: 24,
      prices: [Float64Array.of(1, 1), Float64Array.of(7, 7)],
      filled: [{ symbol: 'BTC', count: 1, unit: 'day', of: 2 }],
      carried: new Set([1]),
    });
    const hours = await market.history(['BTC', 'USD'], day('2024-01-02'), 1, { hours: 2, days: 1 });
    expect(hours.prices).toEqual([Float64Array.from(rising(26), i => i + 22), new Float64Array(26).fill(1)]);
    expect(await market.hourlyClosesFrom('USD', 24 * day('2024-01-01'), 3, 2)).toEqual({
      symbols: ['USD'],
      gridHours: 1,
      prices: [new Float64Array(5).fill(1)],
      filled: [],
      carried: new Set(),
    });
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
        code: 'no_data',
        path: 'BTC',
        message:
          'The daily price of BTC is missing for 2024-01-02 to 2024-01-05 (4 days); available: 2024-01-01 to 2024-01-08',
      },
      {
        code: 'no_data',
        path: 'FTT',
        message:
          'The daily price of FTT is missing for 2024-01-04 to 2024-01-08 (5 days); available: 2024-01-01 to 2024-01-03',
      },
      { code: 'no_data', path: 'XYZ', message: 'A price of XYZ is not available; available: BTC, FTT, ETH' },
    ]);
  });

  it('are refused in a sentence of bounded length for any number of gaps', async () => {
    const holes = Array.from({ length: 600 }, (__, i) => (i % 6 === 0 ? 1 : _));
    const market = marketOfSeries({ daily: { BTC: from('2024-01-01', ...holes) } });
    const [{ message }] = (await failure(market.dailyCloses(['BTC'], day('2024-01-01') + 594, 595))).faults;
    expect(message).toContain('2024-01-02 to 2024-01-06, 2024-01-08');
    const sentence = async (gaps: number) =>
      (await failure(market.dailyCloses(['BTC'], day('2024-01-01') + 6 * gaps, 6 * gaps + 1))).faults[0]
        .message;
    expect(await sentence(10)).toMatch(/, 2024-02-25 to 2024-02-29 \(50 days\); available/);
    expect(await sentence(11)).toMatch(/ to 2024-02-29, 1 more ranges \(55 days\); available/);
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

describe('hourly closes from an hour on', () => {
  const first = 24 * day('2024-01-01') + 1;
  /** The closes from the third hour on: three that must be there, and up to twenty more. */
  async function closes(values: number[], more = 20): Promise<string> {
    const market = marketOfSeries({ hourly: { BTC: hoursFrom('2024-01-01', values) } });
    const found = await market.hourlyClosesFrom('BTC', first + 2, 3, more);
    return 'missing' in found ? `partly ${found.partlyHeld}: ${found.missing}` : found.prices[0].join(' ');
  }
  const gap = (hours: number) => new Array<number>(hours).fill(_);

  it('are the ones asked for and more, as far as they are held', async () => {
    expect(await closes(rising(30), 0)).toBe('3 4 5');
    expect(await closes(rising(30), 2)).toBe('3 4 5 6 7');
    expect(await closes(rising(8))).toBe('3 4 5 6 7 8');
    expect(await closes(rising(5))).toBe('3 4 5');
    // The last ones asked for may be carried, for six hours.
    expect(await closes(rising(4))).toBe('3 4 4');
    expect(await closes([1, 2, 3, ...gap(6), 10])).toBe('3 3 3 3 3 3 3 10');
  });

  it('end before a gap that is not carried', async () => {
    expect(await closes([...rising(7), ...gap(7), 15])).toBe('3 4 5 6 7');
    expect(await closes([...rising(5), ...gap(7), 13])).toBe('3 4 5');
    expect(await closes([...rising(4), ...gap(7), 12])).toBe(
      'partly true: The hourly price of BTC is missing for 2024-01-01T05:00Z to 2024-01-01T11:00Z (7 hours); ' +
        'available: 2024-01-01T01:00Z to 2024-01-01T12:00Z',
    );
    expect(await closes([...gap(7), 8], 0)).toMatch(
      /^partly false: .*T03:00Z to 2024-01-01T05:00Z \(3 hours\)/,
    );
  });
});

describe('funding rates', () => {
  const btc = { base: 'BTC', quote: 'USDT', exchange: 'binance' };
  /** Rates 1, 2, ... every eight hours from an hour of 2024-01-01 on, without some of them. */
  const market = (firstHour: number, count: number, missing: readonly number[] = []) => {
    const values = new Float64Array(8 * (count - 1) + 1).fill(_);
    for (let i = 0; i < count; i++) if (!missing.includes(i + 1)) values[8 * i] = i + 1;
    const rates = { first: 24 * day('2024-01-01') + firstHour, values };
    return marketOfSeries({ funding: { BTC: { market: btc, intervalHours: 8, rates } } });
  };

  it('are those after the first midnight and up to the last', async () => {
    const rates = async (firstHour: number) =>
      (await market(firstHour, 12).fundingRates('BTC', day('2024-01-02'), 1)).rates.join(' ');
    // At 00:00, 08:00 and 16:00: the one of 00:00 after the last day counts, that before it does not.
    expect(await rates(0)).toBe('5 6 7');
    expect(await rates(1)).toBe('4 5 6');
    expect(await rates(7)).toBe('4 5 6');
    expect(await market(0, 12).fundingRates('BTC', day('2024-01-03'), 2)).toEqual({
      market: btc,
      rates: Float64Array.of(5, 6, 7, 8, 9, 10),
      hours: new Float64Array(6).fill(8),
    });
  });

  it('are refused where one is missing, with its moment', async () => {
    const refused = async (asked: Promise<unknown>) => {
      const error = await failure(asked);
      expect(error.message).toMatch(/is not complete: funding rates of \w+\.$/);
      return error.faults;
    };
    expect(await refused(market(1, 12, [5]).fundingRates('BTC', day('2024-01-02'), 1))).toEqual([
      {
        code: 'no_data',
        path: 'funding.BTC',
        message:
          'The funding rate of BTC/USDT on binance is missing for 2024-01-02T09:00Z (1 settlement); ' +
          'available: 2024-01-01T01:00Z to 2024-01-04T17:00Z',
      },
    ]);
    expect(await refused(market(0, 12).fundingRates('ETH', day('2024-01-02'), 1))).toEqual([
      { code: 'no_data', path: 'funding.ETH', message: 'No funding rate of ETH is available' },
    ]);
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
    const error = await failure(marketOfSeries({}).volatilityIndex(day('2024-01-01')));
    expect(error.message).toContain('volatility index of BTC, volatility index of ETH.');
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
        code: 'no_data',
        path: 'markets.0',
        message:
          'The volume of BTC/USD on kraken is missing for 2024-01-04 (1 day); available: 2024-01-01 to 2024-01-03',
      },
      {
        code: 'no_data',
        path: 'markets.1',
        message:
          'The volume of ETH/USD on kraken is missing for 2024-01-02 (1 day); available: 2024-01-01 to 2024-01-04',
      },
      {
        code: 'no_data',
        path: 'markets.3',
        message:
          'The volume of BTC/EUR on kraken is not available; available: BTC/USDT on binance, BTC/USD on kraken',
      },
      {
        code: 'no_data',
        path: 'markets.4',
        message:
          'The volume of XYZ/EUR on kraken is not available; available: BTC/USDT on binance, BTC/USD on kraken, ETH/USD on kraken',
      },
      { code: 'no_data', path: 'markets.4', message: 'A price of XYZ is not available; available: BTC, ETH' },
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
