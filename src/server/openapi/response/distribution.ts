/** The member `Distribution` of the answers, by kind of product. */
import { z } from 'zod';
import { DISTRIBUTION_LEVELS, FAN_LEVELS } from '../../../core/distribution/levels.ts';
import { meaning } from '../../../question/request/fields.ts';
import { count, list, nonNegative, object, probability, real } from './figures.ts';

const scenarios = meaning(
  z.int().min(1),
  'Number of equally weighted scenarios that were counted.',
  'scenarios',
);
const resolution = nonNegative(
  'Bound of the error of the quantiles against the value of their rank, relative to it; 0 where they are exact.',
  'fraction',
);

const histogram = (unit: string) =>
  object('Scenarios by bins, from the first that holds any to the last.', {
    below: count('Scenarios below the bins.', 'scenarios'),
    zero: count('Scenarios in which the value is 0; they are in no bin.', 'scenarios'),
    above: count('Scenarios above the bins.', 'scenarios'),
    edges: list(
      'One more than counts, rising; empty where all scenarios lie outside of the bins.',
      real('Where a bin begins, and where the last one ends.', unit),
    ),
    counts: z.array(count('Scenarios from one edge up to, and not including, the next.', 'scenarios')),
  });

const quantiles = (value: z.ZodType) =>
  object(
    'Quantiles; the number in a name is the percentage.',
    Object.fromEntries(Object.keys(DISTRIBUTION_LEVELS).map(name => [name, value])),
  );

const RATIO = 'collateral value / loan value';
const ratioQuantile = (description: string, unit: string) => nonNegative(description, unit).nullable();

const ratio = (description: string) =>
  object(description, {
    resolution,
    quantiles: quantiles(ratioQuantile('The ratio; null above the bins and below them.', RATIO)),
    histogram: histogram(RATIO),
  });

const amount = (description: string, unit: string) =>
  object(description, {
    resolution,
    quantiles: quantiles(real('The amount.', unit)),
    histogram: histogram(unit),
  });

const fan = (description: string, unit: string) =>
  object(description, {
    resolution,
    days: list(
      'Up to 64 times, evenly spaced; the last is the end of the term.',
      nonNegative('Time since the start.', 'days'),
    ),
    ...Object.fromEntries(
      Object.keys(FAN_LEVELS).map(name => [
        name,
        list(
          `Quantile ${Number(name.slice(1))} % at each time.`,
          ratioQuantile('The quantile at one time; null above the bins and below them.', unit),
        ),
      ]),
    ),
  });

const byDay = (event: string) =>
  list(
    `Share of the scenarios with a ${event} by the end of each day, from the first.`,
    probability('Share of the scenarios.'),
  );

const loan = z.strictObject({
  scenarios,
  LowestCCR: ratio('Lowest collateral coverage ratio of a scenario.'),
  FinalCCR: ratio('Collateral coverage ratio at the end of the term.'),
  EventsByDay: object('When the states of the loan were first reached.', {
    MarginCall: byDay('margin call'),
    Liquidation: byDay('liquidation'),
    Closeout: byDay('closeout'),
  }),
  Fan: fan('Quantiles of the collateral coverage ratio over the term.', RATIO),
});

const horizon = object('One horizon; its key is the number of days.', {
  Collateral: amount('Value of the collateral.', 'USD'),
  Loan: amount('Value of the loan.', 'USD'),
  NetExposure: amount('Collateral less loan.', 'USD'),
});

const perpetual = z.strictObject({
  scenarios,
  FinalEquity: amount('Equity at the end, 0 after a liquidation.', 'margin currency'),
  MaxEquityDrawDown: amount(
    'Largest fall of equity below its earlier maximum within a scenario.',
    'margin currency',
  ),
  Fan: fan('Quantiles of the mark price over that at the start, whatever became of the position.', 'none'),
});

const account = z.strictObject({
  scenarios,
  FinalEquity: amount('Equity at the end.', 'USD'),
  MaxEquityDrawDown: amount('Largest fall of equity below its earlier maximum within a scenario.', 'USD'),
  Fan: fan(
    'Quantiles of equity over that at the start; after its end an account keeps what is left.',
    'none',
  ),
});

export const distribution = meaning(
  z.union([loan, perpetual, account, z.object({ scenarios }).catchall(horizon)]),
  'Quantiles, histograms and fans: of a loan, a perpetual, an account, or value at risk.',
);
