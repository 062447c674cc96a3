/**
 * Readers of environment variables: numbers, choices, keys, and the file of maintenance margins.
 *
 * Gives: zod schemas from text to values, some described by the values they take. Must not know: which variables there are.
 */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../core/errors.ts';
import { type RedisAddress, redisAddress } from '../fleet/address.ts';
import { type MarketRules, readRules } from '../market/rules.ts';
import { readVenuesFile } from '../question/account/rules-schema.ts';
import { VENUES, type Venues } from '../question/account/venues/venues.ts';
import { members, SYMBOL, SYMBOL_BOUND } from '../question/request/fields.ts';
import { type Checked, checkRequest } from '../question/request/parse.ts';
import { type NamedScenario, readScenarioFile } from '../question/scenario/scenario.ts';
import { dayOf } from '../text/calendar-date.ts';
import { issue, requirement } from '../text/message.ts';
import { hashKey } from './keys/key-digest.ts';
import { readKeyFile } from './keys/key-file.ts';

const DEFAULT_MAINTENANCE_MARGIN = 0.005;

// Number('') is 0 and Number('0x1f') is 31: only decimal notation is taken.
const DECIMAL = /^\d+(\.\d+)?(e\d+)?$/;

const decimal = (kind: string, min: number, max: number, holds: (value: number) => boolean) =>
  z
    .string()
    .transform((text, context) => {
      const value = Number(text);
      const isWithin = value >= min && value <= max;
      if (!DECIMAL.test(text) || !isWithin || !holds(value))
        context.addIssue(issue('malformed', [], `${kind} from ${min} to ${max}`, text));
      return value;
    })
    .describe(`${min} to ${max}`);

/** A number from `min` to `max`. */
export const numberText = (min: number, max: number) => decimal('a number', min, max, () => true);

/** A whole number from `min` to `max`. */
export const wholeNumberText = (min: number, max: number) =>
  decimal('a whole number', min, max, Number.isInteger);

/** The same; undefined where the text is empty. */
export const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess(text => text || undefined, schema.optional()).describe(schema.description ?? '');

/** One of `values`. */
export const oneOf = <const T extends readonly string[]>(...values: T) =>
  z
    .enum(values, { error: requirement(`one of ${values.join(', ')}`) })
    .describe(values.map(value => `\`${value}\``).join(', '));

const flag = oneOf('0', '1');
/** 1 for true, 0 for false. */
export const flagText = flag.transform(text => text === '1').describe(flag.description ?? '');

const KEY_DIGEST = /^sha256:([0-9a-f]{64})$/i;
/** Visible ASCII, which is valid in every header. */
const KEY_TEXT = /^[\x21-\x7e]{1,256}$/;
/** Below this a key can be guessed: a generated one has 32 characters. */
const MIN_LENGTH = 16;
const MIN_DISTINCT = 6;

const isWeak = (key: string) => key.length < MIN_LENGTH || new Set(key).size < MIN_DISTINCT;

/** Keys and digests of keys, separated by commas, to digests in hexadecimal. No key is ever shown. */
export const apiKeys = z.string().transform((list, context): readonly string[] => {
  if (list === '') return [];
  return list.split(',').map((entry, index) => {
    const key = entry.trim();
    const digest = KEY_DIGEST.exec(key)?.[1];
    if (digest !== undefined) return digest.toLowerCase();
    const place = `something else at entry ${index + 1}`;
    if (key.startsWith('sha256:'))
      context.addIssue(
        issue('malformed', [], 'sha256: and 64 hexadecimal digits, where it is no key', '', place),
      );
    else if (!KEY_TEXT.test(key))
      context.addIssue(
        issue('malformed', [], `keys of ${MIN_LENGTH} to 256 visible ASCII characters`, '', place),
      );
    else if (isWeak(key))
      context.addIssue(
        issue(
          'malformed',
          [],
          `keys that cannot be guessed, of at least ${MIN_LENGTH} characters, ${MIN_DISTINCT} of them different`,
          '',
          `a weak one at entry ${index + 1}`,
        ),
      );
    return hashKey(key).toString('hex');
  });
});

/** Origins as browsers send them, separated by commas; `*` stands alone. */
export const origins = z.string().transform((list, context): readonly string[] => {
  if (list === '') return [];
  const sent = list.split(',').map(entry => entry.trim());
  if (sent.length === 1 && sent[0] === '*') return sent;
  for (const entry of sent) {
    const known = URL.canParse(entry) && new URL(entry).origin === entry;
    if (!known)
      context.addIssue(issue('malformed', [], 'origins such as https://desk.example, or * alone', entry));
  }
  return sent;
});

/** An address of one of these schemes; undefined where the text is empty. It may contain a secret and is never shown. */
export const address = (...schemes: readonly string[]) =>
  z.string().transform((text, context): string | undefined => {
    if (text === '') return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const expected = `an address that begins with ${schemes.map(name => `${name}://`).join(' or ')}`;
    if (url === undefined || !schemes.includes(url.protocol.slice(0, -1)))
      context.addIssue(issue('malformed', [], expected, '', 'something else'));
    return text;
  });

/** The address of a Redis; undefined where the text is empty. It may contain a password and is never shown. */
export const redisUrl = z.string().transform((text, context): RedisAddress | undefined => {
  if (text === '') return undefined;
  const address = redisAddress(text);
  if (address === undefined)
    context.addIssue(
      issue(
        'malformed',
        [],
        'an address such as redis://host:6379, or rediss://user:password@host:6379/1 for TLS and database 1',
        '',
        'something else',
      ),
    );
  return address;
});

/** The beginning of the keys of a fleet; undefined where the text is empty. */
export const fleetName = z.string().transform((text, context): string | undefined => {
  if (text === '') return undefined;
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(text))
    context.addIssue(
      issue('malformed', [], '1 to 32 lower-case letters, digits and underscores, the first a letter', text),
    );
  return text;
});

/** The path of a file of keys that can be read; undefined where the text is empty. */
export const keysFile = z.string().transform((path, context): string | undefined => {
  if (path === '') return undefined;
  try {
    readKeyFile(path);
  } catch (error) {
    context.addIssue(issue('malformed', [], 'a file of keys', path, (error as Error).message));
  }
  return path;
});

/** The market rules in the JSON file at a path; the defaults where the path is empty. */
export const marketRules = z.string().transform((path, context): MarketRules => {
  try {
    return readRules(path);
  } catch (error) {
    for (const fault of messageOf(error).split('\n'))
      context.addIssue(issue('malformed', [], 'a file of market rules', path, fault));
    return z.NEVER;
  }
});

/** Maintenance margins of perpetuals, as fractions of the notional at the mark, above 0 and below 1. */
export interface MaintenanceMargins {
  readonly default: number;
  /** Upper-case symbols of the markets that differ from the default. */
  readonly markets: Readonly<Record<string, number | readonly MarginTier[]>>;
}

/** A rate for positions up to a notional; the last tier has no end. */
export interface MarginTier {
  readonly rate: number;
  readonly up_to_usd?: number | undefined;
}

/** Fraction by which the notional may exceed the end of its tier by rounding: it is a product of what is sent. */
const TIER_ROUNDING = 1e-12;

/** The rates for operations. */
export const maintenanceMarginRates = ({ markets, default: rate }: MaintenanceMargins) => ({
  rateOf(symbol: string, notionalUsd: number): number {
    const ofMarket = Object.hasOwn(markets, symbol) ? markets[symbol] : rate;
    if (typeof ofMarket === 'number') return ofMarket;
    // The last tier takes every notional.
    return (
      ofMarket.find(({ up_to_usd: end = Infinity }) => notionalUsd <= end * (1 + TIER_ROUNDING)) as MarginTier
    ).rate;
  },
});

const rate = z
  .number({ error: requirement('above 0 and below 1') })
  .gt(0)
  .lt(1);

const TIERS_BOUND = 'a rate, or a list of tiers whose up_to_usd rise, the last without one';

/** Tiers in rising order; every one but the last has an end. */
const tiers = z
  .array(
    members({
      rate,
      up_to_usd: z
        .number({ error: requirement('above 0') })
        .gt(0)
        .optional(),
    }),
    {
      error: requirement(TIERS_BOUND),
    },
  )
  .min(1)
  .refine(list =>
    list.every(({ up_to_usd: end }, i) =>
      i === list.length - 1
        ? end === undefined
        : end !== undefined && (i === 0 || end > (list[i - 1].up_to_usd as number)),
    ),
  );

const rates = z
  .record(z.string(), z.union([rate, tiers], { error: requirement(TIERS_BOUND) }), {
    error: requirement('an object of symbols and rates'),
  })
  .superRefine((sent, context) => {
    const seen = new Set<string>();
    for (const key of Object.keys(sent)) {
      if (!SYMBOL.test(key)) context.addIssue(issue('malformed', [key], `named by ${SYMBOL_BOUND}`, key));
      if (seen.has(key.toUpperCase())) context.addIssue(issue('malformed', [key], 'named once', key));
      seen.add(key.toUpperCase());
    }
  })
  .transform(sent =>
    Object.fromEntries(Object.entries(sent).map(([key, value]) => [key.toUpperCase(), value])),
  );

const marginFile = members({
  default: rate.default(DEFAULT_MAINTENANCE_MARGIN),
  markets: rates.default({}),
});

/** The content of a JSON file at a path, with all its faults. @param unset the value where the path is empty */
const jsonFile = <T>(unset: T, read: (file: unknown) => Checked<T>) =>
  z.string().transform((path, context): T => {
    if (path === '') return unset;
    try {
      const checked = read(JSON.parse(readFileSync(path, 'utf8')));
      if (checked.ok) return checked.value;
      for (const { message } of checked.faults)
        context.addIssue(
          issue('malformed', [], 'a file without faults', path, `${path}, in which ${message}`),
        );
    } catch (error) {
      context.addIssue(issue('malformed', [], 'a readable JSON file', path, `${path} (${messageOf(error)})`));
    }
    return z.NEVER;
  });

/** The maintenance margins in the JSON file at a path; the default everywhere where the path is empty. */
export const maintenanceMargins = jsonFile<MaintenanceMargins>(
  { default: DEFAULT_MAINTENANCE_MARGIN, markets: {} },
  file => checkRequest(marginFile, file),
);

/** The venues of the program, with those in the JSON file at a path. */
export const venuesFile = jsonFile<Venues>(VENUES, readVenuesFile);

/** The scenarios in the JSON file at a path; none where the path is empty. */
export const scenariosFile = jsonFile<readonly NamedScenario[]>([], file =>
  readScenarioFile(file, dayOf(new Date())),
);
