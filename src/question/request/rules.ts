/**
 * Rules between members of one object.
 *
 * Takes: an object whose members are read, or resolved. Gives: one fault per broken rule. A rule is checked together with single members if
 * the members that it needs have no faults.
 */
import type { z } from 'zod';
import { type Day, formatCalendarDate } from '../../text/calendar-date.ts';
import { issue } from '../../text/message.ts';
import { MAX_SYMBOLS } from '../../text/symbols.ts';
import type { WeightMap } from './weight-map.ts';

/** A rule, and the members that it reads: a fault of one of them skips it. */
export interface Rule<T> {
  readonly needs: readonly string[];
  broken(value: T): ReturnType<typeof issue> | undefined;
}

/** What is faulty. */
export interface Flaw {
  readonly code?: string | undefined;
  readonly path?: readonly PropertyKey[] | undefined;
}

/** `schema` with rules between its members as they are sent. */
export function withRules<S extends z.ZodType>(schema: S, ...rules: Rule<z.output<S>>[]): S {
  return rules.reduce(
    (stricter, { needs, broken }) =>
      stricter.superRefine(
        (value, context) => {
          const found = broken(value);
          if (found !== undefined) context.addIssue(found);
        },
        { when: ({ issues }) => !issues.some(raw => needs.some(needed => touches(raw, needed.split('.')))) },
      ),
    schema,
  );
}

/**
 * A rule: the member `at` must be `bound(value)`; the fault of a value that is not `valid` has `got(value)`.
 */
export function rule<T>(
  needs: readonly string[],
  at: string | ((value: T) => string),
  valid: (value: T) => boolean,
  bound: (value: T) => string,
  got: (value: T) => string | number,
): Rule<T> {
  return {
    needs,
    broken(value) {
      if (valid(value)) return undefined;
      const path = typeof at === 'string' ? at : at(value);
      return issue('inconsistent', path.split('.'), bound(value), value, String(got(value)));
    },
  };
}

/** Whether an issue lies at the member `needed`, above it or below it. An unknown member affects no other. */
export function touches({ code, path = [] }: Flaw, needed: readonly string[]): boolean {
  return code !== 'unrecognized_keys' && needed.every((part, i) => i >= path.length || path[i] === part);
}

/** Distinct symbols of two maps. */
export const symbolsOf = (first: WeightMap, second: WeightMap = {}): readonly string[] => [
  ...new Set([...Object.keys(first), ...Object.keys(second)]),
];

/** At most 32 distinct symbols over two maps. */
function fewSymbols<First extends string, Second extends string>(first: First, second: Second) {
  type Maps = Readonly<Record<First, WeightMap> & Partial<Record<Second, WeightMap | undefined>>>;
  const count = (maps: Maps) => symbolsOf(maps[first], maps[second]).length;
  return rule<Maps>(
    [first, second],
    second,
    maps => count(maps) <= MAX_SYMBOLS,
    () => `such that both maps name at most ${MAX_SYMBOLS} distinct symbols`,
    maps => `${count(maps)} of them`,
  );
}
export const fewDistinctSymbols = fewSymbols('collateral_weights', 'loan_weights');
export const fewSymbolsOfPosition = fewSymbols('weights', 'short_weights');

interface Position {
  readonly weights: WeightMap;
  readonly short_weights?: WeightMap | undefined;
}

/** Both sides of a position differ: equal sides have no value to forecast. */
export const shortIsOfOthers = rule<Position>(
  ['weights', 'short_weights'],
  'short_weights',
  ({ weights, short_weights }) => JSON.stringify(weights) !== JSON.stringify(short_weights),
  () => 'other assets, or other shares of them, than weights has',
  () => 'the same',
);

interface ForecastDays {
  readonly from: Day;
  readonly to: Day;
  readonly horizon: number;
}

/** Most forecasts of a back-test. */
const MAX_FORECASTS = 3650;

/** The close that judges the last forecast is known: the day of `to` plus `horizon` is over. */
export const lastForecastIsJudged = (today: Day) =>
  rule<ForecastDays>(
    ['to', 'horizon'],
    'to',
    ({ to, horizon }) => to + horizon < today,
    ({ horizon }) =>
      `at most ${formatCalendarDate(today - 1 - horizon)}, so that the close of ${horizon} ${horizon === 1 ? 'day' : 'days'} later is known`,
    ({ to }) => formatCalendarDate(to),
  );

/** Two forecasts or more whose horizons do not overlap. */
export const enoughForecasts = rule<ForecastDays>(
  ['from', 'to', 'horizon'],
  'to',
  ({ from, to, horizon }) => to - from >= horizon,
  ({ horizon }) => `at least the horizon (${horizon}) in days after from`,
  ({ to }) => formatCalendarDate(to),
);

/** At most ten years of forecasts. */
export const fewForecasts = rule<ForecastDays>(
  ['from', 'to'],
  'from',
  ({ from, to }) => to - from < MAX_FORECASTS,
  () => `such that there are at most ${MAX_FORECASTS} days up to to`,
  ({ from, to }) => `${to - from + 1} of them`,
);

interface Search {
  readonly score_variable: string;
  readonly score_target: number;
  readonly variable_min: number;
  readonly variable_max: number;
}

/** variable_min < variable_max. */
export const searchRangeNotEmpty = rule<Pick<Search, 'variable_min' | 'variable_max'>>(
  ['variable_min', 'variable_max'],
  'variable_max',
  ({ variable_min, variable_max }) => variable_min < variable_max,
  ({ variable_min }) => `above variable_min (${variable_min})`,
  ({ variable_max }) => variable_max,
);

/** The largest target of a score that is a share or a percentage. */
const mostScore = (score: string) => (score === 'ExpectedLossPct' ? 100 : 1);

/** A probability from 0 to 1, a percentage, or a coverage ratio above 0. */
export const targetFitsScore = rule<Pick<Search, 'score_variable' | 'score_target'>>(
  ['score_variable', 'score_target'],
  'score_target',
  ({ score_variable, score_target }) =>
    score_variable === 'WorstCaseCCR'
      ? score_target > 0
      : score_target >= 0 && score_target <= mostScore(score_variable),
  ({ score_variable }) =>
    score_variable === 'WorstCaseCCR'
      ? 'above 0 for WorstCaseCCR'
      : `from 0 to ${mostScore(score_variable)} for ${score_variable}`,
  ({ score_target }) => score_target,
);

/** variable_max > L: the search has candidates above L only. */
export const searchRangeAboveLiquidation = rule<{ L: number; opt_param: Pick<Search, 'variable_max'> }>(
  ['L', 'opt_param.variable_max'],
  'opt_param.variable_max',
  ({ L, opt_param }) => opt_param.variable_max > L,
  ({ L }) => `above L (${L})`,
  ({ opt_param }) => opt_param.variable_max,
);

interface FixedRatios {
  readonly M?: number | string | undefined;
  readonly R?: number | string | undefined;
}

/** A fixed M or R lies inside the range of the search. */
export const fixedRatioInRange = (name: 'M' | 'R') =>
  rule<Pick<Search, 'variable_min' | 'variable_max'> & FixedRatios>(
    [name, 'variable_min', 'variable_max'],
    name,
    ({ [name]: fixed, variable_min, variable_max }) =>
      typeof fixed !== 'number' || (fixed >= variable_min && fixed <= variable_max),
    ({ variable_min, variable_max }) =>
      `from variable_min (${variable_min}) to variable_max (${variable_max})`,
    ({ [name]: fixed }) => String(fixed),
  );

/** A fixed M or R lies above L. */
export const fixedRatioAboveLiquidation = (name: 'M' | 'R') =>
  rule<{ L: number; opt_param: FixedRatios }>(
    ['L', `opt_param.${name}`],
    `opt_param.${name}`,
    ({ L, opt_param: { [name]: fixed } }) => typeof fixed !== 'number' || fixed > L,
    ({ L }) => `above L (${L})`,
    ({ opt_param: { [name]: fixed } }) => String(fixed),
  );
