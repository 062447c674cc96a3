/** A closing rule: what one pass closes (docs/accounts.md, "Closing"). Each rule is a file of this folder. */
import type { CloseTerms } from '../../plan/product/account.ts';
import type { AccountState } from '../account-state.ts';

/** An event of a path: what is decided, at which prices, and what the passes so far have done. */
export interface ClosingEvent {
  /** Evaluated at `prices`. */
  readonly state: AccountState;
  /** The deciding prices. */
  readonly prices: Float64Array;
  readonly terms: CloseTerms;
  /** Deficit beyond that at the deciding prices, USD: how far the account was below at its lowest point. */
  further: number;
  /** Fee for closing everything, USD. */
  feeOfAll: number;
  /** Rows that have had a turn in this event. */
  readonly turned: Uint8Array;
  /** The row of the latest turn; -1 before the first one. */
  turn: number;
}

export interface ClosingRule {
  /** Sets the share of what is open of each row that this pass closes. @param shares all 0 */
  readonly pass: (event: ClosingEvent, shares: Float64Array) => void;
  /** Whether a pass that leaves little closes that, too. */
  readonly closesRemainders: boolean;
}

/** Shares by which values may differ and still be equal: two equal legs fall in the order sent on every engine. */
const EQUAL = 2 ** -16;

/** The row of the largest value among rows; in order, a later one leads only by more than a share 2^-16. -1 for none. */
export function leading(values: Float64Array, isTaken: (row: number) => boolean): number {
  let lead = -1;
  for (let i = 0; i < values.length; i++) {
    if (!isTaken(i)) continue;
    if (lead < 0 || values[i] > values[lead] + EQUAL * Math.abs(values[lead])) lead = i;
  }
  return lead;
}
