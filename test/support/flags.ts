/** The flags of loans on paths. */
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type PathRecords,
} from '#src/core/engine.js';

interface LoanEvents {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  readonly underwater: boolean;
}

/** The flags of a plain loan on one path. */
export const flagsOf = ({ marginCall, liquidation, closeout, underwater }: LoanEvents) =>
  (marginCall ? FLAG_MARGIN_CALL : 0) |
  (liquidation ? FLAG_LIQUIDATION : 0) |
  (closeout ? FLAG_CLOSEOUT : 0) |
  (underwater ? FLAG_UNDERWATER : 0);

/** The number of paths with each flag, by the names of an outcome. */
export function flagCounts({ flags }: PathRecords) {
  const count = (flag: number) => flags.filter(each => each & flag).length;
  return {
    marginCalls: count(FLAG_MARGIN_CALL),
    liquidations: count(FLAG_LIQUIDATION),
    closeouts: count(FLAG_CLOSEOUT),
    underwater: count(FLAG_UNDERWATER),
  };
}

export const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
