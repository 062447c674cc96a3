/**
 * Reads a body with a schema: a typed request, or every fault at once.
 *
 * Takes: a schema of this folder and a parsed JSON value of any shape. Gives: the processed request or its faults.
 * Must not know: HTTP, what is done with a request.
 */
import type { z } from 'zod';
import type { Day } from '../calendar-date.ts';
import { type Fault, RiskError } from '../core/errors.ts';
import { dottedPath, explain, KNOWN_HERE } from './message.ts';
import { nearestName } from './nearest-name.ts';
import { cashIsDollar, type ResolveSymbol } from './symbols.ts';

/** Faults that are reported one by one, at most; the others are counted. */
const MAX_FAULTS = 100;

/** A request, or what is wrong with it: at least one fault. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

type Issue = z.core.$ZodIssue;

/** No request has so many members. Of a body that has, the `type` alone is reported, not the faults under each type. */
const MAX_MEMBERS = 100;

/**
 * Reads `body` with `schema`.
 * Where the member that chooses between shapes (`type`) is itself wrong, the faults of every choice are
 * reported with it.
 */
export function checkRequest<T>(schema: z.ZodType<T>, body: unknown): Checked<T> {
  const result = schema.safeParse(body, { error: explain });
  if (result.success) return { ok: true, value: result.data };
  const { issues } = result.error;
  const faults = distinct(issues.flatMap(issue => faultsOf(schema, body, issue)));
  const more = issues.reduce((sum, issue) => sum + untold(issue), faults.length - MAX_FAULTS);
  if (more <= 0) return { ok: false, faults };
  return {
    ok: false,
    faults: [...faults.slice(0, MAX_FAULTS), { path: 'body', message: `The body has ${more} more faults` }],
  };
}

/**
 * Reads `body` with `schema` and returns the processed request.
 * @throws RiskError `invalid-request` with every fault.
 */
export function parseRequest<T>(schema: z.ZodType<T>, body: unknown): T {
  const checked = checkRequest(schema, body);
  if (checked.ok) return checked.value;
  throw new RiskError('invalid-request', 'The request is not valid.', { faults: checked.faults });
}

/** A schema of bodies sent on a day, to a server that reads symbols in one way. */
export type SchemaOf<T> = (today: Day, resolve?: ResolveSymbol) => T;

/** Keeps the schema that `build` makes for a day and a table of symbols: it is the same for every request under both. */
export function perDay<T>(build: (today: Day, resolve: ResolveSymbol) => T): SchemaOf<T> {
  let kept: { readonly day: Day; readonly resolve: ResolveSymbol; readonly schema: T } | undefined;
  return (today, resolve = cashIsDollar) => {
    if (kept?.day !== today || kept.resolve !== resolve) {
      kept = { day: today, resolve, schema: build(today, resolve) };
    }
    return kept.schema;
  };
}

function faultsOf(schema: z.ZodType, body: unknown, issue: Issue): Fault[] {
  if (issue.code === 'unrecognized_keys') return unknownMembers(issue);
  const fault = { path: dottedPath(issue.path), message: issue.message };
  return issue.code === 'invalid_union' && issue.inclusive !== false
    ? [fault, ...faultsOfEveryChoice(schema, body, issue)]
    : [fault];
}

/** Sentences only for as many as are reported: 64 KiB have room for ten thousand unknown members. */
function unknownMembers({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys): Fault[] {
  return keys.slice(0, MAX_FAULTS).map(key => {
    const member = dottedPath([...path, key]);
    const near = nearestName(key, knownNames(message));
    const hint = near === undefined ? '' : `did you mean ${near}? `;
    return { path: member, message: `${member} is an unknown member; ${hint}${message}` };
  });
}

/** The names that a message on unknown members lists. */
const knownNames = (message: string): readonly string[] =>
  message.startsWith(KNOWN_HERE) ? message.slice(KNOWN_HERE.length).split(', ') : [];

/** How many unknown members have no sentence of their own. */
const untold = (issue: Issue) =>
  issue.code === 'unrecognized_keys' ? Math.max(0, issue.keys.length - MAX_FAULTS) : 0;

/** The faults that a body would have whichever of the allowed values its choosing member took. */
function faultsOfEveryChoice(
  schema: z.ZodType,
  body: unknown,
  {
    discriminator,
    options = [],
  }: Pick<z.core.$ZodIssueInvalidUnion & { inclusive?: true }, 'discriminator' | 'options'>,
): Fault[] {
  if (discriminator === undefined || !isObject(body) || hasTooManyMembers(body)) return [];
  const [first = [], ...others] = options.map(choice => {
    const checked = checkRequest(schema, { ...body, [discriminator]: choice });
    return checked.ok ? [] : checked.faults;
  });
  return first.filter(fault => others.every(faults => faults.some(other => sameFault(fault, other))));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Looks at the body, its `params`, and the maps in these. */
const hasTooManyMembers = (value: object, levels = 3): boolean => {
  const members = Object.values(value);
  if (members.length > MAX_MEMBERS) return true;
  return levels > 1 && members.filter(isObject).some(each => hasTooManyMembers(each, levels - 1));
};

const sameFault = (a: Fault, b: Fault) => a.path === b.path && a.message === b.message;

/** Several checks of one value can fail for one reason, which is reported once. */
function distinct(faults: readonly Fault[]): Fault[] {
  const seen = new Map(faults.map(fault => [`${fault.path}\n${fault.message}`, fault]));
  return [...seen.values()];
}
