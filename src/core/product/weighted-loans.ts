/** Sums of a loan under the weights of its paths and under their squares (core/stats/weighted.ts). */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL, FLAG_UNDERWATER } from '../engine.ts';
import { isShifted } from '../plan/model/gbm-shifted.ts';
import { LOAN_QUANTITIES } from '../plan/product/loan.ts';
import type { LoanOnPath } from './loan-under-way.ts';

export class WeightedLoans {
  /** Sums of all paths under the weights, of odd paths alone, and of all paths under the squared weights. */
  readonly sums = new Float64Array(3 * LOAN_QUANTITIES.length);
  private readonly values = new Float64Array(LOAN_QUANTITIES.length);

  /** @param path its number; @param closedSteps steps of the term after the end of the loan */
  add(
    path: number,
    { flags, topUps, topUpAmount, weight }: LoanOnPath,
    closedSteps: number,
    loss: number,
  ): void {
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
