/** The summaries of the columns of a book: a device leaves them to the processor, which sorts every column. */
import type {
  BookPathColumns,
  BookProduct,
  BookSummaries,
  ColumnSummary,
  UnsummarisedBook,
} from '../plan/product/book.ts';
import type { OutcomeOf, Product } from '../plan/products.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';

/** A column to summarise. */
export interface SummaryTask {
  readonly column: Float64Array;
  readonly quantiles: Float64Array;
  /** Of the paths; undefined where they are equal. */
  readonly weights: Float64Array | undefined;
}

/** Computes summaries in the order of their columns. */
export type Summarise = (
  tasks: readonly SummaryTask[],
  signal: AbortSignal | undefined,
) => Promise<readonly ColumnSummary[]>;

/** The summaries of all figures of the paths; a weight is none. */
export async function summariesOf(
  { weight, ...columns }: BookPathColumns,
  quantiles: Float64Array,
  summarise: Summarise,
  signal: AbortSignal | undefined,
): Promise<BookSummaries> {
  const named = Object.entries(columns);
  const tasks = named.map(([, column]) => ({ column, quantiles, weights: weight }));
  const summaries = await summarise(tasks, signal);
  return Object.fromEntries(named.map(([name], i) => [name, summaries[i]])) as unknown as BookSummaries;
}

/** The whole outcome of a run on a device. */
export async function withSummaries<P extends Product>(
  { product }: SimulationPlan<P>,
  outcome: OutcomeOf<P> | UnsummarisedBook,
  summarise: Summarise,
  signal: AbortSignal | undefined,
): Promise<OutcomeOf<P>> {
  if (outcome.kind !== 'book') return outcome as OutcomeOf<P>;
  const { quantiles } = product as BookProduct;
  const summaries = await summariesOf(outcome.columns, quantiles, summarise, signal);
  return { ...outcome, summaries } as unknown as OutcomeOf<P>;
}
