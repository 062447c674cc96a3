/** The body of /book_report: a tape, how it is read, and the terms of the command `book`. */
import { z } from 'zod';
import { USUAL } from '../../core/figures/usual.ts';
import { methodologiesOf } from '../../models/methodology/methodologies.ts';
import { parseHour } from '../../text/calendar-date.ts';
import { requirement } from '../../text/message.ts';
import { creditMember } from '../book/credit-request.ts';
import { waterfallMembers } from '../book/waterfall-members.ts';
import {
  analysisDate,
  bookQuantiles,
  choice,
  listOf,
  MAX_BOOK_PATHS,
  mcIter,
  meaning,
  members,
  modelLookback,
  number,
  saleCost,
  saleDelayHours,
  wholeNumber,
} from '../request/fields.ts';
import { perDay } from '../request/parse.ts';
import { JOINED_HISTORY, proxies } from '../request/proxies.ts';

export const REPORT_PATH = '/book_report';

/** Loans of a report: their rows and answers are made and read in some 20 ms of the event loop. */
export const MAX_REPORT_LOANS = 5000;

const BOOK_TYPES = methodologiesOf('book').map(({ name }) => name);

const line = (bound: string, most: number) =>
  z
    .string({ error: requirement(bound) })
    .min(1)
    .max(most);
const name = (description: string) => meaning(line('a text of 1 to 200 characters', 200), description);
const ids = meaning(
  z
    .array(line('an id of 1 to 64 characters', 64), { error: requirement('a list of up to 5,000 ids') })
    .max(MAX_REPORT_LOANS),
  'Ids of loans that are right though they look wrong.',
);

const CELLS: readonly string[] = ['string', 'number'];
const TAPE_BOUND = 'CSV text, or a list of rows, each a list of texts, numbers and nulls';
const tape = meaning(
  z.custom<string | (string | number | null)[][]>(
    sent =>
      (typeof sent === 'string' && sent !== '') ||
      (Array.isArray(sent) &&
        sent.length > 0 &&
        sent.every(
          row => Array.isArray(row) && row.every(cell => cell === null || CELLS.includes(typeof cell)),
        )),
    { error: requirement(TAPE_BOUND) },
  ),
  'The loan tape: the text of a CSV file, or its rows with their cells, such as those of a sheet: a list of lists of texts, numbers and nulls. A row names the columns (docs/desk.md).',
  undefined,
  {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', minItems: 1, items: { type: 'array', items: {} } },
    ],
  },
);

const symbol = meaning(
  z
    .string({ error: requirement('a symbol of 1 to 32 characters') })
    .min(1)
    .max(32),
  'Symbol of an asset.',
);
const above = (description: string, unit: string) => meaning(number('above 0').gt(0), description, unit);
const fraction = (most: number) =>
  number(`above 0 and below ${most}`).gt(0).lt(most).meta({ 'x-unit': 'fraction' });
const fractions = (what: string, most: number) =>
  z.array(fraction(most), { error: requirement(`a list of up to 8 ${what}`) }).max(8);

/** Milliseconds since 1970 of the last moment of a date. */
const LATEST = 8.64e15;
const TERM_BOUND = `at most ${LATEST} in size`;

const earlierLoan = z.looseObject(
  {
    id: meaning(
      z
        .string({ error: requirement('a text') })
        .min(1)
        .max(64),
      'Id of the loan.',
    ),
    borrower: meaning(z.string(), 'Its borrower.').optional(),
    collateral: meaning(
      z
        .array(z.looseObject({ asset: symbol, amount: above('Units of it.', 'units of the asset') }), {
          error: requirement('a list of 1 to 32 assets'),
        })
        .min(1)
        .max(32),
      'Its collateral.',
    ),
    loanAsset: symbol,
    loanAmount: above('Debt in units of the asset of the loan.', 'units of the asset'),
    terms: meaning(
      z.record(
        z.string(),
        number(TERM_BOUND).min(-LATEST).max(LATEST).meta({ 'x-unit': 'unit of the term' }),
        {
          error: requirement('numbers by term'),
        },
      ),
      'Its other columns, moments in milliseconds since 1970.',
    ),
  },
  { error: requirement('a loan of an earlier result') },
);

const EARLIER_BOUND = 'a result of this operation, or of the command book (--json)';
const AS_OF_BOUND = 'an hour, such as 2026-11-23T00:00Z';
const earlier = meaning(
  z
    .looseObject(
      {
        Data: meaning(
          z.looseObject({
            AsOf: meaning(
              z
                .string({ error: requirement(AS_OF_BOUND) })
                .refine(text => parseHour(text) !== undefined, { error: requirement(AS_OF_BOUND) }),
              'End of its data.',
            ),
            Prices: meaning(
              z.record(z.string(), number('above 0').gt(0).meta({ 'x-unit': 'USD' }), {
                error: requirement('prices by asset'),
              }),
              'Its prices.',
            ),
          }),
          'Its data.',
        ),
        Tape: meaning(
          z.looseObject({
            Source: meaning(
              z
                .array(earlierLoan, { error: requirement(`a list of up to ${MAX_REPORT_LOANS} loans`) })
                .max(MAX_REPORT_LOANS),
              'Its loans.',
            ),
          }),
          'Its tape.',
        ),
      },
      { error: requirement(EARLIER_BOUND) },
    )
    .refine(
      ({ Data, Tape }) =>
        Tape.Source.every(({ loanAsset, collateral }) =>
          [loanAsset, ...collateral.map(({ asset }) => asset)].every(asset =>
            Object.hasOwn(Data.Prices, asset),
          ),
        ),
      { error: requirement(`${EARLIER_BOUND}, with the price of every asset of its loans in Data.Prices`) },
    ),
  'An earlier answer, as it was: the report explains the changes since. Only Data and Tape.Source are read.',
);

const MAX_UNTIL = 8;
const UNTIL_BOUND = `a list of up to ${MAX_UNTIL} bounds`;

export const reportSchema = perDay((today, resolve) =>
  members({
    tape,
    tape_format: meaning(
      z.looseObject({}, { error: requirement('an object as the command --save-columns writes it') }),
      'Names of columns and how cells are written: the columns file of the command (docs/desk.md).',
    ).optional(),
    accept: ids.optional(),
    skip_faulty: meaning(
      z.boolean({ error: requirement('true or false') }),
      'Leave out the loans that have a fault, and list them. Without it a fault refuses the request.',
    ).default(false),
    file: name('Name of the tape in the report.').default('tape.csv'),
    sheet: name('Its sheet, of a spreadsheet.').optional(),
    title: name('Title of the report.').default('Risk of the loan book'),
    analysis_date: meaning(
      analysisDate(today).unwrap(),
      'Last day of the data. Default: the last one with a close of every asset.',
    ).optional(),
    days: meaning(
      wholeNumber(1, 3650),
      'Days for which loans are followed, at most to their maturity.',
      'days',
    ).default(USUAL.horizonDays),
    types: meaning(
      listOf(choice(BOOK_TYPES as [string, ...string[]]), 'methodologies', BOOK_TYPES.length),
      'Methodologies side by side; the first gives the headline.',
    ).default([...USUAL.types]),
    model_lookback: modelLookback().default(USUAL.lookbackDays),
    mc_iter: mcIter(MAX_BOOK_PATHS).default(USUAL.paths),
    quantile: bookQuantiles.default([...USUAL.levels]),
    sale_delay: saleDelayHours,
    sale_cost: saleCost,
    falls: meaning(
      fractions('falls', 1),
      'Falls of all prices at once; with an empty list no scenario is computed, also no past window.',
      'fraction',
    ).default([0.2, 0.3, 0.5]),
    rises: meaning(
      fractions('rises', 10),
      'Rises of all prices at once. Default: 0.3 where a loan is in a coin.',
      'fraction',
    ).optional(),
    proxy: proxies(
      resolve,
      `${JOINED_HISTORY} The same in a replay, for assets without prices of their own.`,
    ),
    backtest_days: meaning(wholeNumber(0, 3650), 'Days of the back-test; 0 for none.', 'days').default(250),
    limits: meaning(
      z.string({ error: requirement('a text with a limit in each line') }).max(100_000),
      'Limits, a line each, as in the file of the command: `LossCVar 0.99 <= 250000` (docs/desk.md).',
    ).optional(),
    credit: creditMember,
    ...waterfallMembers,
    until: meaning(
      z.array(line('a bound of 1 to 58 characters', 58), { error: requirement(UNTIL_BOUND) }).max(MAX_UNTIL),
      'How far prices must fall until a figure reaches a bound, as the option of the command: `loss 5m`, `ltv 80% along BTC`, `tranche senior loss 1%` (docs/stress.md).',
    ).optional(),
    earlier: earlier.optional(),
    earlier_file: name('Name of the earlier answer in the report.').default('earlier.json'),
  }),
);

export type SentReport = z.output<ReturnType<typeof reportSchema>>;
