/** The members of an answer that `?include` adds. */
import { z } from 'zod';
import { PLAN_FORM } from '../../../core/plan/codec.ts';
import { MODELS } from '../../../core/plan/models.ts';
import { PRODUCTS } from '../../../core/plan/products.ts';
import { MAX_EVENTS, MAX_FOLLOWED_LOANS } from '../../../core/stress/follow-path.ts';
import { WARNING_CODES, WARNINGS } from '../../../core/warnings.ts';
import { EVENT_NAMES, MAX_POINTS } from '../../../question/book/followed-scenario.ts';
import { meaning } from '../../../question/request/fields.ts';
import type { IncludedMember } from '../../../question/request/query.ts';
import { distribution } from './distribution.ts';
import {
  count,
  keyed,
  list,
  nonNegative,
  object,
  oneOf,
  positive,
  probability,
  real,
  text,
} from './figures.ts';

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

const columnOf = <S extends z.ZodType>(description: string, each: S) =>
  meaning(z.array(each).max(MAX_POINTS), description);
const usdColumn = (description: string) => columnOf(description, nonNegative('Of a point.', 'USD'));
const countColumn = (description: string) => columnOf(description, count('Of a point.', 'loans'));
const CCR = 'collateral value / loan value';

const followed = object('The path again, in double precision.', {
  Loss: nonNegative(
    'Loss of the book: that of the run, but for rounding. Where a price lies within rounding of a threshold, it may differ.',
    'USD',
  ),
  Called: count('Loans called, those in call at the start included.', 'loans'),
  ClosedOut: count('Loans that were closed out.', 'loans'),
  Liquidated: count('Loans that were liquidated.', 'loans'),
  ForcedSaleUsd: nonNegative('Collateral sold.', 'USD'),
  PeakDayUsd: nonNegative('Largest sales within 24 hours.', 'USD'),
  ToppedUpUsd: nonNegative('Collateral that borrowers added.', 'USD'),
  Lowest: nonNegative('Lowest collateral over debt of the book, as if nothing were sold or added.', CCR),
});

const scenarioHours = object(
  `The path by points in time, at most ${MAX_POINTS}: every hour, or of a long path every few hours.`,
  {
    Hour: columnOf('Hours from the start.', count('Hours.', 'hours')),
    Prices: keyed(
      'By asset.',
      columnOf('Price over that of the start, after a shock of prices.', nonNegative('Of a point.', '1')),
    ),
    Ccr: columnOf(
      'Collateral over debt of the book, as if nothing were sold or added; 0 where no term goes on.',
      nonNegative('Of a point.', CCR),
    ),
    Calls: countColumn('Loans called since the point before, as often as they are.'),
    Orders: countColumn('Sales ordered since the point before, by liquidations and closeouts.'),
    ForcedSaleUsd: usdColumn('Collateral sold since the point before.'),
    ToppedUpUsd: usdColumn('Collateral added since the point before.'),
    Loss: usdColumn('Lost since the point before.'),
  },
);

const scenarioLoan = z.strictObject({
  LoanValue: positive('Value of the loan at the start.', 'USD'),
  Loss: nonNegative('Its loss.', 'USD'),
  ForcedSaleUsd: nonNegative('Collateral sold.', 'USD'),
  ToppedUpUsd: nonNegative('Collateral that its borrower added.', 'USD'),
  Events: meaning(
    z
      .array(
        z.strictObject({
          Hour: count('Hours from the start.', 'hours'),
          Event: oneOf(
            'What happens: liquidated and closed out order a sale; handed over is a loan whose collateral is below its debt at its end.',
            Object.values(EVENT_NAMES),
          ),
          Ccr: real('Collateral over debt of the loan before the event.', CCR),
          Usd: meaning(
            nonNegative('', 'USD').optional(),
            'Collateral that is added, ordered to be sold, sold or handed over.',
            'USD',
          ),
          Loss: meaning(nonNegative('', 'USD').optional(), 'Debt that it does not cover.', 'USD'),
        }),
      )
      .max(MAX_EVENTS),
    `Its events in their order, the first ${MAX_EVENTS}.`,
  ),
  MoreEvents: count('How many more there are.', 'events'),
});

const scenario = object('One scenario of the run: the prices of its path, and what happens to the loans.', {
  Path: count('Number of the path.', '1'),
  Rank: count('Rank of its loss among those of the scenarios, 1 for the largest.', '1'),
  Scenarios: count('Number of the scenarios.', 'scenarios'),
  Larger: probability('Share of the scenarios with a larger loss.'),
  From: text('Of HISTORICAL: when the window begins.', ['2022-11-07T00:00Z']).optional(),
  Loss: nonNegative('Loss of the book in the run.', 'USD'),
  Followed: followed,
  Hours: scenarioHours,
  Loans: keyed(
    `The loans with an event by their loss, the largest first, then by their sales; at most ${MAX_FOLLOWED_LOANS}.`,
    scenarioLoan,
  ),
  MoreLoans: count('How many more have an event.', 'loans'),
});

/** The names of `include` that extend the result, without a member of their own. */
export const INCLUDED_IN_RESULT: Readonly<Partial<Record<IncludedMember, string>>> = {
  calls: 'Calls: the loans in margin call at the start, their deadlines, and what cures each.',
  loans: 'Every loan in Loans of each scenario, in place of the 20 with the largest losses.',
  path: 'Path of each replay: collateral over debt of the book, hour by hour.',
};

const kindOf = (description: string, catalogue: object) =>
  meaning(z.looseObject({ kind: oneOf('Its kind.', Object.keys(catalogue)) }), description);

/** A schema for each added member but `Accuracy`, which depends on the result. */
export const includedMembers = {
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
  Scenario: scenario.optional(),
  Plan: object('The simulation plan that the engine ran; `ask --plan` runs it again (docs/repeat.md).', {
    form: meaning(z.literal(PLAN_FORM), 'Version of the form.', 'none'),
    seed: count('Seed of the paths.', 'none'),
    paths: count('Paths, or windows of history.', 'paths'),
    scenarios: kindOf('The market model with its parameters: of a replay, the prices themselves.', MODELS),
    product: kindOf('The product with its terms in units in which prices start at 1.', PRODUCTS),
    distribution: meaning(z.looseObject({}), 'The distribution that was asked for.').optional(),
  }).optional(),
  Warnings: list('Everything the header x-warnings names, in sentences.', warning).optional(),
};
