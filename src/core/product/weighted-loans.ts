/**
 * Loans whose paths have weights: sums under the weights and under their squares, from which follow figures, their
 * errors, and how many plain paths would be as sure (core/stats/weighted.ts).
 */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL, FLAG_UNDERWATER } from '../engine.ts';
import { isShifted } from '../plan/model/gbm-shifted.ts';
import { LOAN_QUANTITIES } from '../plan/product/weighted-loan.ts';

/** Result of the loan on one path. */
interface LoanOnPath {
  readonly flags: number;
  /** Steps of the term after the end of the loan. */
  readonly closedSteps: number;
  readonly loss: number;
  readonly topUps: number;
  readonly topUpAmount: number;
}

/** Adds up paths one by one. */
export class WeightedLoans {
  /** Sums under the weights, those of odd paths alone, then those under the squares of the weights. */
  readonly sums = new Float64Array(3 * LOAN_QUANTITIES.length);
  private readonly values = new Float64Array(LOAN_QUANTITIES.length);

  /** @param path its number, and @param weight */
  add(path: number, weight: number, { flags, closedSteps, loss, topUps, topUpAmount }: LoanOnPath): void {
    const { values, sums } = this;
    values[0] = 1;
    values[1] = flags & FLAG_MARGIN_CALL ? 1 : 0;
    values[2] = flags & FLAG_LIQUIDATION ? 1 : 0;
    values[3] = flags & FLAG_CLOSEOUT ? 1 : 0;
    values[4] = flags & FLAG_UNDERWATER ? 1 : 0;
    values[5] = closedSteps;
    values[6] = closedSteps * closedSteps;
    values[7] = loss;
    values[8] = loss * loss;
    values[9] = topUps > 0 ? 1 : 0;
    values[10] = topUpAmount;
    values[11] = topUpAmount * topUpAmount;
    for (let i = 0; i < values.length; i++) {
      const weighed = weight * values[i];
      sums[i] += weighed;
      if (isShifted(path)) sums[values.length + i] += weighed;
      sums[2 * values.length + i] += weight * weighed;
    }
  }
}
