/** Durations in days and hours as steps of an hourly or a daily grid (methodology 1.5 and 3.4). */

/** Hours of a year of 365 days. */
export const HOURS_PER_YEAR = 8760;
/** Hours of a day: steps that share a day's draw in the models that have one. */
export const HOURS_PER_DAY = 24;
export const DAYS_PER_YEAR = 365;
/** Steps of a path at most: ten years of hours. */
export const MAX_STEPS = 87_600;

/** Hours per step of a simulation or of a historical series. */
export type GridHours = 1 | 24;

/** The nearest number of steps, round(24 d) hours or round(d) days; 0 for a term under half a step. */
export function roundedSteps(days: number, gridHours: GridHours): number {
  return Math.round((24 * days) / gridHours);
}

/** Steps of a simulated term: the nearest number of them, at least 1. */
export function stepsOfDays(days: number, gridHours: GridHours): number {
  return Math.max(1, roundedSteps(days, gridHours));
}

/** Steps of a grace period: rounded up to whole hours, on a daily grid to whole days. */
export function graceSteps(hours: number, gridHours: GridHours): number {
  return Math.ceil(Math.ceil(hours) / gridHours);
}
