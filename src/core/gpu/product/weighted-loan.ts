/**
 * Programs of loans whose paths have weights: those of other loans with weighted sums (shaders/product/weighted_loan.wgsl).
 */
import { LOAN_QUANTITIES } from '../../plan/product/weighted-loan.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import type { Program } from '../kernels.ts';
import type { LoanProgram } from './loan-program.ts';

/** The file of the program of a loan for paths of equal weight. */
const UNWEIGHTED_FILE = 'kernel/unweighted.wgsl';

function weightedProgram<P extends Program>(program: P) {
  const files = program.files.filter(each => each !== UNWEIGHTED_FILE);
  return {
    ...program,
    name: `${program.name} weighted`,
    files: [...files, 'product/weighted_loan.wgsl'],
    // In the order of core/product/weighted-loans.ts: under the weights, those of odd paths alone, under their squares.
    sums: { ...program.sums, weighted: { fineAmounts: 3 * LOAN_QUANTITIES.length } },
    weighs: true as const,
    constants: { ...program.constants, WEIGHED_QUANTITIES: LOAN_QUANTITIES.length },
  };
}

/** A row of loans for paths that have weights; it counts no distribution. */
export function weightedRow<P extends Program>(
  row: LoanProgram<LoanProduct, P>,
): LoanProgram<LoanProduct, ReturnType<typeof weightedProgram<P>>> {
  const { counting: _, ...rest } = row;
  return {
    ...rest,
    program: weightedProgram(row.program),
    outcomeOf: (sums, common, product) => ({
      ...row.outcomeOf(sums as unknown as Parameters<typeof row.outcomeOf>[0], common, product),
      weighted: sums.weighted as Float64Array,
    }),
  };
}
