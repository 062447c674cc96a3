/**
 * What an answer warns of: figures that are right by their definition and yet easily read for more than they are.
 */

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
  /** Prices were carried forward over holes. */
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
