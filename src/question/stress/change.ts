/** Changes of the figures of a book between two runs on the same paths. Intervals of paired paths are narrower than those of the figures. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BookPathColumns, ColumnSummary } from '../../core/plan/product/book.ts';
import { intervalOfReach, meanError } from '../../core/stats/intervals.ts';
import { skewedReach, skewnessOfMean } from '../../core/stats/skewness.ts';
import { twoSidedNormal } from '../../core/stats/special-functions.ts';
import { uncommonValues } from '../../core/stats/uncommon.ts';

/** One run of a book, and the replay before it. */
export interface BookRun {
  /** Columns of the paths; undefined where no loan was left to simulate: all are 0. */
  readonly columns: Pick<BookPathColumns, 'loss' | 'sold'> | undefined;
  readonly summaries: Readonly<Record<'loss' | 'sold', ColumnSummary>> | undefined;
  /** Lost and sold in the replay, USD. */
  readonly lossBefore: number;
  readonly soldBefore: number;
}

/** The book of today, whose losses were not simulated, beside a replay. */
export const UNTOUCHED: BookRun = { columns: undefined, summaries: undefined, lossBefore: 0, soldBefore: 0 };

/** Fewest paths whose difference is not the commonest one, of a mean and of the mean of a tail, for an interval. */
const MIN_DIFFERENT = 30;
const MIN_DIFFERENT_IN_TAIL = 100;

/** A difference; `Low` and `High` are null where too few paths differ, or paths are windows of history, which overlap. */
export interface Change {
  readonly Value: number;
  readonly Low: number | null;
  readonly High: number | null;
}

interface ChangeTerms {
  readonly quantiles: Float64Array;
  /** Confidence of the intervals. */
  readonly level: number;
  /** Whether paths are independent. */
  readonly independent: boolean;
}

/** `after` less `before`: losses and sales of replay and simulation together. */
export async function bookChange(before: BookRun, after: BookRun, terms: ChangeTerms) {
  const loss = pairedMeans(before.columns?.loss, after.columns?.loss, terms);
  const lossOffset = after.lossBefore - before.lossBefore;
  const tails: Record<string, Change> = {};
  for (const [i, q] of terms.quantiles.entries()) {
    await nextTurn();
    const [from, to] = [before, after].map(run => shortfalls(run, i, q));
    tails[String(q)] = pairedMeans(from, to, terms, MIN_DIFFERENT_IN_TAIL)(lossOffset);
  }
  await nextTurn();
  const sold = pairedMeans(before.columns?.sold, after.columns?.sold, terms);
  return {
    ExpectedLoss: loss(lossOffset),
    LossCVar: tails,
    ForcedSaleUsd: sold(after.soldBefore - before.soldBefore),
  };
}

/** Values whose mean is the tail mean of the loss, path by path: its influence function at the quantile. */
function shortfalls({ columns, summaries }: BookRun, i: number, q: number): Float64Array | undefined {
  if (columns === undefined || summaries === undefined) return undefined;
  const quantile = summaries.loss.quantiles[i];
  return columns.loss.map(loss => quantile + Math.max(0, loss - quantile) / (1 - q));
}

/** The mean of differences path by path. */
function pairedMeans(
  before: Float64Array | undefined,
  after: Float64Array | undefined,
  { level, independent }: ChangeTerms,
  least = MIN_DIFFERENT,
): (offset: number) => Change {
  const paths = (before ?? after)?.length ?? 0;
  const differences = new Float64Array(paths);
  let [sum, squares, cubes] = [0, 0, 0];
  for (let p = 0; p < paths; p++) {
    const difference = (after?.[p] ?? 0) - (before?.[p] ?? 0);
    differences[p] = difference;
    sum += difference;
    squares += difference * difference;
    cubes += difference * difference * difference;
  }
  const mean = paths === 0 ? 0 : sum / paths;
  const sums = { paths, sum, squares, cubes };
  const error = independent && uncommonValues(differences, least) >= least ? meanError(sums) : undefined;
  const reach = skewedReach(skewnessOfMean(sums), twoSidedNormal(level));
  return offset => {
    const interval = error === undefined ? undefined : intervalOfReach(offset + mean, error, reach);
    return { Value: offset + mean, Low: interval?.low ?? null, High: interval?.high ?? null };
  };
}
