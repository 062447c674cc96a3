/** Which market prices an asset, and whose settlements are its funding rates. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES, type MarketRules } from '#src/market/rules.js';
import type { ManifestSeries } from '#src/market/store/manifest.js';
import { fundingGoesBefore, PriceChoice } from '#src/market/store/price-choice.js';
import { type SeriesKind, seriesName, type Timeframe } from '#src/market/store/series-key.js';

const DAY = 24;
const RULES: MarketRules = {
  exchanges: ['index', 'kraken', 'binance'],
  quotes: ['USD', 'USDT'],
  prices: {},
  aliases: {},
  renamed: {},
};

/** `BTC/USD kraken 1d` with its last row after so many hours. */
function series(name: string, lastHour = 0, kind: SeriesKind = 'price'): ManifestSeries {
  const [asset, quote, exchange, timeframe] = name.split(/[/ ]/);
  return { kind, asset, quote, exchange, timeframe: timeframe as Timeframe, lastHour } as ManifestSeries;
}

describe('The price of an asset', () => {
  /** The series that price each asset, `-` where there is none. */
  function chosen(all: readonly (readonly [string, number?])[], rules = RULES): string[] {
    const orders = [all, [...all].reverse()].map(order => {
      const choice = new PriceChoice(rules);
      for (const [name, lastHour] of order) choice.add(series(name, lastHour));
      return [...choice.chosen()].map(([asset, { daily, hourly }]) =>
        [`${asset}:`, ...[daily, hourly].map(each => (each === undefined ? '-' : seriesName(each)))].join(
          ' ',
        ),
      );
    });
    // The order of imports does not count.
    expect(orders[1]).toEqual(orders[0]);
    return orders[0];
  }

  it.each([
    ['the first exchange', ['BTC/USD binance 1d', 'BTC/USD kraken 1d'], 'BTC: BTC/USD kraken 1d -'],
    [
      'the first exchange before the first quote',
      ['BTC/USD binance 1d', 'BTC/USDT kraken 1d'],
      'BTC: BTC/USDT kraken 1d -',
    ],
    [
      'the first quote of an exchange',
      ['BTC/USDT kraken 1d', 'BTC/USD kraken 1d'],
      'BTC: BTC/USD kraken 1d -',
    ],
    [
      'an exchange of the rules before another',
      ['BTC/USD aaa 1d', 'BTC/USDT binance 1d'],
      'BTC: BTC/USDT binance 1d -',
    ],
    ['others by their names', ['BTC/USD bbb 1d', 'BTC/USD aaa 1d'], 'BTC: BTC/USD aaa 1d -'],
    ['others by their quotes first', ['BTC/USDT aaa 1d', 'BTC/USD bbb 1d'], 'BTC: BTC/USD bbb 1d -'],
    [
      'days and hours of one market',
      ['BTC/USD kraken 1h', 'BTC/USD kraken 1d', 'BTC/USD binance 1h'],
      'BTC: BTC/USD kraken 1d BTC/USD kraken 1h',
    ],
    ['hours alone', ['BTC/USD index 1h', 'BTC/USD kraken 1d'], 'BTC: - BTC/USD index 1h'],
  ])('is that of %s', (_, names, price) => {
    expect(chosen(names.map(name => [name] as const))).toEqual([price]);
  });

  it('is none against a quote that is no dollar, and assets are in alphabetical order', () => {
    expect(chosen([['SOL/EUR kraken 1d'], ['ETH/USD kraken 1d'], ['BTC/USDT kraken 1d']])).toEqual([
      'BTC: BTC/USDT kraken 1d -',
      'ETH: ETH/USD kraken 1d -',
    ]);
    const choice = new PriceChoice(RULES);
    choice.add(series('BTC/USD kraken 1d', 0, 'volume'));
    expect(choice.chosen().size).toBe(0);
  });

  it('is that of a market which ends at most 30 days before another', () => {
    const old = 'BTC/USD kraken 1d';
    const young = 'BTC/USD binance 1d';
    expect(
      chosen([
        [old, 0],
        [young, 30 * DAY],
      ]),
    ).toEqual([`BTC: ${old} -`]);
    expect(
      chosen([
        [old, 0],
        [young, 30 * DAY + 1],
      ]),
    ).toEqual([`BTC: ${young} -`]);
    // The hours of a market say that it goes on, too.
    expect(
      chosen([
        [old, 0],
        ['BTC/USD kraken 1h', 1],
        [young, 30 * DAY + 1],
      ]),
    ).toEqual([`BTC: ${old} BTC/USD kraken 1h`]);
  });

  it('is that which the rules name, however old', () => {
    const rules = { ...RULES, prices: { BTC: { quote: 'EUR', exchange: 'bitstamp' } } };
    const named = 'BTC/EUR bitstamp 1d';
    expect(
      chosen(
        [
          ['BTC/USD index 1d', 9000],
          [named, 0],
        ],
        rules,
      ),
    ).toEqual([`BTC: ${named} -`]);
    // Another exchange or quote is not the one that is named.
    expect(chosen([['BTC/USD index 1d'], ['BTC/EUR kraken 1d'], ['BTC/USDT bitstamp 1d']], rules)).toEqual([
      'BTC: BTC/USD index 1d -',
    ]);
    expect(chosen([['toString/USD kraken 1d']], rules)).toEqual(['toString: toString/USD kraken 1d -']);
  });
});

describe('The funding rate of an asset', () => {
  it('is that of the first in the order of exchange, quote, age and interval', () => {
    const sorted = [
      series('BTC/USD kraken 8h'),
      series('BTC/USDT kraken 8h', 9),
      series('BTC/USDT kraken 1h', 8),
      series('BTC/USDT kraken 8h', 8),
      series('BTC/USD binance 8h'),
      series('BTC/USD aaa 8h'),
      series('BTC/USD bbb 8h', 5),
      series('BTC/USDT aaa 8h'),
      // Quotes that are no dollar.
      series('BTC/BTC aaa 8h'),
      series('BTC/EUR aaa 8h', 7),
      series('BTC/BTC bbb 8h', 9),
    ];
    for (const [i, one] of sorted.entries())
      for (const [j, other] of sorted.entries())
        expect(fundingGoesBefore(one, other, RULES), `${i} before ${j}`).toBe(i < j);
    expect(fundingGoesBefore(sorted[4], sorted[0], DEFAULT_RULES)).toBe(true);
  });
});
