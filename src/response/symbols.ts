/**
 * The answer of GET /symbols, as openapi.json describes it.
 */
import { z } from 'zod';

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
