/**
 * The words of a book's run as numbers: path columns, loan sums, and the losses and sales in its tails. Whole numbers are exact up to
 * 2^53; amounts are in USD.
 */
import { sleep } from '../../async.ts';
import { SUM_COLUMNS } from '../../book/book-sums.ts';
import { unitsOf } from '../../book/sum-sets.ts';
import type { Summarise } from '../../book/summaries.ts';
import { summaryOf } from '../../book/weighted-tails.ts';
import {
  BOOK_COLUMNS,
  type BookLoanSquares,
  type BookLoanSums,
  type BookPathColumns,
  type BookProduct,
  type ColumnSummary,
  MAX_SQUARED_LOANS,
} from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { fromDomain, type GpuDomain } from '../loan-terms.ts';
import { numberOfKey } from '../results.ts';
import {
  AMOUNTS,
  CLASS_WORDS,
  COLUMN_PLACES,
  COLUMN_WORDS,
  LOAN_SET_WORDS,
  LOAN_SUMS,
  SQUARE_UNITS,
} from './kernels.ts';

const WORD = 2 ** 32;

/** Writes the columns of a path range into the columns of the run, each in a turn of the event loop: a column takes some milliseconds. */
export async function readColumns(
  words: Uint32Array,
  first: number,
  unit: number,
  columns: BookPathColumns,
  peakStart: Uint32Array,
): Promise<void> {
  const { weight } = columns;
  const paths = words.length / COLUMN_WORDS;
  const word = (place: number) => words.subarray(place * paths, (place + 1) * paths);
  for (const name of BOOK_COLUMNS) {
    await sleep(1, undefined);
    const place = COLUMN_PLACES[name];
    const low = word(place);
    const isAmount = (AMOUNTS as readonly string[]).includes(name);
    const high = isAmount ? word(place + 1) : undefined;
    const column = columns[name];
    for (let p = 0; p < paths; p++)
      column[first + p] = high === undefined ? low[p] : (high[p] * WORD + low[p]) * unit;
  }
  peakStart.set(word(COLUMN_PLACES.peakStart), first);
  // In single precision.
  weight?.set(new Float32Array(word(COLUMN_PLACES.weight).slice().buffer), first);
}

/** On this thread, each in a turn of the event loop: sorting a million numbers takes a tenth of a second. */
export const summariseInTurns: Summarise = async (tasks, signal) => {
  const summaries: ColumnSummary[] = [];
  for (const { column, quantiles, weights } of tasks) {
    summaries.push(summaryOf(column, quantiles, weights));
    await sleep(1, signal);
    signal?.throwIfAborted();
  }
  return summaries;
};

type LoanSum = (typeof LOAN_SUMS)[number];

/** Sums of the loans over all paths, set by set: plain, then of weighted paths under the weights, of odd paths, under their squares. */
export function readLoanSums(
  words: Uint32Array,
  { product, paths }: Pick<SimulationPlan<BookProduct>, 'product' | 'paths'>,
  domains: readonly GpuDomain[],
): BookLoanSums[] {
  const { loanValue, nominalRatio } = product;
  const loans = loanValue.length;
  const sets = Math.floor(words.length / loans / LOAN_SET_WORDS);
  const lowest = sets * LOAN_SET_WORDS * loans;
  const worstCcr = nominalRatio.map(
    (n, k) => n * fromDomain(domains[k], numberOfKey(~words[lowest + k] >>> 0)),
  );
  return Array.from({ length: sets }, (_, set) => {
    const first = set * LOAN_SET_WORDS * loans;
    const column = (name: LoanSum, unitName: string = name) => {
      const place = first + 2 * LOAN_SUMS.indexOf(name) * loans;
      const parts = set === 0 ? 1 : unitsOf(unitName, { product, paths });
      return Float64Array.from(
        { length: loans },
        (__, k) => (words[place + loans + k] * WORD + words[place + k]) / parts,
      );
    };
    const thirds = first + 2 * LOAN_SUMS.length * loans;
    const squares = (): BookLoanSquares => ({
      missedSteps: column('missedSquares', 'missedStepsSquares'),
      earlyEnds: column('earlyEnds', 'earlyEndsSquares'),
      // Loans with a call at the start are not on the GPU.
      deadlineEnds: new Float64Array(loans),
      unsoldPaths: column('unsoldPaths', 'unsoldPathsSquares'),
      lossPaths: column('lossPaths', 'lossPathsSquares'),
      unsold: column('unsoldSquares').map(units => units / SQUARE_UNITS),
      loss: column('lossSquares').map((units, k) => (words[thirds + k] * WORD ** 2 + units) / SQUARE_UNITS),
    });
    return {
      ...(Object.fromEntries(SUM_COLUMNS.map(name => [name, column(name)])) as Record<
        (typeof SUM_COLUMNS)[number],
        Float64Array
      >),
      squares: loans <= MAX_SQUARED_LOANS ? squares() : undefined,
      worstCcr,
    };
  });
}

/** Adds the losses of a range by class: entry c x K + k in units of the book, c from 0. */
export function addClasses(words: Uint32Array, loans: number, totals: Float64Array): void {
  for (let i = 0; i < totals.length; i++) {
    const at = CLASS_WORDS * Math.floor(i / loans) * loans + (i % loans);
    totals[i] += (words[at + 2 * loans] * WORD + words[at + loans]) * WORD + words[at];
  }
}

/** Sales of `asset` on the peak day of path `place` of a range, in the book's units. */
export function rowAmount(
  words: Uint32Array,
  rowsStart: number,
  rangePaths: number,
  asset: number,
  place: number,
): number {
  const at = rowsStart + 2 * asset * rangePaths + place;
  return words[at + rangePaths] * WORD + words[at];
}
