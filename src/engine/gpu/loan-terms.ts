/**
 * The terms that every loan on the GPU begins with: its thresholds of C/L, and the time to meet a call.
 *
 * Takes: a loan and the layout of its shader's `Terms`. Gives: the struct with these members filled in.
 */
import type { LoanTerms } from '../../plan/simulation-plan.ts';
import type { StructLayout } from './parameters.ts';

type Member = 'margin_call' | 'liquidation' | 'recovery' | 'underwater' | 'nominal_ratio' | 'top_up_steps';

/** A layout that has these members. */
export interface LoanTermsLayout extends StructLayout {
  readonly fields: Readonly<Record<Member, number>>;
}

/** @param log whether the path's value is log2(C/L), and the thresholds with it */
export function packLoanTerms(
  { fields, size }: LoanTermsLayout,
  loan: LoanTerms,
  log: boolean,
): Float32Array<ArrayBuffer> {
  const { nominalRatio } = loan;
  const threshold = (ratio: number) => (log ? Math.log2(ratio / nominalRatio) : ratio / nominalRatio);
  const packed = new Float32Array(Math.ceil(size / 16) * 4);
  packed[fields.margin_call / 4] = threshold(loan.marginCallRatio);
  packed[fields.liquidation / 4] = threshold(loan.liquidationRatio);
  packed[fields.recovery / 4] = threshold(loan.recoveryRatio);
  packed[fields.underwater / 4] = threshold(1);
  packed[fields.nominal_ratio / 4] = nominalRatio;
  new Uint32Array(packed.buffer)[fields.top_up_steps / 4] = loan.topUpSteps;
  return packed;
}
