/** The prices that the resolution of a request asks a market for. */
import type { Day } from '../../text/calendar-date.ts';

/** A close of an asset, or the reason for its absence. */
export type Close =
  | { readonly price: number; readonly carried: boolean }
  | { readonly missing: string; readonly young?: boolean };
export type Closes = ReadonlyMap<string, Close>;

/** Closes at the end of the window of a request. */
export interface WantedPrices {
  /** At most `MAX_SYMBOLS`. */
  readonly symbols: readonly string[];
  /** `analysis_date`, where it is a day. */
  readonly date: Day | undefined;
  /** Closes that are needed, the last of them that of `date`; 1 where absent. */
  readonly closes?: number;
  /** The asset that stands in for another before its first close. */
  readonly standIns?: Readonly<Record<string, string>>;
}
export type PricesOf = (wanted: WantedPrices) => Promise<Closes>;

export const NO_CLOSES: Closes = new Map();
