/** Runs the program of a loan, with unlimited or capped sales: its sums become an outcome, its records columns. */
import type { OutcomeOf } from '../../engine.ts';
import { RiskError } from '../../errors.ts';
import { LOAN_SECTIONS } from '../../plan/product/loan.ts';
import { contractOf } from '../../plan/products.ts';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import type { Program } from '../kernels.ts';
import { fromDomain, type GpuDomain, gpuDomain, SECURED_VIEWS, withAssetThresholds } from '../loan-terms.ts';
import type { MarketView } from '../model/market.ts';
import { lowestValue } from '../results.ts';
import {
  type GpuPlan,
  type ProgramRun,
  programJob,
  recordColumns,
  type SimulationJob,
  simulate,
} from '../simulate.ts';
import { withCounts } from './path-counts.ts';
import { type GpuProduct, inRanges } from './program.ts';

/** Members of every loan outcome beside the program's sums. */
interface CommonFigures {
  readonly paths: number;
  readonly worstCcr: number;
  readonly distribution?: Float64Array;
}

/** A program of a loan, with its terms and its outcome. */
export interface LoanProgram<P extends LoanProduct | CappedLoanProduct> {
  readonly program: Program;
  /** The same with the counts of a distribution; absent for programs without one. */
  readonly counting?: Program;
  readonly views: Readonly<Record<GpuDomain, MarketView>>;
  packTerms(product: P, domain: GpuDomain): Uint32Array<ArrayBuffer>;
  /** @param words of the sums */
  outcomeOf(words: Uint32Array, common: CommonFigures, product: P): OutcomeOf<P>;
}

/** The program of the same loan with thresholds of liquidation by asset. */
export function securedProgram<P extends LoanProduct | CappedLoanProduct>(
  row: LoanProgram<P>,
  countingOf: (program: Program) => Program,
): LoanProgram<P> {
  const program = {
    ...row.program,
    name: `${row.program.name} by asset`,
    views: [...new Set(Object.values(SECURED_VIEWS))],
    files: withAssetThresholds(row.program.files),
  };
  return { ...row, program, counting: countingOf(program), views: SECURED_VIEWS };
}

/** A loan by one of several programs. @param rowOf the program of a plan */
export function loansOnGpu<P extends LoanProduct | CappedLoanProduct>(
  rows: readonly LoanProgram<P>[],
  rowOf: (plan: SimulationPlan<P>) => LoanProgram<P>,
): GpuProduct<P> {
  const jobOf = (
    of: 'program' | 'counting',
    plan: GpuPlan<P>,
    more: Pick<ProgramRun, 'trace' | 'own'>,
    signal: AbortSignal | undefined,
  ): SimulationJob => {
    const { portfolio, steps } = plan.product;
    const row = rowOf(plan);
    const program = row[of];
    if (program === undefined)
      throw new RiskError('engine-failed', 'The GPU engine does not count such a plan.');
    const domain = gpuDomain(plan);
    const terms = row.packTerms(plan.product, domain);
    return programJob(program, plan, { view: row.views[domain], portfolio, steps, terms, ...more }, signal);
  };
  return inRanges({
    programs: rows.flatMap(({ program, counting }) => [
      program,
      ...(counting === undefined ? [] : [counting]),
    ]),
    ranges: {
      async run(session, plan, signal) {
        const { product, distribution: option } = plan;
        if (option === undefined)
          return { words: (await simulate(session, jobOf('program', plan, {}, signal))).sums };
        const counted = { sections: LOAN_SECTIONS, steps: product.steps, option };
        return withCounts(
          session,
          plan,
          counted,
          signal,
          async (block, own) => (await simulate(session, jobOf('counting', block, { own }, signal))).sums,
        );
      },
      outcomeOf(plan, { words, counts }) {
        const { paths, product } = plan;
        const row = rowOf(plan);
        const worstCcr = product.nominalRatio * fromDomain(gpuDomain(plan), lowestValue(words));
        return row.outcomeOf(words, { paths, worstCcr, ...(counts && { distribution: counts }) }, product);
      },
    },
    async trace(session, plan, signal) {
      const traced = await simulate(session, jobOf('program', plan, { trace: true }, signal));
      const columns = recordColumns(rowOf(plan).program.records, traced, plan.paths);
      // A plan can have fewer columns than the program writes.
      const fields = contractOf(plan.product).recordFields(plan.product);
      return Object.fromEntries(fields.map(field => [field, columns[field]]));
    },
  });
}
