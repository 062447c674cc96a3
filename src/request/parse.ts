/**
 * Reads a body with a schema: a typed request, or every fault at once.
 *
 * Takes: a schema of this folder and a parsed JSON value of any shape. Gives: the processed request or its faults.
 * Must not know: HTTP, what is done with a request.
 */
import type { z } from 'zod';
import { type Fault, RiskError } from '../errors.ts';
import type { Day } from './calendar-date.ts';
import { dottedPath, explain } from './message.ts';

/** More faults than anybody reads; without a limit, a mebibyte of unknown members would be answered by twelve. */
const MAX_FAULTS = 1000;

/** A request, or what is wrong with it: at least one fault. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

type Issue = z.core.$ZodIssue;

/**
 * Reads `body` with `schema`.
 * Where the member that chooses between shapes (`type`) is itself wrong, the faults that hold for every choice are
 * told along with it.
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

/** Keeps the schema that `build` makes for a day, since it is the same for every request of that day. */
export function perDay<T>(build: (today: Day) => T): (today: Day) => T {
  let kept: { readonly day: Day; readonly schema: T } | undefined;
  return today => {
    if (kept?.day !== today) kept = { day: today, schema: build(today) };
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

/** Sentences only for as many as are told: a mebibyte has room for ninety thousand unknown members. */
function unknownMembers({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys): Fault[] {
  return keys.slice(0, MAX_FAULTS).map(key => {
    const member = dottedPath([...path, key]);
    return { path: member, message: `${member} is an unknown member; ${message}` };
  });
}

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
  if (discriminator === undefined || typeof body !== 'object' || body === null) return [];
  const [first = [], ...others] = options.map(choice => {
    const checked = checkRequest(schema, { ...body, [discriminator]: choice });
    return checked.ok ? [] : checked.faults;
  });
  return first.filter(fault => others.every(faults => faults.some(other => sameFault(fault, other))));
}

const sameFault = (a: Fault, b: Fault) => a.path === b.path && a.message === b.message;

/** Several checks of one value can fail for one reason, which is told once. */
function distinct(faults: readonly Fault[]): Fault[] {
  const seen = new Map(faults.map(fault => [`${fault.path}\n${fault.message}`, fault]));
  return [...seen.values()];
}
