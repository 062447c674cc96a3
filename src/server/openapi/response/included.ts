/** The members of an answer that `?include` adds. */
import { z } from 'zod';
import { WARNING_CODES, WARNINGS } from '../../../core/warnings.ts';
import { meaning } from '../../../question/request/fields.ts';
import type { IncludedMember } from '../../../question/request/query.ts';
import { distribution } from './distribution.ts';
import { keyed, list, object, oneOf, real } from './figures.ts';

const meanings = Object.entries(WARNINGS)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
  .join(' ');

const warning = z.strictObject({
  code: oneOf(`Name of the warning, as in the header x-warnings. ${meanings}`, WARNING_CODES),
  message: meaning(z.string().min(1), 'What to know before relying on the figures.'),
});

const price = (description: string) => meaning(z.number().nullable(), description, 'USD');

const level = (what: string) =>
  object(`Where the loan is ${what}.`, {
    price: price(
      'The price; null where no price of this asset alone does it, or its close is not available.',
    ),
    deviations: meaning(
      z.number().nullable(),
      'By how many standard deviations of the term the price has to fall, or to rise; below 0 where it is passed already, null where the model has no volatility of it.',
      'standard deviations',
    ),
    rise: meaning(z.literal(true), 'The price is reached by a rise: of an asset of the loan.').optional(),
  });

/** The names of `include` that extend the result, without a member of their own. */
export const INCLUDED_IN_RESULT: Readonly<Partial<Record<IncludedMember, string>>> = {
  loans: 'Every loan in Loans of each scenario, in place of the 20 with the largest losses.',
  path: 'Path of each replay: collateral over debt of the book, hour by hour.',
};

/** A schema for each added member. */
export const includedMembers = {
  Accuracy: meaning(z.looseObject({}), 'Standard errors and intervals, nested as the result is.').optional(),
  Distribution: distribution.optional(),
  Model: meaning(
    z.looseObject({
      levels: keyed(
        'Of a loan: for each asset of the collateral, and each of the loan but USD, USDC, USDT and DAI, the prices at which the loan is called and liquidated, all other prices as they are.',
        z.strictObject({
          price: price(
            'The close at which the loan was valued, after a shock of prices; null where there is none.',
          ),
          margin_call: level('called'),
          liquidation: level('liquidated'),
        }),
      ).optional(),
      expected_loss_usd: real('Of a loan: its mean loss with nothing sold.', 'USD').optional(),
      loss_spread: meaning(
        z.number().nullable(),
        'Of a loan: what a lender adds to the rate so that the mean loss is paid for, -ln(1 - AvgLossPct / 100) per year of the term; null where no scenario has a loss, which does not mean that none is possible, and where everything is lost.',
        'fraction per year',
      ).optional(),
    }),
    'The model as fitted, and the window it was fitted to.',
  ).optional(),
  Plan: meaning(z.looseObject({}), 'The simulation plan that the engine ran.').optional(),
  Warnings: list('Everything the header x-warnings names, in sentences.', warning).optional(),
};
