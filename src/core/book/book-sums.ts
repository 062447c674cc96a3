/**
 * What is added up over the paths of a book, in memory that threads can share.
 *
 * Every entry is a whole number, so that it does not matter in which order paths are added: counts, steps, and amounts in
 * units small enough that rounding to them does not show. Must not know: paths, threads.
 */
import type { BookLoanSums, BookProduct } from '../plan/product/book.ts';

/** Units of the per-loan sums in one loan value. */
export const UNITS_PER_LOAN_VALUE = 2 ** 32;

/** Columns of K entries, in the order in which they lie in memory. */
export const SUM_COLUMNS = [
  'marginCalls',
  'liquidations',
  'closeouts',
  'underwater',
  'missedSteps',
  'unsoldUnits',
  'lossUnits',
] as const satisfies readonly (keyof BookLoanSums)[];

type Column = (typeof SUM_COLUMNS)[number];

/** Sums of some paths, one entry per loan; `worstRatio` has one per group. */
export type BookSums = Readonly<Record<Column | 'worstRatio', Float64Array>>;

/** Doubles that the sums of one thread take. */
export const sumsLength = (loans: number, groups: number) => SUM_COLUMNS.length * loans + groups;

/** Views on the sums at `offset` doubles of a buffer. */
export function sumsAt(buffer: ArrayBufferLike, offset: number, loans: number, groups: number): BookSums {
  const view = (at: number, length: number) =>
    new Float64Array(buffer, (offset + at) * Float64Array.BYTES_PER_ELEMENT, length);
  const columns = SUM_COLUMNS.map((column, i) => [column, view(i * loans, loans)] as const);
  return {
    ...(Object.fromEntries(columns) as Record<Column, Float64Array>),
    worstRatio: view(SUM_COLUMNS.length * loans, groups),
  };
}

/** Sums of no paths, in memory of their own. @param shared whether threads are to share that */
export function emptySums(loans: number, groups: number, shared = false): BookSums {
  const bytes = sumsLength(loans, groups) * Float64Array.BYTES_PER_ELEMENT;
  const sums = sumsAt(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes), 0, loans, groups);
  sums.worstRatio.fill(Number.POSITIVE_INFINITY);
  return sums;
}

/**
 * Adds sums that lie end to end in plain numbers, as another process sends them.
 * @throws RangeError where their number is not that of one set
 */
export function addFlatSums(sums: BookSums, more: Float64Array): void {
  const loans = sums.marginCalls.length;
  const groups = sums.worstRatio.length;
  if (more.length !== sumsLength(loans, groups))
    throw new RangeError(`sums of a book have ${sumsLength(loans, groups)} numbers, not ${more.length}`);
  addSums(sums, sumsAt(more.buffer, more.byteOffset / Float64Array.BYTES_PER_ELEMENT, loans, groups));
}

/** Adds `more` to `sums`. */
export function addSums(sums: BookSums, more: BookSums): void {
  for (const column of SUM_COLUMNS) {
    const to = sums[column];
    const from = more[column];
    for (let k = 0; k < to.length; k++) to[k] += from[k];
  }
  const { worstRatio } = sums;
  for (let g = 0; g < worstRatio.length; g++) worstRatio[g] = Math.min(worstRatio[g], more.worstRatio[g]);
}

/** The sums as the outcome has them: the worst ratio of each group becomes the worst CCR of each of its loans. */
export function loanSums(
  { worstRatio, ...columns }: BookSums,
  { nominalRatio }: Pick<BookProduct, 'nominalRatio'>,
  { groupFirst, byCall }: { readonly groupFirst: Uint32Array; readonly byCall: Uint32Array },
): BookLoanSums {
  const worstCcr = new Float64Array(nominalRatio.length);
  for (let g = 0; g < worstRatio.length; g++)
    for (let i = groupFirst[g]; i < groupFirst[g + 1]; i++)
      worstCcr[byCall[i]] = nominalRatio[byCall[i]] * worstRatio[g];
  return { ...columns, worstCcr };
}
