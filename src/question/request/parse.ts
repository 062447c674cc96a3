/**
 * Reads a JSON value of any shape with a schema: a typed request, or every fault at once.
 *
 * Must not know: HTTP, operations.
 */
import { z } from 'zod';
import type { Fault, FaultCode } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { dottedPath, explain, faultCodeOf, KNOWN_HERE } from '../../text/message.ts';
import { nearestName } from '../../text/nearest-name.ts';
import { cashIsDollar, type ResolveSymbol } from '../../text/symbols.ts';
import { type Closes, NO_CLOSES, type WantedPrices } from './prices.ts';

/** Most reported faults; the others are counted. */
const MAX_FAULTS = 100;

/** A request, or at least one fault. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

type Issue = z.core.$ZodIssue & { readonly fault: FaultCode };

/** No valid request has so many members. A larger body has the fault of its `type` alone, without the faults under each type. */
const MAX_MEMBERS = 100;

/** A body whose members are read, before what follows from them is known. */
export interface UnresolvedBody<R> {
  /** The prices that its resolution needs; absent where it needs none. */
  readonly wanted?: WantedPrices | undefined;
  /** The request, or every fault of the body and of its resolution. */
  resolve(closes: Closes): Checked<R>;
}

/** The step from a body as sent to a request in which everything is present. */
export interface Resolution<R> {
  readonly wanted?: WantedPrices | undefined;
  /** Undefined where there is a fault. */
  resolve(closes: Closes): R | undefined;
}

/**
 * Reads `body` with `schema`. A fault of the choosing member (`type`) comes with the faults under every choice.
 *
 * @param resolution of the value of the schema, in which members with issues may have any value; it adds its faults to `list`
 */
export function readBody<Sent, R>(
  schema: z.ZodType<Sent>,
  body: unknown,
  resolution: (sent: Sent, issues: readonly Issue[], list: Fault[]) => Resolution<R>,
): UnresolvedBody<R> {
  const { value, issues } = valueAndIssues(schema, body);
  const own = issues.flatMap(faultsOf);
  const unlisted = issues.reduce((sum, each) => sum + unlistedOf(each), 0);
  const choices = issues.flatMap(each => bodiesOfEveryChoice(body, each));
  if (choices.length > 0) {
    const under = choices.map(each => readBody(schema, each, resolution));
    return {
      wanted: under[0].wanted,
      resolve: closes => refusal([...own, ...faultsOfAll(under.map(each => each.resolve(closes)))], unlisted),
    };
  }
  if (!issues.every(isInside)) return { resolve: () => refusal(own, unlisted) };
  const list: Fault[] = [];
  const { wanted, resolve } = resolution(value, issues, list);
  return {
    wanted,
    resolve(closes) {
      const resolved = resolve(closes);
      if (own.length + list.length > 0) return refusal([...own, ...list], unlisted);
      if (resolved === undefined) throw new Error('A body without a value has at least one fault.');
      return { ok: true, value: resolved };
    },
  };
}

/** Reads a value that is complete as sent. */
export function checkRequest<T>(schema: z.ZodType<T>, body: unknown): Checked<T> {
  return readBody(schema, body, value => ({ resolve: () => value })).resolve(NO_CLOSES);
}

/** The value of a schema, also where it has issues. */
function valueAndIssues<T>(schema: z.ZodType<T>, body: unknown): { value: T; issues: Issue[] } {
  const context = { async: false, error: explain };
  const read = schema._zod.run({ value: body, issues: [] }, context);
  if (read instanceof Promise) throw new Error('The schema of a body reads it at once.');
  return {
    value: read.value as T,
    issues: read.issues.map(raw => ({
      fault: faultCodeOf(raw),
      ...z.core.util.finalizeIssue(raw, context, z.core.config()),
    })),
  };
}

/** Whether an issue leaves the body and its params objects. */
const isInside = ({ code, path }: Issue) => code === 'unrecognized_keys' || path.length > 1;

function refusal(found: readonly Fault[], unlisted: number): Checked<never> {
  const faults = distinct(found);
  const more = unlisted + faults.length - MAX_FAULTS;
  if (more <= 0) return { ok: false, faults };
  return {
    ok: false,
    faults: [
      ...faults.slice(0, MAX_FAULTS),
      { code: 'more_faults', path: 'body', message: `The body has ${counted(more, 'more fault')}` },
    ],
  };
}

/** A schema of bodies sent on a day, under one table of symbols, and of a book with so many loans. */
export type SchemaOf<T> = (today: Day, resolve?: ResolveSymbol, maxLoans?: number) => T;

/** Caches the schema of `build` for the last day and table of symbols. */
export function perDay<T>(build: (today: Day, resolve: ResolveSymbol, maxLoans?: number) => T): SchemaOf<T> {
  let last: { readonly of: readonly unknown[]; readonly schema: T } | undefined;
  return (today, resolve = cashIsDollar, maxLoans = undefined) => {
    const of = [today, resolve, maxLoans];
    if (!of.every((each, i) => each === last?.of[i])) last = { of, schema: build(today, resolve, maxLoans) };
    return (last as { readonly schema: T }).schema;
  };
}

const faultsOf = (issue: Issue): Fault[] =>
  issue.code === 'unrecognized_keys'
    ? unknownMembers(issue)
    : [{ code: issue.fault, path: dottedPath(issue.path), message: issue.message }];

/** Sentences for the reported members only: 64 KiB have room for ten thousand unknown members. */
function unknownMembers({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys): Fault[] {
  return keys.slice(0, MAX_FAULTS).map(key => {
    const member = dottedPath([...path, key]);
    const near = nearestName(key, knownNames(message));
    const hint = near === undefined ? '' : `did you mean ${near}? `;
    return {
      code: 'unknown_member',
      path: member,
      message: `${member} is an unknown member; ${hint}${message}`,
    };
  });
}

/** The names in a message on unknown members. */
const knownNames = (message: string): readonly string[] =>
  message.startsWith(KNOWN_HERE) ? message.slice(KNOWN_HERE.length).split(', ') : [];

/** Number of unknown members without a sentence. */
const unlistedOf = (issue: Issue) =>
  issue.code === 'unrecognized_keys' ? Math.max(0, issue.keys.length - MAX_FAULTS) : 0;

/** For an issue of a choosing member: the body with every allowed value of it. */
function bodiesOfEveryChoice(body: unknown, issue: Issue): object[] {
  const { discriminator, options = [] } = issue as Partial<
    z.core.$ZodIssueInvalidUnion & { inclusive: true }
  >;
  if (discriminator === undefined || hasTooManyMembers(body as object)) return [];
  return options.map(choice => ({ ...(body as object), [discriminator]: choice }));
}

/** The faults that all readings have. */
function faultsOfAll(checked: readonly Checked<unknown>[]): Fault[] {
  const [first = [], ...others] = checked.map(each => (each.ok ? [] : each.faults));
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
