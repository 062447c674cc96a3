/**
 * The answer of GET /prices, as openapi.json describes it.
 */
import { z } from 'zod';
import { DATE_PATTERN } from '../request/fields.ts';

export const priceList = z
  .strictObject({
    date: z
      .string()
      .regex(new RegExp(DATE_PATTERN))
      .meta({ description: 'Day whose closes these are.', examples: ['06-30-2024'] }),
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
