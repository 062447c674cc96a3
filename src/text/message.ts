/**
 * Error messages for callers: the member, its bound, its value.
 *
 * Must not know: members, operations. Values are shortened in length and depth: a body may consist of brackets alone.
 */
import type { z } from 'zod';
import type { FaultCode } from '../core/errors.ts';

/** The beginning of a message on unknown members; the names of the known ones follow. */
export const KNOWN_HERE = 'known here are ';

const LONGEST_TEXT = 60;

const shorten = (text: string) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** Whether a JSON value is an object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in a message, at most a line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** A path as the dotted text of a `Fault`: `params.markets.0.2`; `body` for the empty path. */
export function dottedPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'body' : path.map(part => shorten(String(part)) || '""').join('.');
}

/** A member in a sentence: the path without the `params` of the envelope. */
export function memberName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'The body';
  return dottedPath(path[0] === 'params' && path.length > 1 ? path.slice(1) : path);
}

/** `<member> must be <bound>; got <value>`, or that it is missing. */
function sentence(path: readonly PropertyKey[], bound: string, got: string | undefined): string {
  const member = memberName(path);
  return got === undefined
    ? `${member} is missing; it must be ${bound}`
    : `${member} must be ${bound}; got ${got}`;
}

type Issue = z.core.$ZodRawIssue;

/** An issue of a custom check; `explain` writes its sentence when the whole path is known. */
export function issue(
  code: FaultCode,
  path: PropertyKey[],
  bound: string,
  input: unknown,
  got: string | undefined = undefined,
) {
  const shown = got ?? (input === undefined ? undefined : show(input));
  const fault: FaultCode = shown === undefined ? 'missing' : code;
  return { code: 'custom' as const, path, input, params: { bound, shown, fault } };
}

/** The sentence of an issue of `issue` at a path. */
export const sentenceOf = (path: readonly PropertyKey[], params: Readonly<Record<string, unknown>>): string =>
  sentence(path, String(params.bound), params.shown as string | undefined);

/** The fault of an issue of a schema, by its kind; that of an issue of `issue` is its own. */
const FAULT_OF_KIND: Readonly<Record<z.core.$ZodIssue['code'], FaultCode>> = {
  invalid_type: 'wrong_type',
  invalid_format: 'malformed',
  invalid_key: 'malformed',
  invalid_value: 'unknown_value',
  invalid_union: 'unknown_value',
  invalid_element: 'wrong_type',
  unrecognized_keys: 'unknown_member',
  not_multiple_of: 'out_of_range',
  too_big: 'out_of_range',
  too_small: 'out_of_range',
  // A further condition of a number.
  custom: 'out_of_range',
};

/** The code of the fault of an issue. */
export function faultCodeOf(raw: Issue): FaultCode {
  if (raw.code === 'custom' && raw.params?.fault !== undefined) return raw.params.fault as FaultCode;
  const { input, discriminator } = raw as { input?: unknown; discriminator?: string };
  const judged = isObject(input) && discriminator !== undefined ? input[discriminator] : input;
  if (judged === undefined && raw.code !== 'unrecognized_keys') return 'missing';
  // Of a number or a word, such as the LTV of an origination.
  if (raw.code === 'invalid_union' && typeof judged === 'number') return 'out_of_range';
  return FAULT_OF_KIND[raw.code];
}

/** The error map for issues of `issue`. */
export function explain(raw: Issue): string | undefined {
  if (raw.code !== 'custom' || raw.params === undefined) return undefined;
  return sentenceOf(raw.path ?? [], raw.params);
}

/**
 * The error map of a schema whose values must be `bound`, for any failed check.
 * Issues of `issue` have their own sentence: zod calls the error map of their schema first.
 */
export function requirement(bound: string): (raw: Issue) => string {
  return raw =>
    explain(raw) ?? sentence(raw.path ?? [], bound, raw.input === undefined ? undefined : show(raw.input));
}
