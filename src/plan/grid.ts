/**
 * Durations in days and hours as steps of an hourly or a daily grid (methodology 1.5 and 3.4).
 */

/** Hours per step of a simulation or of a historical series. */
export type GridHours = 1 | 24;

/** Steps of a term: round(24 d) hours or round(d) days, at least 1. */
export function stepsOfDays(days: number, gridHours: GridHours): number {
  return Math.max(1, Math.round((24 * days) / gridHours));
}

/** Steps of a grace period: rounded up to whole hours, on a daily grid to whole days. */
export function graceSteps(hours: number, gridHours: GridHours): number {
  return Math.ceil(Math.ceil(hours) / gridHours);
}
