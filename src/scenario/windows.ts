/** The windows of history that every server can replay. */
import { type Hour, parseHour } from '../text/calendar-date.ts';

/** A range of hours that is replayed. */
export interface ReplayWindow {
  /** End of the bar whose close is the first price. */
  readonly from: Hour;
  /** Hours after it, 1 or more. */
  readonly hours: number;
}

export interface LibraryWindow extends ReplayWindow {
  readonly name: string;
  /** For people. */
  readonly title: string;
}

const window = (name: string, title: string, from: string, hours: number): LibraryWindow => ({
  name,
  title,
  from: parseHour(from) as Hour,
  hours,
});

/** Falls of the last years. Each window contains the fall and the first rebound. */
export const LIBRARY_WINDOWS: readonly LibraryWindow[] = [
  window('covid-2020', 'Fall of all markets, March 2020', '2020-03-11T00:00Z', 96),
  window('may-2021', 'Deleveraging of May 2021', '2021-05-18T12:00Z', 144),
  window('luna-2022', 'Collapse of Terra, May 2022', '2022-05-09T00:00Z', 96),
  window('ftx-2022', 'Collapse of FTX, November 2022', '2022-11-07T00:00Z', 96),
  window('august-2024', 'Unwinding of the yen carry trade, August 2024', '2024-08-02T00:00Z', 96),
  window('october-2025', 'Liquidations of 10 October 2025', '2025-10-10T12:00Z', 48),
  window('february-2026', 'Fall of February 2026', '2026-02-03T00:00Z', 96),
];

/** Assets whose hourly prices are in the program. */
export const LIBRARY_ASSETS = ['BTC', 'ETH', 'SOL'] as const;

/** Hours with closes after a window, in which open orders are executed. */
export const HOURS_AFTER = 720;
