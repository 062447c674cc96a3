/**
 * The processed request as `Arguments` shows it.
 */
import { type Day, formatCalendarDate } from '../calendar-date.ts';

/** The members of a request with values as used, the date in the interface's form, and what the operation adds. */
export function processedArguments(
  params: { readonly analysis_date: Day } & Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...params, analysis_date: formatCalendarDate(params.analysis_date), ...added };
}
