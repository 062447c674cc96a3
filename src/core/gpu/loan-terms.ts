/**
 * The terms that every loan on the GPU begins with: its domain, its thresholds of C/L, and the time to meet a call.
 *
 * Takes: a loan and the layout of its shader's `Terms`. Gives: the struct with these members filled in.
 */
import type { LoanTerms } from '../plan/loan-terms.ts';
import type { Portfolio } from '../plan/portfolio.ts';
import { assetPair, ratioThresholds } from '../plan/ratio-path.ts';
import { type StructLayout, uniformWords } from './struct-layout.ts';

type Member = 'margin_call' | 'liquidation' | 'recovery' | 'underwater' | 'nominal_ratio' | 'top_up_steps';

/** A layout that has these members. */
export interface LoanTermsLayout extends StructLayout {
  readonly fields: Readonly<Record<Member, number>>;
}

/** The domain in which the GPU follows the paths of a portfolio. */
export function gpuDomain(portfolio: Portfolio): 'ratio' | 'log2' {
  return assetPair(portfolio) === undefined ? 'ratio' : 'log2';
}

/** A value of that domain as C/L. */
export function fromDomain(domain: 'ratio' | 'log2', value: number): number {
  return domain === 'log2' ? 2 ** value : value;
}

export function packLoanTerms(
  layout: LoanTermsLayout,
  loan: LoanTerms,
  domain: 'ratio' | 'log2',
): Float32Array<ArrayBuffer> {
  const { fields } = layout;
  const { liquidation, marginCall, recovery, underwater } = ratioThresholds(loan, domain);
  const packed = uniformWords(layout);
  packed[fields.margin_call / 4] = marginCall;
  packed[fields.liquidation / 4] = liquidation;
  packed[fields.recovery / 4] = recovery;
  packed[fields.underwater / 4] = underwater;
  packed[fields.nominal_ratio / 4] = loan.nominalRatio;
  new Uint32Array(packed.buffer)[fields.top_up_steps / 4] = loan.topUpSteps;
  return packed;
}
