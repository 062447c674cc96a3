/** The answers of GET /symbols, /prices and /scenarios, as openapi.json describes them. */
import { z } from 'zod';
import { calendarDay } from './figures.ts';

const aliases = z.array(z.string()).meta({ description: 'Other symbols that stand for it.' });

export const symbolList = z
  .strictObject({
    symbols: z
      .array(
        z.strictObject({
          symbol: z.string().meta({ description: 'The asset.', examples: ['BTC'] }),
          first_day: z.string().meta({ description: 'First day with a close.', examples: ['2017-08-17'] }),
          last_day: z.string().meta({ description: 'Last day with a close.', examples: ['2026-06-10'] }),
          missing_days: z.int().min(0).meta({ description: 'Days missing between them.', 'x-unit': 'days' }),
          hours: z
            .strictObject({
              first: z
                .string()
                .meta({ description: 'Opening of the first bar.', examples: ['2020-03-05T00:00Z'] }),
              last: z.string().meta({ description: 'Opening of the last bar.' }),
              held: z.int().min(0).meta({ description: 'Bars in the store.', 'x-unit': 'hours' }),
              missing: z.int().min(0).meta({ description: 'Bars missing between them.', 'x-unit': 'hours' }),
            })
            .nullable()
            .meta({ description: 'Hourly closes in the store; null where the asset has none.' }),
          sources: z.array(z.string()).meta({
            description: 'The series that its price is taken from.',
            examples: [['BTC/USDT binance 1d', 'BTC/USDT binance 1h']],
          }),
          aliases,
          age_seconds: z
            .int()
            .min(0)
            .meta({ description: 'Age of the youngest close.', 'x-unit': 'seconds' }),
        }),
      )
      .meta({ description: 'The assets, sorted by symbol.' }),
    cash: z
      .strictObject({ symbol: z.string().meta({ description: 'USD.' }), aliases })
      .meta({ description: 'The dollar itself: price 1, no volatility, no series.' }),
  })
  .meta({ description: 'Every asset that has a price, and the symbols that stand for another.' });

export const priceList = z
  .strictObject({
    date: calendarDay('Day whose closes these are.'),
    time: z.string().meta({ description: 'End of that day (UTC).', examples: ['2024-07-01T00:00Z'] }),
    prices: z
      .array(
        z.strictObject({
          symbol: z.string().meta({ description: 'The asset.', examples: ['BTC'] }),
          price: z.number().gt(0).meta({ description: 'Its close.', 'x-unit': 'USD' }),
          carried: z
            .boolean()
            .meta({ description: 'Whether the close is that of a day before, carried over a hole.' }),
        }),
      )
      .meta({ description: 'One for each asset, in the order asked for.' }),
  })
  .meta({ description: 'Closes of assets.' });

const fall = (description: string) => z.number().min(-1).max(0).meta({ description, 'x-unit': 'fraction' });

export const scenarioList = z
  .strictObject({
    scenarios: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'Its name in a request.', examples: ['october-2025'] }),
          title: z.string().meta({ description: 'What happened.' }),
          from: z
            .string()
            .meta({
              description: 'End of the bar whose close is the first price (UTC).',
              examples: ['2025-10-10T12:00Z'],
            })
            .optional(),
          hours: z.int().min(1).meta({ description: 'Length of the window.', 'x-unit': 'hours' }).optional(),
          drawdowns: z
            .record(
              z.string(),
              z.strictObject({
                closes: fall('To a close of an hour.'),
                lows: fall('To the lowest price of an hour.'),
              }),
            )
            .meta({
              description:
                'Largest fall from a highest close within the window, of each asset whose closes ship with the program.',
            })
            .optional(),
          price_shock: z
            .record(
              z.string(),
              z.number().gt(-1).meta({ description: 'Change of a price.', 'x-unit': 'fraction' }),
            )
            .meta({ description: 'Changes of prices at once, before the window.' })
            .optional(),
          volatility_shock: z
            .number()
            .gt(-1)
            .meta({ description: 'Relative change of every volatility.', 'x-unit': 'fraction' })
            .optional(),
        }),
      )
      .meta({
        description: 'The windows of the program in the order of time, then the scenarios of the server.',
      }),
  })
  .meta({ description: 'What a stress can name: windows of history, and scenarios of the server.' });
