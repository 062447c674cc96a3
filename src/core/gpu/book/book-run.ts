/**
 * One book on the device: its buffers, and passes over ranges of its paths.
 *
 * A range is cut into blocks of paths whose prices fit the device's cache. Of each block, the prices are written, then all loans
 * are followed along them, some at a time; sums stay on the device. A dispatch is tens of milliseconds long, whatever the size
 * of the book. Must not know: tails, figures.
 */
import { RiskError } from '../../errors.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { onDevice } from '../device-errors.ts';
import { dispatchSlices, type SlicedRun, UNDER_WAY } from '../dispatcher.ts';
import { simulationKernel } from '../kernels.ts';
import { gpuMarket } from '../models.ts';
import type { CompiledKernel } from '../pipelines.ts';
import { readBuffer } from '../read-buffer.ts';
import { largestBinding, type ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import type { PooledSet } from '../simulation-buffers.ts';
import { STEP_UNIT } from '../slices.ts';
import { uniformBytes } from '../struct-layout.ts';
import { packPiece } from './book-piece.ts';
import { type BookRange, pathsOf } from './book-range.ts';
import { type BookKernels, bookRates } from './book-rates.ts';
import { type PackedBook, packBook } from './book-terms.ts';
import {
  BOOK_PATHS,
  COLUMN_WORDS,
  FOLLOW_LOANS,
  LOAN_WORDS,
  LOANS_PER_INVOCATION,
  PIECE_LAYOUT,
  PRICES_PROGRAM,
  pathWords,
} from './kernels.ts';
import { type BookSize, bookSize, pricedSteps, type WorkUnits, workUnits } from './work-units.ts';

type BookPlan = SimulationPlan<BookProduct>;

/** A book that is ready to run; the device keeps the sums of its loans between ranges. */
export interface BookRun {
  readonly packed: PackedBook;
  /** Words of the columns (sums), or of the sums by class and the rows (tails). */
  run(range: BookRange): Promise<Uint32Array<ArrayBuffer>>;
  /** Words of the sums of the loans over all ranges so far. */
  loanSums(): Promise<Uint32Array<ArrayBuffer>>;
}

/** Compiles the kernels of a book and lends `use` its run. */
export async function withBook<T>(
  session: GpuSession,
  plan: BookPlan,
  signal: AbortSignal | undefined,
  use: (run: BookRun) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  session.context.check();
  const { scenarios } = plan;
  const market = gpuMarket(scenarios.kind, 'prices');
  if (market === undefined) throw new RiskError('engine-failed', 'The GPU engine does not run such a plan.');
  const kernel = simulationKernel(PRICES_PROGRAM, scenarios.kind, 'prices', market);
  const workgroup = { workgroup_size: session.dispatch.workgroupSize };
  const packed = await packBook(plan, signal);
  const [prices, loans, paths] = await Promise.all([
    session.pipelines.get(kernel, { ...workgroup, assets: scenarios.assets, trace: 0 }),
    session.pipelines.get(FOLLOW_LOANS, workgroup),
    session.pipelines.get(BOOK_PATHS, workgroup),
  ]);
  const scratch = session.scratch.open();
  const set = session.buffers.acquire(prices);
  try {
    const book = new DeviceBook(session, plan, packed, { prices, loans, paths }, { set, scratch, signal });
    return await use(book);
  } finally {
    session.buffers.release(prices, set);
    scratch.release();
  }
}

/** What a run has for its time. */
interface Lent {
  readonly set: PooledSet;
  readonly scratch: ScratchRun;
  readonly signal: AbortSignal | undefined;
}

class DeviceBook implements BookRun {
  readonly packed: PackedBook;
  private readonly session: GpuSession;
  private readonly plan: BookPlan;
  private readonly kernels: BookKernels;
  private readonly set: PooledSet;
  private readonly scratch: ScratchRun;
  private readonly signal: AbortSignal | undefined;
  private readonly size: BookSize;
  private readonly units: WorkUnits;
  private readonly loanTerms: GPUBuffer;
  private readonly holdings: GPUBuffer;
  private readonly sums: GPUBuffer;
  private readonly unused: GPUBuffer;
  private readonly tables: GPUBuffer | undefined;

  constructor(
    session: GpuSession,
    plan: BookPlan,
    packed: PackedBook,
    kernels: BookKernels,
    { set, scratch, signal }: Lent,
  ) {
    this.session = session;
    this.plan = plan;
    this.kernels = kernels;
    this.set = set;
    this.scratch = scratch;
    this.signal = signal;
    this.packed = packed;
    const { dispatch, context } = session;
    const { product, scenarios } = plan;
    const most = Math.min(dispatch.valueBytes, largestBinding(context.device));
    this.size = bookSize(product, scenarios.assets, { bytes: most, parallelPaths: dispatch.parallelPaths });
    this.units = workUnits(product, scenarios.assets);
    const { device } = context;
    const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
    const upload = (name: string, words: Float32Array<ArrayBuffer>) => {
      const buffer = scratch.take(name, words.byteLength, STORAGE | COPY_DST);
      device.queue.writeBuffer(buffer, 0, words);
      return buffer;
    };
    this.loanTerms = upload('book.loans', this.packed.loans);
    this.holdings = upload('book.holdings', this.packed.holdings);
    this.sums = scratch.take('book.loan-sums', this.sumBytes, STORAGE | COPY_SRC | COPY_DST);
    this.unused = scratch.take('book.unused', 16, STORAGE);
    const { market } = kernels.prices.kernel;
    const tables = market.tables?.(scenarios);
    this.tables = tables && upload('book.tables', tables);
    // Prices do not depend on weights.
    const none = new Float64Array(scenarios.assets);
    const parameters = market.pack(scenarios, { collateralWeights: none, loanWeights: none });
    device.queue.writeBuffer(set.buffers.market, 0, parameters);
    const encoder = device.createCommandEncoder({ label: 'book' });
    encoder.clearBuffer(this.sums, 0, this.sumBytes);
    device.queue.submit([encoder.finish()]);
  }

  private get sumBytes(): number {
    return 4 * LOAN_WORDS * this.plan.product.loanValue.length;
  }

  loanSums(): Promise<Uint32Array<ArrayBuffer>> {
    const { context } = this.session;
    return onDevice(context, this.signal, () =>
      readBuffer(context.device, this.scratch, this.sums, this.sumBytes),
    );
  }

  run(range: BookRange): Promise<Uint32Array<ArrayBuffer>> {
    const { context } = this.session;
    return onDevice(context, this.signal, async () => {
      const { run, result, bytes } = this.slicesOf(range);
      await dispatchSlices(this.session, run, this.signal);
      return readBuffer(context.device, this.scratch, result, bytes);
    });
  }

  /** The slices of a range: `run` does them, then the answer stands in `result`. */
  private slicesOf(range: BookRange) {
    const { session, scratch, set, kernels, units, size, plan } = this;
    const { device } = session.context;
    const { product, scenarios } = plan;
    const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
    const count = pathsOf(range);
    const blockPaths = Math.min(count, size.blockPaths);
    const pathBytes = 4 * pathWords(product.steps);
    const prices = scratch.take('book.prices', blockPaths * size.pathBytes, STORAGE);
    const pathSums = scratch.take('book.path-sums', blockPaths * pathBytes, STORAGE | COPY_DST);
    const piece = scratch.take('book.piece', uniformBytes(PIECE_LAYOUT), UNIFORM | COPY_DST);
    const bytes = 4 * (range.kind === 'sums' ? COLUMN_WORDS * count : range.sums.words);
    const result = scratch.take('book.result', bytes, STORAGE | COPY_SRC | COPY_DST);
    const listed = (name: string, words: Uint32Array<ArrayBuffer>) => {
      const buffer = scratch.take(name, words.byteLength, STORAGE | COPY_DST);
      device.queue.writeBuffer(buffer, 0, words);
      return buffer;
    };
    const tails = range.kind === 'tails' ? range : undefined;
    const numbers = tails && listed('book.path-numbers', tails.numbers);
    const marks = tails && listed('book.tail-paths', tails.marks);
    const first = range.kind === 'sums' ? range.first : 0;
    device.queue.writeBuffer(set.buffers.terms, 0, Uint32Array.of(first, tails ? 1 : 0, 0, 0));

    let pathState: GPUBuffer | undefined;
    const own = [numbers ?? this.unused, prices];
    const bindPrices = () =>
      session.buffers.bind(kernels.prices, set.buffers, { pathState, tables: this.tables, own });
    let priceGroups = bindPrices();
    const stateWords = kernels.prices.kernel.market.stateWords(scenarios.assets);
    const group = (compiled: CompiledKernel, buffers: readonly GPUBuffer[]) =>
      device.createBindGroup({
        label: compiled.kernel.name,
        layout: compiled.ownLayout,
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
    const loanGroup = group(kernels.loans, [
      piece,
      prices,
      this.loanTerms,
      this.holdings,
      pathSums,
      this.sums,
      marks ?? this.unused,
      tails ? result : scratch.take('book.unused-sums', 16, STORAGE),
    ]);
    const pathGroup = tails ? undefined : group(kernels.paths, [piece, pathSums, result]);
    const empty = device.createBindGroup({ label: 'book', layout: kernels.loans.sharedLayout, entries: [] });
    const { workgroupSize } = session.dispatch;

    const run: SlicedRun = {
      name: 'book',
      paths: count,
      steps: STEP_UNIT * units.total,
      workgroupPaths: workgroupSize,
      maxPaths: blockPaths,
      rates: bookRates(session, kernels, units),
      batched: false,
      result: scratch.take('book.done', 4, STORAGE | COPY_SRC | COPY_DST),
      resultBytes: 4,
      readback: scratch.take('book.readback', 4, MAP_READ | COPY_DST),
      fences: Array.from({ length: UNDER_WAY }, (_, i) =>
        scratch.take(`book.fence.${i}`, 4, MAP_READ | COPY_DST),
      ),
      encode: (encoder, { firstPath, pathCount, firstStep, endStep }, { index }) => {
        const groups = Math.ceil(pathCount / workgroupSize);
        const [from, to] = [firstStep / STEP_UNIT, endStep / STEP_UNIT];
        if (index === 0 && tails) encoder.clearBuffer(result, 0, bytes);
        if (from < units.prices) {
          const steps = pricedSteps(units, product.steps, from, to);
          const split = steps.first > 0 || steps.end < product.steps;
          const stateBytes = split ? 4 * stateWords * pathCount : 0;
          if (stateBytes > (pathState?.size ?? 0)) {
            pathState = scratch.take('book.path-state', 4 * stateWords * blockPaths, STORAGE);
            priceGroups = bindPrices();
          }
          const slice = [firstPath, pathCount, steps.first, steps.end, product.steps, count, plan.seed];
          device.queue.writeBuffer(set.buffers.slices, 0, Uint32Array.from([...slice, 0]));
          if (from === 0 && !tails) encoder.clearBuffer(pathSums, 0, pathBytes * pathCount);
          compute(encoder, kernels.prices, [priceGroups[0], priceGroups[1]], [0], [groups, 1]);
        }
        const firstBlock = Math.max(0, from - units.prices);
        const blocks = to - units.prices - firstBlock;
        device.queue.writeBuffer(
          piece,
          0,
          packPiece(plan, range, {
            firstPath,
            pathCount,
            firstLoan: LOANS_PER_INVOCATION * firstBlock,
          }),
        );
        if (blocks > 0) {
          compute(encoder, kernels.loans, [empty, loanGroup], [], [groups, blocks]);
        }
        if (to === units.total && pathGroup) {
          compute(encoder, kernels.paths, [empty, pathGroup], [], [groups, 1]);
        }
      },
    };
    return { run, result, bytes };
  }
}

/** One dispatch of workgroups. */
function compute(
  encoder: GPUCommandEncoder,
  { kernel, pipeline }: CompiledKernel,
  groups: readonly [GPUBindGroup, GPUBindGroup],
  offsets: readonly number[],
  [x, y]: readonly [number, number],
): void {
  const pass = encoder.beginComputePass({ label: kernel.name });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, groups[0], offsets);
  pass.setBindGroup(1, groups[1]);
  pass.dispatchWorkgroups(x, y);
  pass.end();
}
