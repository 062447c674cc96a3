/**
 * The members that several operations share: numbers with their bounds, weight maps, symbols, markets, dates.
 *
 * Takes: what a caller sent, of any type. Gives: zod schemas whose messages name the member, the bound and the
 * value. Must not know: which operation uses a member, market data, HTTP.
 *
 * Nothing is repaired: a number in a string, an unknown member or a repeat is a fault of its own.
 */
import { z } from 'zod';
import { type Day, formatCalendarDate, parseCalendarDate } from './calendar-date.ts';
import { issue, requirement } from './message.ts';

/** Largest amount of money or quantity in size. */
const MAX_AMOUNT = 1e15;
/** Largest number of horizons, of quantiles, of markets. */
const MAX_LIST = 64;
const DATE_BOUND = 'a day of the calendar, written MM-DD-YYYY';
// At least one letter, since a key made of digits alone would not keep its alphabetical place in an object.
export const SYMBOL = /^(?=.*[a-z])[a-z0-9$][a-z0-9$._-]{0,31}$/i;
export const SYMBOL_BOUND =
  'a symbol: at most 32 letters, digits and "$._-", with a letter, beginning with a letter, a digit or "$"';

/** A number that must satisfy `bound`, described in words; the zod checks that follow state the same bound. */
const number = (bound: string) => z.number({ error: requirement(bound) });

// Not zod's own `int`, whose issue would stop the rules between members from being told as well.
const wholeNumber = (min: number, max: number) =>
  number(`a whole number from ${min} to ${max}`).min(min).max(max).refine(Number.isInteger);

/** A member whose value is one of `values`. */
export const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: requirement(`one of ${values.join(', ')}`) });

// Windows and numbers of paths.

/** Days of the window that a model is fitted to. */
export const modelLookback = (min = 2, max = 3650) => wholeNumber(min, max);
/** Days of the window that volumes are taken from. */
export const volumeLookback = wholeNumber(1, 3650);
/** Number of Monte Carlo paths. */
export const mcIter = (max = 10_000_000) => wholeNumber(1, max);

// Shocks.

/** Relative change of every volatility, a fraction: 0.1 is +10 %. */
export const volatilityShock = number('above -1 and at most 100').gt(-1).max(100).default(0);
/** The shock where the chosen type takes none: clients share one body between types, so 0 is accepted. */
export const noVolatilityShock = z.literal(0, {
  error: requirement('0 or absent, because this type takes no shock'),
});

// Terms of loans.

/** Days. */
export const durationDays = number('above 0 and at most 3650 days').gt(0).max(3650);
/** Hours from a margin call to its deadline. */
export const topUpHours = number('from 0 to 8760 hours').min(0).max(8760);
/** USD. */
export const valueUsd = number('above 0 and at most 1e15 USD').gt(0).max(MAX_AMOUNT);
/** N, M, L or R: collateral over loan. */
export const ratio = number('above 0 and at most 100').gt(0).max(100);
/** Share of a day's volume that may be sold. */
export const participationRatio = number('above 0 and at most 1').gt(0).max(1);

// Terms of perpetuals.

/** Asset units per contract, USD per contract, or margin currency. */
export const positiveAmount = number('above 0 and at most 1e15').gt(0).max(MAX_AMOUNT);
/** Margin currency, of either sign. */
export const signedAmount = number('at most 1e15 in size').min(-MAX_AMOUNT).max(MAX_AMOUNT);
/** Contracts; negative is short. */
export const positionSize = number('other than 0 and at most 1e15 in size')
  .min(-MAX_AMOUNT)
  .max(MAX_AMOUNT)
  .refine(size => size !== 0);
/** USD. */
export const entryPrice = number('from 0.000001 to 1e15 USD').min(1e-6).max(MAX_AMOUNT);
/** Fraction of the notional per interval. */
export const fundingRate = number('from -0.999999 to 0.999999').min(-0.999999).max(0.999999);
/** Hours. */
export const fundingIntervalHours = number('from 0.000001 to 87600 hours').min(1e-6).max(87_600);
/** Hours. */
export const tradeDurationHours = wholeNumber(3, 87_600);

// Terms of an origination search.

/** A finite number; which one is right depends on other members. */
export const finiteNumber = number('a finite number');
/** Distance from the target that still counts as reached. */
export const errorTolerance = number('0 or more').min(0);

// Dates.

/** `MM-DD-YYYY`, a real day not after `today`, as a `Day`; `today` where it is absent. */
export const analysisDate = (today: Day) =>
  z
    .string({ error: requirement(DATE_BOUND) })
    .transform((text, context): Day => {
      const day = parseCalendarDate(text);
      if (day !== undefined && day <= today) return day;
      const bound = day === undefined ? DATE_BOUND : `at most today, ${formatCalendarDate(today)} in UTC`;
      context.addIssue(issue([], bound, text));
      return z.NEVER;
    })
    .default(today);

// Symbols and lists.

const symbolText = z.string({ error: requirement(SYMBOL_BOUND) }).regex(SYMBOL);

/** An asset symbol, upper-case. */
export const symbol = symbolText.toUpperCase();

/** A trading pair and its exchange: base and quote upper-case, exchange lower-case. */
const market = z.tuple([symbol, symbol, symbolText.toLowerCase()], {
  error: requirement('a list of three: base symbol, quote symbol, exchange'),
});

/** 1 to 64 elements, no two alike. */
function listOf<T extends z.ZodType>(item: T, plural: string) {
  return z
    .array(item, { error: requirement(`a list of 1 to ${MAX_LIST} ${plural}`) })
    .min(1)
    .max(MAX_LIST)
    .superRefine(
      (values, context) => {
        const faulty = new Set(context.issues.map(({ path }) => path?.[0]));
        const firstIndex = new Map<string, number>();
        values.forEach((value, index) => {
          if (faulty.has(index)) return;
          const first = firstIndex.get(String(value));
          if (first === undefined) firstIndex.set(String(value), index);
          else context.addIssue(issue([index], `different from element ${first}`, value, String(value)));
        });
      },
      { when: ({ value }) => Array.isArray(value) },
    );
}

/** Horizons in days. */
export const horizonsDays = listOf(durationDays, 'horizons in days');
/** Fractions between 0 and 1. */
export const quantiles = listOf(number('above 0 and below 1').gt(0).lt(1), 'quantiles');
/** Trading pairs whose volumes are summed. */
export const markets = listOf(market, 'markets');

/** The members of an object; any other member is a fault. */
export function members<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = `known here are ${Object.keys(shape).join(', ')}`;
  const otherwise = requirement('an object');
  return z.strictObject(shape, {
    error: raw => (raw.code === 'unrecognized_keys' ? known : otherwise(raw)),
  });
}
