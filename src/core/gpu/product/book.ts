/**
 * A book of loans on the GPU: one pass over all paths for the sums and the columns, a second one over the tail paths for the
 * contributions (docs/decisions/books-on-the-gpu.md). Draws depend on the number of a path only, and sums are of whole numbers: both passes
 * have the same losses, and contributions add up to the tail mean except for the last digits of a double.
 */
import { splitOverCollateral, spreadOverCollateral } from '../../book/by-asset.ts';
import { columnsOfRun } from '../../book/sum-sets.ts';
import { type BookTailPaths, bookTailPaths, inAnyTail } from '../../book/tail-paths.ts';
import { tailWeight } from '../../book/tail-weights.ts';
import { weightedSums } from '../../book/weighted-tails.ts';
import type { RunOptions } from '../../engine.ts';
import { type BookPathColumns, type BookProduct, type BookTail, bookUnit } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { addClasses, readColumns, readLoanSums, rowAmount } from '../book/book-results.ts';
import { type BookRun, withBook } from '../book/book-run.ts';
import { NO_PEAK } from '../book/book-slices.ts';
import { CLASS_WORDS, PRICES_PROGRAM, WEIGHTED_PRICES_PROGRAM } from '../book/kernels.ts';
import { tailClasses } from '../book/tail-classes.ts';
import type { GpuProduct } from './program.ts';

type BookPlan = SimulationPlan<BookProduct>;

/** Paths whose columns are read together, and paths of the tails whose sales by asset are read together. */
const RANGE_PATHS = 2 ** 18;
const TAIL_PATHS = 2 ** 16;

export const GPU_BOOK: GpuProduct<BookProduct> = {
  programs: [PRICES_PROGRAM, WEIGHTED_PRICES_PROGRAM],
  run: (session, plan, signal, onProgress) =>
    withBook(session, plan, signal, async run => {
      const { product, scenarios, paths } = plan;
      const { columns, peakStart } = await runPaths(run, plan, onProgress);
      const [loans, ...underWeights] = readLoanSums(await run.loanSums(), plan, run.packed.domains);
      const { weight } = columns;
      const found = bookTailPaths(product.quantiles, columns.loss, columns.peakDay, weight);
      const tails = await runTails(run, plan, found, columns, peakStart);
      const collateralOf = (k: number) => product.nominalRatio[k] * product.loanValue[k];
      return {
        kind: 'book',
        paths,
        loans,
        ...(weight && { weighted: weightedSums(weight, underWeights) }),
        columns,
        collateralByAsset: spreadOverCollateral(product, scenarios.assets, collateralOf),
        tails,
      };
    }),
  trace: (session, plan, signal) =>
    withBook(session, plan, signal, async run => ({ ...(await runPaths(run, plan)).columns })),
};

/**
 * The figures of all paths; the loan sums stay on the device. Progress counts this pass. The columns of a range are read while the device
 * runs the next one.
 */
export async function runPaths(
  run: Pick<BookRun, 'run'>,
  plan: BookPlan,
  onProgress?: RunOptions['onProgress'],
) {
  const { product, paths } = plan;
  const columns = Object.fromEntries(
    columnsOfRun(plan).map(name => [name, new Float64Array(paths)]),
  ) as unknown as BookPathColumns;
  const peakStart = new Uint32Array(paths);
  const unit = bookUnit(product);
  let reading = Promise.resolve();
  for (let first = 0; first < paths; first += RANGE_PATHS) {
    const count = Math.min(RANGE_PATHS, paths - first);
    const running = run.run({ kind: 'sums', first, count }, share =>
      onProgress?.((first + share * count) / paths),
    );
    const [words] = await Promise.all([running, reading]);
    reading = readColumns(words, first, unit, columns, peakStart);
  }
  await reading;
  return { columns, peakStart };
}

/** The second pass, over the paths of the tails. */
async function runTails(
  run: BookRun,
  { product, scenarios }: BookPlan,
  { lossTails, peakTails, paths }: BookTailPaths,
  { loss, peakDay, weight: weights }: BookPathColumns,
  peakStart: Uint32Array,
): Promise<BookTail[]> {
  const { assets } = scenarios;
  const loans = product.loanValue.length;
  const unit = bookUnit(product);
  const classes = tailClasses(lossTails);
  const isInPeakTail = inAnyTail(peakTails);
  const losses = new Float64Array(classes.count * loans);
  const peaks = peakTails.map(() => new Float64Array(assets));
  for (let from = 0; from < paths.length; from += TAIL_PATHS) {
    const numbers = paths.slice(from, from + TAIL_PATHS);
    const marks = new Uint32Array(2 * numbers.length);
    numbers.forEach((p, i) => {
      marks[2 * i] = loss[p] > 0 ? classes.of(loss[p]) : 0;
      marks[2 * i + 1] = isInPeakTail(peakDay[p]) ? peakStart[p] : NO_PEAK;
    });
    const rowsStart = CLASS_WORDS * classes.count * loans;
    const sums = { rowsStart, words: rowsStart + 2 * assets * numbers.length };
    const words = await run.run({ kind: 'tails', numbers, marks, sums });
    addClasses(words, loans, losses);
    peakTails.forEach((tail, q) => {
      numbers.forEach((p, i) => {
        const weight = tailWeight(tail, peakDay[p]) * (weights?.[p] ?? 1) * unit;
        if (weight === 0) return;
        for (let a = 0; a < assets; a++)
          peaks[q][a] += weight * rowAmount(words, rowsStart, numbers.length, a, i);
      });
    });
  }
  return lossTails.map((tail, q) => {
    const contributions = new Float64Array(loans);
    classes.shares(tail).forEach((share, c) => {
      for (let k = 0; k < loans; k++) contributions[k] += share * losses[c * loans + k];
    });
    for (let k = 0; k < loans; k++) contributions[k] *= tail.above * unit;
    return {
      quantile: product.quantiles[q],
      contributions,
      lossByAsset: splitOverCollateral(product, assets, k => contributions[k]),
      peakDayByAsset: peaks[q],
    };
  });
}
