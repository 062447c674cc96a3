/**
 * Programs of loans whose paths have weights: those of other loans with weighted sums (shaders/product/weighted_loan.wgsl).
 */
import { LOAN_QUANTITIES } from '../../plan/product/loan.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import { readSums } from '../results.ts';
import type { LoanProgram } from './loan-program.ts';

/** The file of the program of a loan for paths of equal weight. */
const UNWEIGHTED_FILE = 'kernel/unweighted.wgsl';

/** A program of a loan for paths that have weights; it counts no distribution. */
export function weightedLoan(loan: LoanProgram<LoanProduct>): LoanProgram<LoanProduct> {
  const { counting: _, ...rest } = loan;
  const { program } = loan;
  // In the order of core/product/weighted-loans.ts: under the weights, those of odd paths alone, under their squares.
  const sums = { ...program.sums, weighted: { fineAmounts: 3 * LOAN_QUANTITIES.length } };
  return {
    ...rest,
    program: {
      ...program,
      name: `${program.name} weighted`,
      files: [...program.files.filter(each => each !== UNWEIGHTED_FILE), 'product/weighted_loan.wgsl'],
      sums,
      weighs: true,
      constants: { ...program.constants, WEIGHED_QUANTITIES: LOAN_QUANTITIES.length },
    },
    outcomeOf: (words, common, product) => ({
      ...loan.outcomeOf(words, common, product),
      weighted: readSums(sums, words).weighted,
    }),
  };
}
