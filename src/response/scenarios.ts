/**
 * The answer of GET /scenarios, as openapi.json describes it.
 */
import { z } from 'zod';

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
