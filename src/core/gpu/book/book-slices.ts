/**
 * The slices of a book's path range.
 *
 * A range is split into blocks of paths whose prices fit the device's cache. One kernel writes the prices of a block, another follows all
 * loans along them, some at a time. A dispatch takes tens of milliseconds for a book of any size.
 */
import { stepSquareUnits } from '../../book/sum-sets.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { type Bytes, bindGroup, type Dispatch } from '../compute-pass.ts';
import type { SlicedRun } from '../dispatcher.ts';
import type { CompiledKernel } from '../pipelines.ts';
import { type FirstRate, ratesOf } from '../session.ts';
import { STEP_UNIT } from '../slices.ts';
import type { StepRates } from '../step-rates.ts';
import { SLICE, uniformBytes, wordsOf } from '../struct-layout.ts';
import type { BookOnDevice } from './book-on-device.ts';
import { COLUMN_WORDS, LOANS_PER_INVOCATION, PIECE, PRICES_TERMS, pathWords } from './kernels.ts';
import { pricedSteps } from './work-units.ts';

/** Some paths of a book, and the results of a pass over them. */
export type BookRange =
  /** Paths from `first` on: sums of the loans and columns of the paths. */
  | { readonly kind: 'sums'; readonly first: number; readonly count: number }
  /** Listed paths of the tails: the losses of the loans by class of path, and the sales on their peak days. */
  | {
      readonly kind: 'tails';
      readonly numbers: Uint32Array<ArrayBuffer>;
      /** Per path: the class of its loss, 0 for none, and the first step of its peak day or `NO_PEAK`. */
      readonly marks: Uint32Array<ArrayBuffer>;
      readonly sums: { readonly words: number; readonly rowsStart: number };
    };

/** A step behind the last one of every path. */
export const NO_PEAK = 0x80000000;

/** Per loan and step of a path. */
const FIRST_RATE: FirstRate = { gpu: 0.01, software: 20, latencyPaths: 256 };

/** The work on a range, and the buffer with its result. */
export async function rangeSlices(book: BookOnDevice, range: BookRange, onProgress: SlicedRun['onProgress']) {
  const { session, scratch, set, kernels, units, size, plan, unused } = book;
  const { device } = session.context;
  const { product, scenarios } = plan;
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const count = range.kind === 'sums' ? range.count : range.numbers.length;
  const blockPaths = Math.min(count, size.blockPaths);
  const pathBytes = 4 * pathWords(product.steps);
  const prices = await scratch.take('book.prices', blockPaths * size.pathBytes, STORAGE);
  const pathSums = await scratch.take('book.path-sums', blockPaths * pathBytes, STORAGE | COPY_DST);
  const piece = await scratch.take('book.piece', uniformBytes(PIECE), UNIFORM | COPY_DST);
  const bytes = 4 * (range.kind === 'sums' ? COLUMN_WORDS * count : range.sums.words);
  const result = await scratch.take('book.result', bytes, STORAGE | COPY_SRC | COPY_DST);
  const tails = range.kind === 'tails' ? range : undefined;
  const numbers = tails && (await scratch.upload('book.path-numbers', tails.numbers));
  const marks = tails && (await scratch.upload('book.tail-paths', tails.marks));
  const first = range.kind === 'sums' ? range.first : 0;
  const terms = wordsOf(PRICES_TERMS, { first_path: first, listed: tails ? 1 : 0 });
  device.queue.writeBuffer(set.buffers.terms, 0, terms);

  let pathState: GPUBuffer | undefined;
  const own = [numbers ?? unused, prices];
  const bindPrices = () =>
    session.buffers.bind(kernels.prices, set.buffers, { pathState, tables: book.tables, own });
  let priceGroups = bindPrices();
  const stateWords = kernels.prices.kernel.stateWords(scenarios.assets);
  const group = ({ kernel, ownLayout }: CompiledKernel, buffers: readonly GPUBuffer[]) =>
    bindGroup(device, kernel.name, ownLayout, buffers);
  const loanGroup = group(kernels.loans, [
    piece,
    prices,
    book.loanTerms,
    book.holdings,
    pathSums,
    book.sums,
    marks ?? unused,
    tails ? result : await scratch.take('book.unused-sums', 16, STORAGE),
  ]);
  const pathGroup = tails ? undefined : group(kernels.paths, [piece, pathSums, result]);
  const empty = bindGroup(device, 'book', kernels.loans.sharedLayout, []);
  const { workgroupSize } = session.dispatch;

  const run: SlicedRun = {
    name: 'book',
    paths: count,
    steps: STEP_UNIT * units.total,
    workgroupPaths: workgroupSize,
    maxPaths: blockPaths,
    rates: bookRates(book),
    batched: false,
    result: await scratch.take('book.done', 4, STORAGE | COPY_SRC | COPY_DST),
    resultBytes: 4,
    onProgress,
    readback: await scratch.take('book.readback', 4, MAP_READ | COPY_DST),
    fences: await scratch.fences('book'),
    async work({ firstPath, pathCount, firstStep, endStep }, index) {
      const groups = Math.ceil(pathCount / workgroupSize);
      const [from, to] = [firstStep / STEP_UNIT, endStep / STEP_UNIT];
      const clears: Bytes[] = index === 0 && tails ? [[result, bytes]] : [];
      const dispatches: Dispatch[] = [];
      if (from < units.prices) {
        const steps = pricedSteps(units, product.steps, from, to);
        const split = steps.first > 0 || steps.end < product.steps;
        const stateBytes = split ? 4 * stateWords * pathCount : 0;
        if (stateBytes > (pathState?.size ?? 0)) {
          pathState = await scratch.take('book.path-state', 4 * stateWords * blockPaths, STORAGE);
          priceGroups = bindPrices();
        }
        const slice = wordsOf(SLICE, {
          first_path: firstPath,
          path_count: pathCount,
          first_step: steps.first,
          end_step: steps.end,
          steps: product.steps,
          paths: count,
          seed: plan.seed,
          run_path: 0,
        });
        device.queue.writeBuffer(set.buffers.slice, 0, slice);
        if (from === 0 && !tails) clears.push([pathSums, pathBytes * pathCount]);
        dispatches.push({ compiled: kernels.prices, groups: priceGroups, workgroups: [groups, 1] });
      }
      const firstBlock = Math.max(0, from - units.prices);
      const blocks = to - units.prices - firstBlock;
      device.queue.writeBuffer(
        piece,
        0,
        packPiece(plan, tails, {
          first_path: firstPath,
          path_count: pathCount,
          range_paths: count,
          first_loan: LOANS_PER_INVOCATION * firstBlock,
        }),
      );
      if (blocks > 0)
        dispatches.push({
          compiled: kernels.loans,
          groups: [empty, loanGroup],
          workgroups: [groups, blocks],
        });
      if (to === units.total && pathGroup)
        dispatches.push({ compiled: kernels.paths, groups: [empty, pathGroup], workgroups: [groups, 1] });
      return { clears, dispatches };
    },
  };
  return { run, result, bytes };
}

/** Measured work rates of books with paths of about the same length. */
function bookRates({ session, kernels: { loans, prices }, units }: BookOnDevice): StepRates {
  const work = 2 ** Math.round(Math.log2(units.work));
  return ratesOf(session, `${loans.key} ${prices.key} ${work}`, work / STEP_UNIT, FIRST_RATE);
}

/** The words of `BookPiece` (shaders/book/piece.wgsl): the part of a range in one dispatch. @param place the paths, and the first loan */
function packPiece(
  { product, scenarios, paths }: SimulationPlan<BookProduct>,
  tails: Extract<BookRange, { kind: 'tails' }> | undefined,
  place: Readonly<Record<'first_path' | 'path_count' | 'range_paths' | 'first_loan', number>>,
): Uint32Array<ArrayBuffer> {
  return wordsOf(PIECE, {
    ...place,
    steps: product.steps,
    assets: scenarios.assets,
    loan_count: product.loanValue.length,
    sale_delay: product.saleDelaySteps,
    after_cost: 1 - product.saleCost,
    day_steps: product.daySteps,
    tails: tails ? 1 : 0,
    rows_start: tails?.sums.rowsStart ?? 0,
    step_square_units: stepSquareUnits({ product, paths }),
  });
}
