/** What `book` is asked for, as its options are read. */
import type { Day } from '../calendar-date.ts';
import type { MethodologyName } from '../methodology/methodologies.ts';
import type { TapeOptions } from '../tape/read-tape.ts';

/** In the place of a file to compare with: the last run of the folder. */
export const LAST = 'last';

export interface BookOptions {
  readonly tape: TapeOptions;
  /** Of a spreadsheet. */
  readonly sheet?: string;
  readonly skipFaulty: boolean;
  /** Last day of the data. */
  readonly asOf?: Day;
  readonly horizonDays: number;
  /** The first is that of the headline. */
  readonly types: readonly MethodologyName[];
  readonly lookbackDays: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelayHours: number;
  readonly saleCost: number;
  readonly seed: number;
  /** Falls of all prices that are tried, fractions; nothing is stressed where there are none. */
  readonly falls: readonly number[];
  /** Days of the back-test; 0 for none. */
  readonly backtestDays: number;
  readonly title: string;
  /** Folder to which a dated run is added. */
  readonly runs?: string;
  /** Address that is told of breaches and failures; a secret. */
  readonly notify?: string;
  /** File of an earlier result, which this one is compared with, or `LAST`. */
  readonly compare?: string;
  /** File of limits. */
  readonly limits?: string;
  /** Files to write; `-` is standard output. */
  readonly html?: string;
  readonly json?: string;
  readonly csv?: string;
  /** The command line that makes this again. */
  readonly command: string;
}
