/** A book on the device for the time of its run: its terms, the sums of its loans, and the units of its work. */
import { hasWeights } from '../../plan/models.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { largestBinding } from '../buffers.ts';
import type { SimulationKernel } from '../kernels.ts';
import type { CompiledKernel } from '../pipelines.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import type { PooledSet } from '../simulation-buffers.ts';
import type { PackedBook } from './book-terms.ts';
import { loanWords, WEIGHTED_LOAN_SETS } from './kernels.ts';
import { bookSize, workUnits } from './work-units.ts';

type BookPlan = SimulationPlan<BookProduct>;

interface BookKernels {
  readonly prices: CompiledKernel<SimulationKernel>;
  readonly loans: CompiledKernel;
  readonly paths: CompiledKernel;
}

export type BookOnDevice = Awaited<ReturnType<typeof placeBook>>;

/** Uploads a book and clears its sums. */
export async function placeBook(
  session: GpuSession,
  plan: BookPlan,
  packed: PackedBook,
  kernels: BookKernels,
  { set, scratch }: { readonly set: PooledSet; readonly scratch: ScratchRun },
) {
  const { dispatch, context } = session;
  const { product, scenarios } = plan;
  const { device } = context;
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const { market } = kernels.prices.kernel;
  const tables = market.tables?.(scenarios);
  // Prices do not depend on weights.
  const none = new Float64Array(scenarios.assets);
  const parameters = market.pack(scenarios, { collateralWeights: none, loanWeights: none });
  device.queue.writeBuffer(set.buffers.market, 0, parameters);
  const weighted = hasWeights(scenarios.kind);
  const sumBytes = 4 * loanWords(weighted ? WEIGHTED_LOAN_SETS : 1) * product.loanValue.length;
  const sums = await scratch.take('book.loan-sums', sumBytes, STORAGE | COPY_SRC | COPY_DST);
  const encoder = device.createCommandEncoder({ label: 'book' });
  encoder.clearBuffer(sums, 0, sumBytes);
  device.queue.submit([encoder.finish()]);
  const most = Math.min(session.memory.valueBytes, largestBinding(device));
  return {
    session,
    plan,
    kernels,
    set,
    scratch,
    size: bookSize(
      product,
      scenarios.assets,
      { bytes: most, parallelPaths: dispatch.parallelPaths },
      weighted,
    ),
    units: workUnits(product, scenarios.assets),
    loanTerms: await scratch.upload('book.loans', packed.loans),
    holdings: await scratch.upload('book.holdings', packed.holdings),
    /** Sums of the loans over all ranges so far. */
    sums,
    sumBytes,
    /** For unused bindings. */
    unused: await scratch.take('book.unused', 16, STORAGE),
    tables: tables && (await scratch.upload('book.tables', tables)),
  };
}
