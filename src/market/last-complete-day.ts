/** The last day of a window: a pure rule of the analysis day and the present moment. */
import { type Day, dayOf } from '../calendar-date.ts';

/**
 * The day with whose close a window ends: the analysis day, or yesterday if that is today, whose close is
 * still to come.
 */
export function lastCompleteDay(analysisDay: Day, now: Date): Day {
  return Math.min(analysisDay, dayOf(now) - 1);
}
