/**
 * Reads a JSON value of any shape with a schema: a typed request, or every fault at once.
 *
 * Must not know: HTTP, operations.
 */
import type { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { dottedPath, explain, KNOWN_HERE } from '../../text/message.ts';
import { nearestName } from '../../text/nearest-name.ts';
import { cashIsDollar, type ResolveSymbol } from '../../text/symbols.ts';

/** Most reported faults; the others are counted. */
const MAX_FAULTS = 100;

/** A request, or at least one fault. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

type Issue = z.core.$ZodIssue;

/** No valid request has so many members. A larger body has the fault of its `type` alone, without the faults under each type. */
const MAX_MEMBERS = 100;

/** Reads `body` with `schema`. A fault of the choosing member (`type`) comes with the faults under every choice. */
export function checkRequest<T>(schema: z.ZodType<T>, body: unknown): Checked<T> {
  const result = schema.safeParse(body, { error: explain });
  if (result.success) return { ok: true, value: result.data };
  const { issues } = result.error;
  const faults = distinct(issues.flatMap(issue => faultsOf(schema, body, issue)));
  const more = issues.reduce((sum, issue) => sum + unlisted(issue), faults.length - MAX_FAULTS);
  if (more <= 0) return { ok: false, faults };
  return {
    ok: false,
    faults: [
      ...faults.slice(0, MAX_FAULTS),
      { path: 'body', message: `The body has ${counted(more, 'more fault')}` },
    ],
  };
}

/** A schema of bodies sent on a day, under one table of symbols. */
export type SchemaOf<T> = (today: Day, resolve?: ResolveSymbol) => T;

/** Caches the schema of `build` for the last day and table of symbols. */
export function perDay<T>(build: (today: Day, resolve: ResolveSymbol) => T): SchemaOf<T> {
  let last: { readonly day: Day; readonly resolve: ResolveSymbol; readonly schema: T } | undefined;
  return (today, resolve = cashIsDollar) => {
    if (last?.day !== today || last.resolve !== resolve) {
      last = { day: today, resolve, schema: build(today, resolve) };
    }
    return last.schema;
  };
}

function faultsOf(schema: z.ZodType, body: unknown, issue: Issue): Fault[] {
  if (issue.code === 'unrecognized_keys') return unknownMembers(issue);
  const fault = { path: dottedPath(issue.path), message: issue.message };
  return [fault, ...faultsOfEveryChoice(schema, body, issue)];
}

/** Sentences for the reported members only: 64 KiB have room for ten thousand unknown members. */
function unknownMembers({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys): Fault[] {
  return keys.slice(0, MAX_FAULTS).map(key => {
    const member = dottedPath([...path, key]);
    const near = nearestName(key, knownNames(message));
    const hint = near === undefined ? '' : `did you mean ${near}? `;
    return { path: member, message: `${member} is an unknown member; ${hint}${message}` };
  });
}

/** The names in a message on unknown members. */
const knownNames = (message: string): readonly string[] =>
  message.startsWith(KNOWN_HERE) ? message.slice(KNOWN_HERE.length).split(', ') : [];

/** Number of unknown members without a sentence. */
const unlisted = (issue: Issue) =>
  issue.code === 'unrecognized_keys' ? Math.max(0, issue.keys.length - MAX_FAULTS) : 0;

/** Of a fault of a choosing member: the faults of the body under every allowed value of it. */
function faultsOfEveryChoice(schema: z.ZodType, body: unknown, issue: Issue): Fault[] {
  const { discriminator, options = [] } = issue as Partial<
    z.core.$ZodIssueInvalidUnion & { inclusive: true }
  >;
  if (discriminator === undefined || hasTooManyMembers(body as object)) return [];
  const [first = [], ...others] = options.map(choice => {
    const checked = checkRequest(schema, { ...(body as object), [discriminator]: choice });
    return checked.ok ? [] : checked.faults;
  });
  return first.filter(fault => others.every(faults => faults.some(other => sameFault(fault, other))));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Counts members of the body, its `params`, and their maps. */
const hasTooManyMembers = (value: object, levels = 3): boolean => {
  const members = Object.values(value);
  if (members.length > MAX_MEMBERS) return true;
  return levels > 1 && members.filter(isObject).some(each => hasTooManyMembers(each, levels - 1));
};

const sameFault = (a: Fault, b: Fault) => a.path === b.path && a.message === b.message;

/** Faults without repeats: several checks of one value can fail for one reason. */
function distinct(faults: readonly Fault[]): Fault[] {
  const seen = new Map(faults.map(fault => [`${fault.path}\n${fault.message}`, fault]));
  return [...seen.values()];
}
