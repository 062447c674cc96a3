/**
 * How the reference runs each product on a range of paths: the row of every product on this engine.
 *
 * Takes: a plan and a range of its paths. Gives: the outcome of that range alone. Must not know: threads.
 */

import { recordBook } from '../book/record-book.ts';
import type { MergedKind, OutcomeOf, Product, ProductKind, ProductOf } from '../plan/products.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import {
  type CappedLoanProduct,
  type LoanProduct,
  type OriginationProduct,
  planSteps,
  type SimulationPlan,
} from '../plan/simulation-plan.ts';
import { accrued } from '../product/accrued-paths.ts';
import { runCappedLoans } from '../product/capped-loan.ts';
import { loanPathsOf } from '../product/constant-loan.ts';
import { runLoans } from '../product/loan.ts';
import { runOrigination } from '../product/origination.ts';
import type { PortfolioPaths } from '../product/paths.ts';
import { runPerpetual } from '../product/perpetual.ts';
import { recordHorizons } from '../product/value-at-risk.ts';
import { referenceBook } from './book.ts';
import { referenceModel } from './models.ts';

/** Runs a range of paths; records them if there is a sink. */
type RunRange<P extends Product> = (
  plan: SimulationPlan<P>,
  range: PathRange,
  records: RecordSink | undefined,
  tally: Uint32Array | undefined,
) => P['kind'] extends MergedKind ? OutcomeOf<P> : undefined;

/** The paths of a loan to which nothing is added, with its interest. @param amounts whether C_t and L_t are wanted beside their ratio */
export const loanPaths = (
  plan: SimulationPlan<LoanProduct | CappedLoanProduct | OriginationProduct>,
  amounts: boolean,
): PortfolioPaths => accrued(referenceModel(plan).portfolio(plan, amounts), plan.product);

const REFERENCE_PRODUCTS: { readonly [K in ProductKind]: RunRange<ProductOf<K>> } = {
  loan: (plan, range, records, tally) =>
    runLoans(
      plan,
      range,
      records,
      accrued(
        loanPathsOf(plan, amounts => referenceModel(plan).portfolio(plan, amounts)),
        plan.product,
      ),
      tally,
    ),
  origination: (plan, range, records) => runOrigination(plan, range, records, loanPaths(plan, false)),
  'capped-loan': (plan, range, records, tally) =>
    runCappedLoans(plan, range, records, loanPaths(plan, true), tally),
  // Its outcome needs the order of all values (engine/threads/value-at-risk-run.ts); a range has records only.
  'value-at-risk': (plan, range, records) => {
    const horizons = referenceModel(plan).horizons(plan, planSteps(plan));
    if (records !== undefined) recordHorizons(range, records, horizons);
    return undefined;
  },
  // Its contributions need all paths together (threads/book-run.ts); a range has records only.
  book: (plan, range, records) => {
    if (records !== undefined) recordBook(plan, range, records, book => referenceBook(plan, book));
    return undefined;
  },
  perpetual: (plan, range, records, tally) =>
    runPerpetual(plan, range, records, referenceModel(plan).price(plan, plan.product.steps), tally),
};

/**
 * Runs a range of paths of any plan.
 *
 * @param tally counts of other ranges, to which those of this one are added; the outcome then has none
 */
export function runRange<P extends Product>(
  plan: SimulationPlan<P>,
  range: PathRange,
  records?: RecordSink,
  tally?: Uint32Array,
): ReturnType<RunRange<P>> {
  const run = REFERENCE_PRODUCTS[plan.product.kind] as unknown as RunRange<P>;
  return run(plan, range, records, tally) as ReturnType<RunRange<P>>;
}
