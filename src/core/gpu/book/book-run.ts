/** One book on the device: passes over ranges of its paths. The sums of its loans stay on the device between them. */
import type { RunOptions } from '../../engine.ts';
import { hasWeights } from '../../plan/models.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { onDevice } from '../device-errors.ts';
import { dispatchSlices } from '../dispatcher.ts';
import { simulationKernel } from '../kernels.ts';
import { acceptedMarket } from '../models.ts';
import type { GpuSession } from '../session.ts';
import { placeBook } from './book-on-device.ts';
import { type BookRange, rangeSlices } from './book-slices.ts';
import { type PackedBook, packBook } from './book-terms.ts';
import { BOOK_PATHS, followKernel, PRICES_PROGRAM, WEIGHTED_PRICES_PROGRAM } from './kernels.ts';

/** A book that is ready to run. */
export interface BookRun {
  readonly packed: PackedBook;
  /**
   * Words of the columns (sums), or of the sums by class and the rows (tails).
   *
   * @param onProgress called with the share of the range that is done
   */
  run(range: BookRange, onProgress?: RunOptions['onProgress']): Promise<Uint32Array<ArrayBuffer>>;
  /** Words of the sums of the loans over all ranges so far. */
  loanSums(): Promise<Uint32Array<ArrayBuffer>>;
}

/** Compiles the kernels of a book and calls `use` with its run. */
export async function withBook<T>(
  session: GpuSession,
  plan: SimulationPlan<BookProduct>,
  signal: AbortSignal | undefined,
  use: (run: BookRun) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const { context } = session;
  context.check();
  const { scenarios } = plan;
  const market = acceptedMarket(scenarios.kind, 'prices');
  const weighted = hasWeights(scenarios.kind);
  const program = weighted ? WEIGHTED_PRICES_PROGRAM : PRICES_PROGRAM;
  const kernel = simulationKernel(program, scenarios.kind, 'prices', market);
  const workgroup = { workgroup_size: session.dispatch.workgroupSize };
  const packed = await packBook(plan, signal);
  const [prices, loans, paths] = await Promise.all([
    session.pipelines.get(kernel, { ...workgroup, assets: scenarios.assets, trace: 0 }, signal),
    session.pipelines.get(followKernel(weighted, packed.isByAsset), workgroup, signal),
    session.pipelines.get(BOOK_PATHS, workgroup, signal),
  ]);
  const set = session.buffers.acquire(prices);
  try {
    return await session.scratch.lend(async scratch => {
      const book = await placeBook(session, plan, packed, { prices, loans, paths }, { set, scratch });
      return use({
        packed,
        run: (range, onProgress) =>
          onDevice(context, signal, async () => {
            const { run, result, bytes } = await rangeSlices(book, range, onProgress);
            await dispatchSlices(session, run, signal);
            return scratch.read(result, bytes);
          }),
        loanSums: () => onDevice(context, signal, () => scratch.read(book.sums, book.sumBytes)),
      });
    });
  } finally {
    session.buffers.release(prices, set);
  }
}
