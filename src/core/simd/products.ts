/** The paths of the SIMD kernel, and its plans. */
import { ASSET_STEPS_PER_CHUNK, chunksOf } from '../plan/chunks.ts';
import { MODELS, type ModelKind } from '../plan/models.ts';
import type { ProductKind } from '../plan/product/kinds.ts';
import { mergeOf, type Product } from '../plan/products.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { suitsSinglePrecision } from '../plan/single-precision.ts';
import { type PathMaker, type RangeOutcome, runPaths } from '../run-paths.ts';
import { packetAccounts } from './account.ts';
import { SIMD_GROUPS, SimdBook } from './book.ts';
import type { Kernel } from './kernel.ts';
import { PacketLoans } from './loan.ts';
import { simdModel } from './models.ts';
import { PacketHorizons } from './packet-horizons.ts';
import { PacketPaths } from './packet-paths.ts';
import { PacketPrices } from './packet-prices.ts';
import { packetPositions } from './perpetual.ts';

/** The paths of a kernel, whose memory serves one plan at a time. */
export function kernelPaths(kernel: Kernel): PathMaker {
  return {
    portfolio: (plan, amounts) => new PacketPaths(kernel, plan, amounts),
    loans: (plan, range, counts) => new PacketLoans(kernel, plan, range, counts),
    positions: (plan, range, counts) => packetPositions(kernel, plan, range, counts),
    accounts: (plan, range, counts) => packetAccounts(kernel, plan, range, counts),
    prices: ({ scenarios, seed, product }) => new PacketPrices(kernel, scenarios, seed, product.steps),
    horizons: (plan, horizons) => new PacketHorizons(kernel, plan, horizons),
    book: (plan, book, draws) => new SimdBook(kernel, plan, book, draws),
    bookGroups: SIMD_GROUPS,
  };
}

/** Whether the kernel has a product under a model. */
export function hasSimdKernel(product: ProductKind, kind: ModelKind): boolean {
  const model = simdModel(kind);
  if (model === undefined || MODELS[kind].products?.includes(product) === false) return false;
  return product !== 'value-at-risk' || model.writeHorizons !== undefined;
}

/** @throws RangeError for a plan that the kernel does not run */
export function requireSimdRuns({ product, scenarios }: SimulationPlan): void {
  if (!hasSimdKernel(product.kind, scenarios.kind))
    throw new RangeError(`the SIMD kernel has no ${product.kind} under ${scenarios.kind}`);
}

/** Whether the kernel runs a plan, and single precision is enough for it. */
export function simdSupports(plan: SimulationPlan): boolean {
  return hasSimdKernel(plan.product.kind, plan.scenarios.kind) && suitsSinglePrecision(plan);
}

/** Whether a kernel without threads runs a plan: its outcome is merged from ranges of paths. */
export function simdSupportsAlone(plan: SimulationPlan): boolean {
  return simdSupports(plan) && mergeOf(plan.product.kind) === 'ranges';
}

/** The kernel is some four times as fast as the reference: larger chunks for the same time. */
export const SIMD_ASSET_STEPS_PER_CHUNK = 4 * ASSET_STEPS_PER_CHUNK;

/** The chunks of a plan, the same in every process. */
export function simdChunksOf(plan: SimulationPlan): readonly PathRange[] {
  return chunksOf(plan, SIMD_ASSET_STEPS_PER_CHUNK);
}

/**
 * Runs a range of paths by the kernel: `runPaths` of core/run-paths.ts.
 * @throws RangeError for a plan that it does not run
 */
export function runSimdRange<P extends Product>(
  kernel: Kernel,
  plan: SimulationPlan<P>,
  range: PathRange,
  records?: RecordSink,
  sharedCounts?: Uint32Array,
): RangeOutcome<P> {
  requireSimdRuns(plan);
  return runPaths(kernelPaths(kernel), plan, range, records, sharedCounts);
}
