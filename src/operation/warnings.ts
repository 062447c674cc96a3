/**
 * What an answer warns of: figures that are right by their definition and yet easily read for more than they are.
 */

import type { FilledSeries } from '../market/market-data.ts';

/** The closed list of codes; `x-warnings` and `Warnings` show them as they stand. */
export type WarningCode =
  /** A tail figure rests on few scenarios. */
  | 'few-tail-scenarios'
  /** HISTORICAL has few windows that do not overlap. */
  | 'few-windows'
  /** A GARCH parameter lies on a bound of its range. */
  | 'garch-bound'
  /** The degrees of freedom of Student's t lie on a bound of their range. */
  | 'nu-bound'
  /** A quarter of the closes of a window or more were carried forward over holes. */
  | 'filled'
  /** The grid of HISTORICAL is daily. */
  | 'daily-grid'
  /** Most paths end closed out. */
  | 'mostly-closed-out'
  /** The score of an origination jumps over its target. */
  | 'stair-spans-target';

export interface Warning {
  readonly code: WarningCode;
  /** A sentence for the caller: what is the case, and what it does to which figures. */
  readonly message: string;
}

/** Share of a window that may be carried forward without a warning. */
const MOST_CARRIED = 0.25;

/** One warning for each series of which a quarter of the window or more was carried: a carried close is a return of 0. */
export const filledWarnings = (filled: readonly FilledSeries[]): readonly Warning[] =>
  filled.flatMap(({ symbol, count, unit, of }): Warning[] =>
    of === undefined || count < MOST_CARRIED * of
      ? []
      : [
          {
            code: 'filled',
            message:
              `${count} of the ${of} ${unit === 'hour' ? 'hourly' : 'daily'} closes of ${symbol} were carried forward over holes. ` +
              `Their returns are 0: its volatility and its correlations are understated.`,
          },
        ],
  );
