/** The query of an operation: further members of the answer, and the sampling of paths; or every fault at `query.<name>`. */
import type { Fault, FaultCode } from '../../core/errors.ts';
import { dottedPath, show } from '../../text/message.ts';
import type { Checked } from './parse.ts';

/** Members that an answer can have beside `Arguments`, the result and the version, as `include` names them. */
export const INCLUDED_MEMBERS = [
  'accuracy',
  'calls',
  'distribution',
  'loans',
  'model',
  'path',
  'plan',
  'scenario',
  'warnings',
] as const;
export type IncludedMember = (typeof INCLUDED_MEMBERS)[number];

/**
 * Draws of the paths: `random` by the counter-based generator, `sobol` at scrambled quasi-random points, `tail` random with every second
 * path shifted towards losses.
 */
export type Sampling = 'random' | 'sobol' | 'tail';

/** One scenario of a run: by its rank among the losses, 1 the largest, or the one at a level of the losses, 0 < level < 1. */
export type ChosenScenario = { readonly rank: number } | { readonly level: number };

export interface OperationQuery {
  readonly include: ReadonlySet<IncludedMember>;
  /** Level of the intervals of `accuracy`, 0.5 < confidence < 1. */
  readonly confidence: number;
  readonly sampling: Sampling;
  /** Of `include=scenario`. */
  readonly scenario: ChosenScenario;
}

/** The values that the query of an operation may have. */
export interface QuerySupport {
  readonly include: readonly IncludedMember[];
  /** Samplings beside `random`. */
  readonly sampling: readonly Exclude<Sampling, 'random'>[];
}

/** The query of a request without one. */
export const DEFAULT_QUERY: OperationQuery = {
  include: new Set(),
  confidence: 0.95,
  sampling: 'random',
  scenario: { rank: 1 },
};

/** Parameters, and members of `OperationQuery`. */
const NAMES = ['include', 'confidence', 'sampling'] as const;
type Name = keyof OperationQuery;

/** Most reported unknown names. */
const MAX_UNKNOWN = 50;
/** Longer decimals of a level change no interval visibly. */
const DECIMAL = /^0?\.\d{1,12}$/;
const RANK = /^[1-9]\d{0,8}$/;

/** Reads the query of an operation. */
export function checkQuery(sent: URLSearchParams, support: QuerySupport): Checked<OperationQuery> {
  const known = support.include.includes('scenario') ? [...NAMES, 'scenario'] : NAMES;
  const faults: Fault[] = [...unknownParameters(sent, known)];
  const value = (name: Name): string | undefined => {
    faults.push(...repeatedParameter(sent, name));
    return sent.get(name) ?? undefined;
  };
  const refuse = (code: FaultCode, name: Name, bound: string, got: string) =>
    faults.push({ code, path: `query.${name}`, message: `${name} must be ${bound}; got ${show(got)}` });

  const include = new Set<IncludedMember>();
  const list = value('include');
  for (const item of list?.split(',') ?? []) {
    const member = INCLUDED_MEMBERS.find(each => each === item);
    if (member === undefined)
      refuse(
        'unknown_value',
        'include',
        `a list of ${INCLUDED_MEMBERS.join(', ')}, with commas between`,
        item,
      );
    else if (include.has(member)) refuse('repeated', 'include', 'a list without repeats', item);
    else if (!support.include.includes(member))
      refuse(
        'not_supported',
        'include',
        `a list of what this operation offers: ${support.include.join(', ')}`,
        item,
      );
    else include.add(member);
  }
  const level = value('confidence');
  const confidence = level === undefined ? DEFAULT_QUERY.confidence : Number(level);
  if (level !== undefined && !(DECIMAL.test(level) && confidence > 0.5))
    refuse(
      'out_of_range',
      'confidence',
      'a decimal number above 0.5 and below 1 with at most 12 decimals',
      level,
    );
  const named = value('sampling');
  const sampling = support.sampling.find(each => each === named);
  if (named !== undefined && sampling === undefined) {
    const bound =
      support.sampling.length === 0
        ? 'absent, because this operation has one sampling only'
        : support.sampling.join(', ');
    refuse(support.sampling.length === 0 ? 'not_supported' : 'unknown_value', 'sampling', bound, named);
  }
  // The counts of a distribution have no weights.
  if (sampling === 'tail' && include.has('distribution'))
    refuse('not_allowed', 'include', 'a list without distribution where sampling is tail', 'distribution');
  const chosen = support.include.includes('scenario') ? value('scenario') : undefined;
  const scenario = chosen === undefined ? DEFAULT_QUERY.scenario : scenarioOf(chosen);
  if (chosen !== undefined && !include.has('scenario'))
    refuse('not_allowed', 'scenario', 'absent where include does not name scenario', chosen);
  else if (scenario === undefined)
    refuse(
      'out_of_range',
      'scenario',
      'worst, a rank from 1 (the largest loss), or a level above 0 and below 1 such as 0.99',
      chosen ?? '',
    );
  if (faults.length > 0 || scenario === undefined) return { ok: false, faults };
  return { ok: true, value: { include, confidence, sampling: sampling ?? DEFAULT_QUERY.sampling, scenario } };
}

function scenarioOf(chosen: string): ChosenScenario | undefined {
  if (chosen === 'worst') return { rank: 1 };
  if (RANK.test(chosen)) return { rank: Number(chosen) };
  return DECIMAL.test(chosen) && Number(chosen) > 0 ? { level: Number(chosen) } : undefined;
}

/** The fault of a repeated parameter. */
export function repeatedParameter(sent: URLSearchParams, name: string): Fault[] {
  const { length } = sent.getAll(name);
  if (length < 2) return [];
  return [
    { code: 'repeated', path: `query.${name}`, message: `${name} is given ${length} times; once is allowed` },
  ];
}

/** A fault for each unknown parameter; of many, for the first ones and their number. */
export function unknownParameters(sent: URLSearchParams, names: readonly string[]): Fault[] {
  const unknown = [...new Set(sent.keys())].filter(name => !names.includes(name));
  const listed = unknown.slice(0, MAX_UNKNOWN).map((name): Fault => {
    const path = dottedPath(['query', name]);
    return {
      code: 'unknown_member',
      path,
      message: `${path} is an unknown parameter; known here are ${names.join(', ')}`,
    };
  });
  const more = unknown.length - listed.length;
  return more === 0
    ? listed
    : [
        ...listed,
        { code: 'more_faults', path: 'query', message: `The query has ${more} more unknown parameters` },
      ];
}
