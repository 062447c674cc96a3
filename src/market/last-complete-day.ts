/** The last day of a window: a pure rule of the analysis day and the present moment. */
import { type Day, dayOf } from '../text/calendar-date.ts';

/** The day of the last close of a window: the analysis day, or yesterday if that is today, which has no close yet. */
export function lastCompleteDay(analysisDay: Day, now: Date): Day {
  return Math.min(analysisDay, dayOf(now) - 1);
}
