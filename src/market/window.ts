/**
 * Windows of one series, and the rule for its gaps.
 *
 * Takes: a series with gaps. Gives: a window without, the carried points, and the runs that are too long.
 * Must not know: assets, dates, requests.
 */
import { type Series, valueAt } from './series.ts';

/** How many missing points in a row may be carried forward. */
export interface CarryRule {
  /** Inside a window, and before its first point. */
  readonly longestRun: number;
  /** In a run that reaches the window's end, where no later point follows. */
  readonly longestEnd: number;
}

/** Daily closes: 3 in a row; a series may stop 2 days before the window does. */
export const DAILY_CARRY: CarryRule = { longestRun: 3, longestEnd: 2 };
/** Daily closes of a currency with five closes a week: a weekend and the holidays beside it, Easter or Christmas. */
export const WEEKDAY_CARRY: CarryRule = { longestRun: 5, longestEnd: 4 };
/** Hourly closes: 6 in a row, wherever they are. */
export const HOURLY_CARRY: CarryRule = { longestRun: 6, longestEnd: 6 };
/** Volumes: none. */
export const NO_CARRY: CarryRule = { longestRun: 0, longestEnd: 0 };

/** Grid points from `first` to `last`, both included. */
export interface Run {
  readonly first: number;
  readonly last: number;
}

export interface Window {
  /** A copy of the requested length; NaN in the missing runs. */
  readonly values: Float64Array;
  /** Points of the window, from 0, whose value was carried. */
  readonly carried: readonly number[];
  /** Runs within the window that are too long to carry. */
  readonly missing: readonly Run[];
}

/**
 * The points first .. first + count - 1 of a series. A missing value is the last one before it, if the rule allows the length of
 * the run; a run at the window's start is counted from the last value before the window. Nothing after the window is read.
 */
export function cutWindow(series: Series, first: number, count: number, rule: CarryRule): Window {
  const values = new Float64Array(count);
  const missing: Run[] = [];
  const last = first + count - 1;
  const carried: number[] = [];
  let known = first - 1;
  while (known >= first - rule.longestRun && Number.isNaN(valueAt(series, known))) known--;
  for (let point = first; point <= last; point++) {
    values[point - first] = valueAt(series, point);
    if (!Number.isNaN(values[point - first])) {
      known = point;
      continue;
    }
    const start = point;
    while (point < last && Number.isNaN(valueAt(series, point + 1))) point++;
    const canCarry = point - known <= (point === last ? rule.longestEnd : rule.longestRun);
    values.fill(canCarry ? valueAt(series, known) : Number.NaN, start - first, point - first + 1);
    if (canCarry) for (let at = start; at <= point; at++) carried.push(at - first);
    else missing.push({ first: start, last: point });
  }
  return { values, carried, missing };
}
