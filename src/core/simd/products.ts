/**
 * How the SIMD kernel runs each product and model: the rows of this engine. `undefined` leaves a kind to the reference.
 *
 * Takes: a kernel, a plan and a range of its paths. Gives: the outcome of that range alone. Must not know: threads.
 */
import type { BookFollower } from '../book/book-follower.ts';
import type { PreparedBook } from '../book/prepared-book.ts';
import { recordBook } from '../book/record-book.ts';
import { ASSET_STEPS_PER_CHUNK, chunksOf } from '../plan/chunks.ts';
import { isUnderWay } from '../plan/loan-terms.ts';
import type { ModelKind } from '../plan/models.ts';
import type { BookProduct } from '../plan/product/book.ts';
import {
  contractOf,
  type MergedKind,
  type OutcomeOf,
  type Product,
  type ProductKind,
  type ProductOf,
} from '../plan/products.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { DrawMemory } from '../plan/shared-draws.ts';
import {
  type LoanProduct,
  planSteps,
  type SimulationPlan,
  type ValueAtRiskProduct,
} from '../plan/simulation-plan.ts';
import { suitsSinglePrecision } from '../plan/single-precision.ts';
import { accrued } from '../product/accrued-paths.ts';
import { runCappedLoans } from '../product/capped-loan.ts';
import { loanPathsOf } from '../product/constant-loan.ts';
import { runLoans as runLoansOn } from '../product/loan.ts';
import { runOrigination } from '../product/origination.ts';
import type { HorizonPaths } from '../product/paths.ts';
import { recordHorizons } from '../product/value-at-risk.ts';
import { SIMD_GROUPS, simdBook } from './book.ts';
import type { Kernel } from './kernel.ts';
import { runLoans } from './loan.ts';
import { simdModel } from './models.ts';
import { PacketHorizons } from './packet-horizons.ts';
import { PacketPaths } from './packet-paths.ts';
import { runPositions } from './perpetual.ts';

/** Runs a range of paths; records them if there is a sink. */
type RunRange<P extends Product> = (
  kernel: Kernel,
  plan: SimulationPlan<P>,
  range: PathRange,
  records: RecordSink | undefined,
  tally: Uint32Array | undefined,
) => P['kind'] extends MergedKind ? OutcomeOf<P> : undefined;

const SIMD_PRODUCTS: { readonly [K in ProductKind]: RunRange<ProductOf<K>> | undefined } = {
  // Where a loan begins called, or its calls are answered, the kernel makes the paths alone.
  loan: (kernel, plan, range, records, tally) =>
    isUnderWay(plan.product)
      ? runLoansOn(plan, range, records, underWayPaths(kernel, plan), tally)
      : runLoans(kernel, plan, range, records, tally),
  origination: (kernel, plan, range, records) =>
    runOrigination(plan, range, records, accrued(new PacketPaths(kernel, plan, false), plan.product)),
  'capped-loan': (kernel, plan, range, records, tally) =>
    runCappedLoans(plan, range, records, accrued(new PacketPaths(kernel, plan, true), plan.product), tally),
  // Its outcome needs the order of all values (src/engine/threads/value-at-risk-run.ts); a range has records only.
  'value-at-risk': (kernel, plan, range, records) => {
    if (records !== undefined) recordHorizons(range, records, simdHorizons(kernel, plan, planSteps(plan)));
    return undefined;
  },
  perpetual: runPositions,
  // Its contributions need all paths together (src/engine/threads/book-run.ts); a range has records only.
  book: (kernel, plan, range, records) => {
    if (records !== undefined)
      recordBook(plan, range, records, book => simdBookOf(kernel, plan, book), SIMD_GROUPS);
    return undefined;
  },
};

/** Paths of a loan that is followed in TypeScript. */
const underWayPaths = (kernel: Kernel, plan: SimulationPlan<LoanProduct>) =>
  accrued(
    loanPathsOf(plan, amounts => new PacketPaths(kernel, plan, amounts)),
    plan.product,
  );

/**
 * How a book is followed along the prices of the kernel.
 * @throws RangeError for a model that it does not run
 */
export function simdBookOf(
  kernel: Kernel,
  plan: SimulationPlan<BookProduct>,
  book: PreparedBook,
  draws?: DrawMemory,
): BookFollower {
  return simdBook(kernel, plan, book, draws);
}

/**
 * The first horizons of value at risk along the paths of the kernel.
 * @throws RangeError for a model that it does not run
 */
export function simdHorizons(
  kernel: Kernel,
  plan: SimulationPlan<ValueAtRiskProduct>,
  horizons: number,
): HorizonPaths {
  return new PacketHorizons(kernel, plan, horizons);
}

/** Whether the kernel has a product under a model. */
export function hasSimdKernel(product: ProductKind, kind: ModelKind): boolean {
  const model = simdModel(kind);
  if (model === undefined || SIMD_PRODUCTS[product] === undefined) return false;
  // Shifted paths have weights, which loans and books take only.
  if (kind === 'gbm-shifted' && product !== 'loan' && product !== 'book') return false;
  return product !== 'value-at-risk' || model.writeHorizons !== undefined;
}

/** Whether the kernel runs such a plan at all. */
export function simdRuns({ product, scenarios }: SimulationPlan): boolean {
  return hasSimdKernel(product.kind, scenarios.kind);
}

/** @throws RangeError for a plan that the kernel does not run */
export function requireSimdRuns(plan: SimulationPlan): void {
  if (!simdRuns(plan))
    throw new RangeError(`the SIMD kernel has no ${plan.product.kind} under ${plan.scenarios.kind}`);
}

/** Whether the kernel runs a plan, and single precision will do for it. */
export function simdSupports(plan: SimulationPlan): boolean {
  return simdRuns(plan) && suitsSinglePrecision(plan);
}

/** Whether ranges of paths have outcomes that make up the whole: all that a kernel without threads can run. */
export function simdSupportsAlone(plan: SimulationPlan): boolean {
  return simdSupports(plan) && contractOf(plan.product).merge !== undefined;
}

/** The kernel is some four times as fast as the reference: chunks of the same time are larger. */
export const SIMD_ASSET_STEPS_PER_CHUNK = 4 * ASSET_STEPS_PER_CHUNK;

/** The chunks of a plan, whoever runs them. */
export function simdChunksOf(plan: SimulationPlan): readonly PathRange[] {
  return chunksOf(plan, SIMD_ASSET_STEPS_PER_CHUNK);
}

/**
 * Runs a range of paths by the kernel.
 *
 * @param tally counts of other ranges, to which those of this one are added; the outcome then has none
 * @throws RangeError for a plan that it does not run
 */
export function runSimdRange<P extends Product>(
  kernel: Kernel,
  plan: SimulationPlan<P>,
  range: PathRange,
  records?: RecordSink,
  tally?: Uint32Array,
): ReturnType<RunRange<P>> {
  requireSimdRuns(plan);
  const run = SIMD_PRODUCTS[plan.product.kind] as unknown as RunRange<P>;
  return run(kernel, plan, range, records, tally) as ReturnType<RunRange<P>>;
}
