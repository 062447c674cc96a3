/** The members of an answer that `?include` adds. */
import { z } from 'zod';
import { WARNING_CODES, WARNINGS } from '../core/warnings.ts';
import type { IncludedMember } from '../request/query.ts';
import { distribution } from './distribution.ts';

const meanings = Object.entries(WARNINGS)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
  .join(' ');

const warning = z.strictObject({
  code: z.enum(WARNING_CODES).meta({
    description: `Name of the warning, as in the header x-warnings. ${meanings}`,
  }),
  message: z.string().min(1).meta({ description: 'What to know before relying on the figures.' }),
});

const price = (description: string) => z.number().nullable().meta({ description, 'x-unit': 'USD' });

const level = (what: string) =>
  z
    .strictObject({
      price: price(
        'The price; null where no price of this asset alone does it, or its close is not available.',
      ),
      deviations: z.number().nullable().meta({
        description:
          'By how many standard deviations of the term the price has to fall, or to rise; below 0 where it is passed already, null where the model has no volatility of it.',
        'x-unit': 'standard deviations',
      }),
      rise: z
        .literal(true)
        .meta({ description: 'The price is reached by a rise: of an asset of the loan.' })
        .optional(),
    })
    .meta({ description: `Where the loan is ${what}.` });

/** The names of `include` that extend the result, without a member of their own. */
export const INCLUDED_IN_RESULT: Readonly<Partial<Record<IncludedMember, string>>> = {
  loans: 'Every loan in Loans of each scenario, in place of the 20 with the largest losses.',
  path: 'Path of each replay: collateral over debt of the book, hour by hour.',
};

/** A schema for each added member. */
export const includedMembers = {
  Accuracy: z
    .looseObject({})
    .meta({ description: 'Standard errors and intervals, nested as the result is.' })
    .optional(),
  Distribution: distribution.optional(),
  Model: z
    .looseObject({
      levels: z
        .record(
          z.string(),
          z.strictObject({
            price: price(
              'The close at which the loan was valued, after a shock of prices; null where there is none.',
            ),
            margin_call: level('called'),
            liquidation: level('liquidated'),
          }),
        )
        .meta({
          description:
            'Of a loan: for each asset of the collateral, and each of the loan but USD, USDC, USDT and DAI, the prices at which the loan is called and liquidated, all other prices as they are.',
        })
        .optional(),
      expected_loss_usd: z
        .number()
        .meta({ description: 'Of a loan: its mean loss with nothing sold.', 'x-unit': 'USD' })
        .optional(),
      loss_spread: z
        .number()
        .nullable()
        .meta({
          description:
            'Of a loan: what a lender adds to the rate so that the mean loss is paid for, -ln(1 - AvgLossPct / 100) per year of the term; null where no scenario has a loss, which does not mean that none is possible, and where everything is lost.',
          'x-unit': 'fraction per year',
        })
        .optional(),
    })
    .meta({ description: 'The model as fitted, and the window it was fitted to.' })
    .optional(),
  Plan: z.looseObject({}).meta({ description: 'The simulation plan that the engine ran.' }).optional(),
  Warnings: z
    .array(warning)
    .meta({ description: 'Everything the header x-warnings names, in sentences.' })
    .optional(),
};
