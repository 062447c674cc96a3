/**
 * The query of an operation: the members of the answer beside the three of the interface, and how the paths
 * are sampled.
 *
 * Takes: the parameters of a URL and what the operation offers. Gives: the query with defaults filled in, or every
 * fault of it at `query.<name>`. Must not know: HTTP, how a member is computed.
 */
import type { Fault } from '../core/errors.ts';
import { dottedPath, show } from './message.ts';
import type { Checked } from './parse.ts';

/** Members that an answer can have beside `Arguments`, the result and the version, as `include` names them. */
export const INCLUDED_MEMBERS = [
  'accuracy',
  'distribution',
  'loans',
  'model',
  'path',
  'plan',
  'warnings',
] as const;
export type IncludedMember = (typeof INCLUDED_MEMBERS)[number];

/**
 * How paths are drawn: `random` is the counter-based generator, `sobol` scrambled quasi-random points, `tail` random paths of which
 * every second one is shifted towards losses.
 */
export type Sampling = 'random' | 'sobol' | 'tail';

export interface OperationQuery {
  readonly include: ReadonlySet<IncludedMember>;
  /** Level of the intervals of `accuracy`, 0.5 < confidence < 1. */
  readonly confidence: number;
  readonly sampling: Sampling;
}

/** What the query of an operation can ask for. */
export interface QuerySupport {
  readonly include: readonly IncludedMember[];
  /** Samplings that the query can name; `random` needs no name. */
  readonly sampling: readonly Exclude<Sampling, 'random'>[];
}

/** The query of a request that has none. */
export const DEFAULT_QUERY: OperationQuery = { include: new Set(), confidence: 0.95, sampling: 'random' };

/** Members of `OperationQuery`, which are the names of a query. */
const NAMES = ['include', 'confidence', 'sampling'] as const;
type Name = (typeof NAMES)[number];

/** Unknown names that are reported, at most. */
const MAX_UNKNOWN = 50;
/** Longer decimals of a level differ by less than intervals can show. */
const DECIMAL = /^0?\.\d{1,12}$/;

/** Reads the query of an operation that offers `support`. */
export function checkQuery(sent: URLSearchParams, support: QuerySupport): Checked<OperationQuery> {
  const faults: Fault[] = [...unknownParameters(sent, NAMES)];
  const value = (name: Name): string | undefined => {
    faults.push(...repeatedParameter(sent, name));
    return sent.get(name) ?? undefined;
  };
  const refuse = (name: Name, bound: string, got: string) =>
    faults.push({ path: `query.${name}`, message: `${name} must be ${bound}; got ${show(got)}` });

  const include = new Set<IncludedMember>();
  const list = value('include');
  for (const item of list?.split(',') ?? []) {
    const member = INCLUDED_MEMBERS.find(known => known === item);
    if (member === undefined)
      refuse('include', `a list of ${INCLUDED_MEMBERS.join(', ')}, with commas between`, item);
    else if (include.has(member)) refuse('include', 'a list without repeats', item);
    else if (!support.include.includes(member))
      refuse('include', `a list of what this operation offers: ${support.include.join(', ')}`, item);
    else include.add(member);
  }
  const level = value('confidence');
  const confidence = level === undefined ? DEFAULT_QUERY.confidence : Number(level);
  if (level !== undefined && !(DECIMAL.test(level) && confidence > 0.5))
    refuse('confidence', 'a decimal number above 0.5 and below 1 with at most 12 decimals', level);
  const named = value('sampling');
  const sampling = support.sampling.find(known => known === named);
  if (named !== undefined && sampling === undefined) {
    const bound =
      support.sampling.length === 0
        ? 'absent, because this operation has one sampling only'
        : support.sampling.join(', ');
    refuse('sampling', bound, named);
  }
  // The counts of a distribution have no weights.
  if (sampling === 'tail' && include.has('distribution'))
    refuse('include', 'a list without distribution where sampling is tail', 'distribution');
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value: { include, confidence, sampling: sampling ?? DEFAULT_QUERY.sampling } };
}

/** A fault where a parameter is given more than once. */
export function repeatedParameter(sent: URLSearchParams, name: string): Fault[] {
  const { length } = sent.getAll(name);
  if (length < 2) return [];
  return [{ path: `query.${name}`, message: `${name} is given ${length} times; once is allowed` }];
}

/** A fault for each parameter that is not known, of many for some and their number. */
export function unknownParameters(sent: URLSearchParams, names: readonly string[]): Fault[] {
  const unknown = [...new Set(sent.keys())].filter(name => !names.includes(name));
  const told = unknown.slice(0, MAX_UNKNOWN).map((name): Fault => {
    const path = dottedPath(['query', name]);
    return { path, message: `${path} is an unknown parameter; known here are ${names.join(', ')}` };
  });
  const more = unknown.length - told.length;
  return more === 0
    ? told
    : [...told, { path: 'query', message: `The query has ${more} more unknown parameters` }];
}
