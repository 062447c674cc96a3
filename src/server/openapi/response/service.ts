/** The answers of GET /symbols, /prices, /scenarios and /usage, as openapi.json describes them. */
import { z } from 'zod';
import { meaning } from '../../../question/request/fields.ts';
import { calendarDay, count, keyed, list, object, oneOf, positive, text } from './figures.ts';

const aliases = list('Other symbols that stand for it.', z.string());
const aliasRates = keyed(
  'Of a symbol that is another number of units of it.',
  positive('Units of it in one of the symbol.', 'asset units'),
).optional();

export const symbolList = object('Every asset that has a price, and the symbols that stand for another.', {
  symbols: list(
    'The assets, sorted by symbol.',
    z.strictObject({
      symbol: text('The asset.', ['BTC']),
      first_day: text('First day with a close.', ['2017-08-17']),
      last_day: text('Last day with a close.', ['2026-06-10']),
      missing_days: count('Days missing between them.', 'days'),
      hours: meaning(
        z
          .strictObject({
            first: text('Opening of the first bar.', ['2020-03-05T00:00Z']),
            last: text('Opening of the last bar.'),
            held: count('Bars in the store.', 'hours'),
            missing: count('Bars missing between them.', 'hours'),
          })
          .nullable(),
        'Hourly closes in the store; null where the asset has none.',
      ),
      sources: z.array(z.string()).meta({
        description: 'The series behind its price.',
        examples: [['BTC/USDT binance 1d', 'BTC/USDT binance 1h']],
      }),
      aliases,
      alias_rates: aliasRates,
      age_seconds: count('Age of the youngest close.', 'seconds'),
    }),
  ),
  cash: object('The dollar itself: price 1, no volatility, no series.', {
    symbol: text('USD.'),
    aliases,
    alias_rates: aliasRates,
  }),
});

export const priceList = object('Closes of assets.', {
  date: calendarDay('Day whose closes these are.'),
  time: text('End of that day (UTC).', ['2024-07-01T00:00Z']),
  prices: list(
    'One for each asset, in the requested order.',
    z.strictObject({
      symbol: text('The asset.', ['BTC']),
      price: positive('Its close.', 'USD'),
      carried: meaning(z.boolean(), 'Whether the close of an earlier day was carried over a gap.'),
    }),
  ),
});

const fall = (description: string) => meaning(z.number().min(-1).max(0), description, 'fraction');

export const scenarioList = object('Names for /stress: historical windows, and scenarios of the server.', {
  scenarios: list(
    'The windows of the program by time, then the scenarios of the server.',
    z.strictObject({
      name: text('Its name in a request.', ['october-2025']),
      title: text('What happened.'),
      from: text('End of the bar whose close is the first price (UTC).', ['2025-10-10T12:00Z']).optional(),
      hours: meaning(z.int().min(1), 'Length of the window.', 'hours').optional(),
      drawdowns: keyed(
        'Largest fall from a highest close within the window, of each asset whose closes ship with the program.',
        z.strictObject({
          closes: fall('To a close of an hour.'),
          lows: fall('To the lowest price of an hour.'),
        }),
      ).optional(),
      price_shock: keyed(
        'Changes of prices at once, before the window.',
        meaning(z.number().gt(-1), 'Change of a price.', 'fraction'),
      ).optional(),
      volatility_shock: meaning(
        z.number().gt(-1),
        'Relative change of every volatility.',
        'fraction',
      ).optional(),
    }),
  ),
});

const used = {
  from: text('Beginning (UTC).', ['2026-11-01T00:00:00.000Z']),
  to: text('End (UTC).', ['2026-12-01T00:00:00.000Z']),
  questions: count('Requests, lines of batches and jobs that were let in.', 'questions'),
  asset_steps: count('Their predicted work.', 'asset-steps'),
};
const limited = (period: string) =>
  object(`This ${period}.`, {
    ...used,
    limit: meaning(
      z.number().gt(0).nullable(),
      `Asset-steps that the key may ask for in a ${period}; null without a limit.`,
      'asset-steps',
    ),
  });

export const usageList = object('What keys have asked for.', {
  servers: oneOf(
    'Whose questions are counted: those of all servers of a Redis, or of this one since its start.',
    ['all', 'this one'],
  ),
  keys: list(
    'The key of the request; with the scope read or admin every valid key, a rotated one with its predecessor.',
    z.strictObject({
      key: text('First eight hexadecimal digits of its SHA-256, as in the log.', ['1a2b3c4d']),
      name: meaning(z.string().nullable(), 'Its name; null without one.'),
      expires: meaning(z.string().nullable(), 'When it expires; null for never.'),
      day: limited('day'),
      month: limited('month'),
      month_before: object('The month before.', used),
    }),
  ),
});
