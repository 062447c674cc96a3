/**
 * The members that several operations share, as zod schemas whose messages name the member, the bound and the value.
 *
 * Nothing is repaired: a number in a string, an unknown member or a repeat is a fault of its own. Must not know: the operations, market
 * data, HTTP.
 */
import { z } from 'zod';
import { type Day, formatCalendarDate, parseCalendarDate } from '../../text/calendar-date.ts';
import { issue, KNOWN_HERE, requirement } from '../../text/message.ts';
import { type ResolveSymbol, rateOf } from '../../text/symbols.ts';

/** Largest absolute amount of money or quantity. */
const MAX_AMOUNT = 1e15;
/** Largest number of horizons, quantiles or markets. */
const MAX_LIST = 64;
/** The form of a date; `calendarDay` checks that the calendar has the day. */
export const DATE_PATTERN = '^(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])-[0-9]{4}$';
const DATE_BOUND = 'a day of the calendar, written MM-DD-YYYY';
// At least one letter: an object puts keys of digits first. No flags: a JSON Schema has none.
export const SYMBOL = /^(?=.*[A-Za-z])[A-Za-z0-9$][A-Za-z0-9$._-]{0,31}$/;
export const SYMBOL_BOUND =
  'a symbol: at most 32 letters, digits and "$._-", with a letter, beginning with a letter, a digit or "$"';

/**
 * `schema` with its description in openapi.json: the meaning of the member, the unit of its number, and keywords of JSON Schema for rules
 * that zod cannot express. It accepts the same values.
 */
export const meaning = <S extends z.ZodType>(
  schema: S,
  description: string,
  unit?: string,
  keywords: Readonly<Record<string, unknown>> = {},
): S => schema.meta({ description, ...(unit === undefined ? {} : { 'x-unit': unit }), ...keywords }) as S;

/** The JSON Schema of one form of a member that is read by several. */
export const formOf = (schema: z.ZodType) => {
  const { $schema: _, ...form } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return form;
};

/** Keyword with the JSON Schema of a shorter form of an object. */
export const SHORTHAND = 'x-shorthand';

/** A number that must satisfy `bound`, in words; the next zod checks state the same bound. */
export const number = (bound: string) => z.number({ error: requirement(bound) });

// Not `int` of zod, whose issue stops the rules between members.
export const wholeNumber = (min: number, max: number) =>
  number(`a whole number from ${min} to ${max}`)
    .min(min)
    .max(max)
    .refine(Number.isInteger)
    .meta({ type: 'integer' });

/** A member with one of `values`. */
export const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: requirement(`one of ${values.join(', ')}`) });

/** A member that is true or false. */
export const yesOrNo = z.boolean({ error: requirement('true or false') });

/** A seed is a word of 32 bits. */
export const LARGEST_SEED = 2 ** 32 - 1;

// Windows and numbers of paths.

export const modelLookback = (min = 2, max = 3650) =>
  meaning(
    wholeNumber(min, max),
    'Length of the price window, which ends on analysis_date: the model is fitted to it, and HISTORICAL cuts its scenarios from it.',
    'days',
  );
export const volumeLookback = meaning(
  wholeNumber(1, 3650),
  'Length of the window of daily trading volumes; it ends on analysis_date.',
  'days',
);
/** Most Monte Carlo paths of any operation. */
export const MAX_MC_ITER = 10_000_000;
/** Of a book, and of each scenario of a stress: the figures of each path are in memory. */
export const MAX_BOOK_PATHS = 1_000_000;
export const MAX_PERPETUAL_PATHS = 100_000;
export const mcIter = (max = MAX_MC_ITER) =>
  meaning(wholeNumber(1, max), 'Number of Monte Carlo paths.', 'paths');

// Shocks.

export const volatilityChange = number('above -1 and at most 100').gt(-1).max(100);
export const volatilityShock = meaning(
  volatilityChange,
  'Relative change of every volatility: 0.1 is 10 % more.',
  'fraction',
).default(0);
/** The shock where the chosen type takes none: clients share one body between types, so 0 is accepted. */
export const noVolatilityShock = meaning(
  z.literal(0, { error: requirement('0 or absent, because this type takes no shock') }),
  'Not used by this methodology: 0 is accepted, so that one body serves several methodologies.',
  'fraction',
);

// Terms of loans.

/** Days. */
export const durationDays = number('above 0 and at most 3650 days')
  .gt(0)
  .max(3650)
  .meta({ 'x-unit': 'days' });
export const TOP_UP_BOUND = 'from 0 to 8760 hours';
export const topUpHours = meaning(
  number(TOP_UP_BOUND).min(0).max(8760),
  'Grace period from a margin call to its deadline.',
  'hours',
);
export const VALUE_BOUND = 'above 0 and at most 1e15 USD';
/** USD. */
export const valueUsd = number(VALUE_BOUND).gt(0).max(MAX_AMOUNT).meta({ 'x-unit': 'USD' });
export const BOOKED_VALUE_BOUND = 'from 1e-6 to 1e15 USD';
/** USD; amounts of a book are counted in a step of at least 2^-44 of its loan value, which must be representable. */
export const bookedValueUsd = number(BOOKED_VALUE_BOUND).min(1e-6).max(MAX_AMOUNT).meta({ 'x-unit': 'USD' });
export const RATIO_BOUND = 'above 0 and at most 100';
/** N, M, L or R. */
export const ratio = number(RATIO_BOUND).gt(0).max(100).meta({ 'x-unit': 'collateral value / loan value' });
/** A ratio, or the word of a rule for it. */
export const ratioOr = <const W extends string>(word: W) =>
  z.union([ratio, z.literal(word)], {
    error: requirement(`${word}, or a number above 0 and at most 100`),
  });
export const participationRatio = meaning(
  number('above 0 and at most 1').gt(0).max(1),
  'Largest share of the median daily volume that may be sold in a day.',
  'fraction',
);

// Terms of perpetuals.

/** Asset units per contract, USD per contract, or margin currency. */
export const positiveAmount = number('above 0 and at most 1e15').gt(0).max(MAX_AMOUNT);
/** Margin currency, of either sign. */
export const signedAmount = number('at most 1e15 in size').min(-MAX_AMOUNT).max(MAX_AMOUNT);
export const positionSize = number('other than 0 and at most 1e15 in size')
  .min(-MAX_AMOUNT)
  .max(MAX_AMOUNT)
  .refine(size => size !== 0)
  .meta({
    description: 'Size of the position; negative is short, 0 is refused.',
    'x-unit': 'contracts',
    not: { const: 0 },
  });
export const entryPrice = meaning(
  number('from 1e-12 to 1e15 USD').min(1e-12).max(MAX_AMOUNT),
  'Price at which the position was opened.',
  'USD per asset unit',
);
export const fundingNumber = (bound: string) => number(bound).min(-0.999999).max(0.999999);
export const fundingRate = meaning(
  fundingNumber('from -0.999999 to 0.999999'),
  'Funding rate per interval; longs pay shorts if it is positive.',
  'fraction of the notional per interval',
);
const FUNDING_BOUND = 'from -0.999999 to 0.999999, or "historical"';
export const fundingRateOrHistorical = meaning(
  z.union([fundingNumber(FUNDING_BOUND), z.literal('historical')], {
    error: requirement(FUNDING_BOUND),
  }),
  'Funding rate per interval; longs pay shorts if it is positive. historical: the mean of the settled rates in the lookback.',
  'fraction of the notional per interval',
);
export const marginRate = meaning(
  number('above 0 and below 1').gt(0).lt(1),
  'Maintenance margin rate. Default: the rate of the server for the market.',
  'fraction of the notional',
);
export const maintenanceAmount = meaning(
  number('from 0 to 1e15').min(0).max(MAX_AMOUNT),
  'Taken from maintenance_margin_rate x notional, as in the brackets of exchanges; at most the maintenance margin at the start. Only beside maintenance_margin_rate, of the same bracket. Default: 0.',
  'margin currency',
);
export const markPrice = meaning(
  z.union([number('0.000001 or more').min(1e-6), z.literal('close')], {
    error: 'must be a price in USD, 0.000001 or more, or "close"',
  }),
  'Mark price at the start: a price, or "close", the last close of the window. Default: the price at which the profit is unrealized_pnl.',
  'USD',
);
export const takerFeeRate = meaning(
  number('from 0 and below 1').min(0).lt(1),
  'Fee for closing a liquidated position, set aside with the maintenance margin. Default: no fee.',
  'fraction of the notional',
);
export const fundingIntervalHours = meaning(
  number('from 0.000001 to 87600 hours').min(1e-6).max(87_600),
  'Time between two funding payments.',
  'hours',
);
export const tradeDurationHours = meaning(
  wholeNumber(3, 87_600),
  'Holding time of the position, one step an hour.',
  'hours',
);

// Terms of an origination search.

/** A finite number; other members decide on its bounds. */
export const finiteNumber = number('a finite number');
export const errorTolerance = meaning(
  number('0 or more').min(0),
  'Largest distance from score_target at which a candidate reaches it.',
  'unit of score_variable',
);

// Dates.

const calendarDay = (today: Day) =>
  z.string({ error: requirement(DATE_BOUND) }).transform((text, context): Day => {
    const day = parseCalendarDate(text);
    if (day !== undefined && day <= today) return day;
    const bound = day === undefined ? DATE_BOUND : `at most today, ${formatCalendarDate(today)} in UTC`;
    context.addIssue(issue(day === undefined ? 'malformed' : 'out_of_range', [], bound, text));
    return z.NEVER;
  });

/** `MM-DD-YYYY`, a real day not after `today`, as a `Day`. Default: `today`. */
export const analysisDate = (today: Day) =>
  calendarDay(today)
    .default(today)
    .meta({
      description: 'Last day of the price window, at most today (UTC). Default: today.',
      pattern: DATE_PATTERN,
      examples: ['06-30-2024'],
    });

/** `MM-DD-YYYY`, a real day not after `today`, as a `Day`. */
export const pastDay = (today: Day, description: string) =>
  calendarDay(today).meta({ description, pattern: DATE_PATTERN, examples: ['06-30-2024'] });

// Names that callers give.

const IDENTIFIER_BOUND = 'a string of 1 to 64 characters';
/** A name of a line or a loan, given by the caller. */
export const identifier = z
  .string({ error: requirement(IDENTIFIER_BOUND) })
  .min(1)
  .max(64);

// Symbols and lists.

const symbolText = z.string({ error: requirement(SYMBOL_BOUND) }).regex(SYMBOL);

const upperSymbol = symbolText.toUpperCase().meta({
  description: 'Symbol of an asset, in any case.',
  examples: ['BTC'],
});

/** The asset of a symbol, upper-case. */
export const symbol = (resolve: ResolveSymbol) =>
  upperSymbol
    .refine(name => rateOf(resolve, name) === 1, {
      error: raw => {
        const name = String(raw.input);
        const bound = `${resolve(name)}, with its prices and quantities: one ${name} is ${rateOf(resolve, name)} of it`;
        return requirement(bound)(raw);
      },
    })
    .overwrite(resolve);

/** A trading pair and its exchange: base and quote upper-case, exchange lower-case. The base is an asset; the quote is a name of the exchange, without aliases. */
const market = (resolve: ResolveSymbol) =>
  z
    .tuple([symbol(resolve), upperSymbol, symbolText.toLowerCase()], {
      error: requirement('a list of three: base symbol, quote symbol, exchange'),
    })
    .meta({
      description: 'Base symbol, quote symbol, exchange.',
      examples: [['BTC', 'USDT', 'binance']],
      minItems: 3,
      maxItems: 3,
      items: false,
    });

/** 1 to 64 distinct elements. The elements of a longer list are not read: each could add a message. */
export function listOf<T extends z.ZodType>(item: T, plural: string, most = MAX_LIST) {
  const bound = `a list of 1 to ${most} ${plural}`;
  const list = z
    .array(item, { error: requirement(bound) })
    .min(1)
    .max(most)
    .superRefine(
      (values, context) => {
        const faulty = new Set(context.issues.map(({ path }) => path?.[0]));
        const firstIndex = new Map<string, number>();
        values.forEach((value, index) => {
          if (faulty.has(index)) return;
          const first = firstIndex.get(String(value));
          if (first === undefined) firstIndex.set(String(value), index);
          else
            context.addIssue(
              issue('repeated', [index], `different from element ${first}`, value, String(value)),
            );
        });
      },
      { when: ({ value }) => Array.isArray(value) },
    )
    .meta({ uniqueItems: true });
  return z.preprocess((sent, context) => {
    if (Array.isArray(sent) && sent.length > most) context.addIssue(issue('out_of_range', [], bound, sent));
    return sent;
  }, list);
}

/** The entries of such a list of numbers as engines take them. */
export const rising = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

export const quantile = number('above 0 and below 1').gt(0).lt(1).meta({ 'x-unit': 'fraction' });
export const horizonsDays = meaning(
  listOf(durationDays, 'horizons in days'),
  'Horizons of the value at risk, in any order.',
);
export const quantiles = meaning(
  listOf(quantile, 'quantiles'),
  'Confidence levels of value at risk, in any order: 0.95 describes the worst 5 %.',
);
export const bookQuantiles = meaning(
  listOf(quantile, 'quantiles', 8),
  'Levels of losses, sales and counts of the book, in any order: 0.95 describes the worst 5 %.',
);
export const backtestQuantiles = meaning(
  listOf(
    // Beyond these bounds no number of days suffices, and 1 - q rounds to 1.
    number('from 0.000001 to 0.999999').gte(0.000001).lte(0.999999).meta({ 'x-unit': 'fraction' }),
    'quantiles',
    8,
  ),
  'Confidence levels of the tested value at risk, in any order. At 0.95, losses should exceed it on 5 % of days.',
);
export const backtestHorizonDays = meaning(
  wholeNumber(1, 10),
  'Days from a forecast to the close that it is tested against.',
  'days',
).default(1);
export const saleDelayHours = meaning(
  wholeNumber(0, 720),
  'Time from a liquidation or a closeout to the sale of the collateral.',
  'hours',
).default(24);
const costOfSale = () => number('from 0 to 0.5').min(0).max(0.5);
export const saleCost = meaning(costOfSale(), 'Share of the proceeds that a sale costs.', 'fraction').default(
  0.01,
);
export const rowSaleCost = meaning(
  costOfSale(),
  'Share of the proceeds that a sale of this loan costs. Default: sale_cost of the book.',
  'fraction',
).optional();
export const markets = (resolve: ResolveSymbol) =>
  meaning(listOf(market(resolve), 'markets'), 'Trading pairs whose daily volumes are summed.');

/** The members of an object; any other member is a fault. */
export function members<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = `${KNOWN_HERE}${Object.keys(shape).join(', ')}`;
  const otherwise = requirement('an object');
  return z.strictObject(shape, {
    error: raw => (raw.code === 'unrecognized_keys' ? known : otherwise(raw)),
  });
}
