/** The flags of loans on paths. */
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type PathRecords,
} from '#src/core/engine.js';
import type { LoanProduct } from '#src/core/plan/simulation-plan.js';

interface LoanEvents {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  readonly underwater: boolean;
}

/** The flags of a loan on one path of the rules. */
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

/** Sums of the ends of loans that the outcome of a run has, from its records. */
export function endSums({ steps, start }: LoanProduct, { endStep }: PathRecords) {
  const count = (is: (step: number) => boolean) => endStep.reduce((sum, step) => sum + Number(is(step)), 0);
  const deadline = start?.status === 'called' ? start.deadlineStep : -1;
  return {
    openSteps: endStep.reduce((sum, step) => sum + step, 0),
    closedStepSquares: endStep.reduce((sum, step) => sum + (steps - step) ** 2, 0),
    earlyEnds: count(step => step < steps),
    deadlineEnds: count(step => step === deadline),
  };
}
