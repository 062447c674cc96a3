/** The body of an answer, as far as all operations have it in common, and the types of its members. */
import type { LoanDistribution, PositionDistribution, TailDistribution } from '#core/figures/distribution.ts';
import type { Warning } from '#core/warnings.ts';

/** One figure of `Accuracy`; members of other figures are absent. */
export interface FigureAccuracy {
  readonly low?: number | null;
  readonly high?: number | null;
  readonly standard_error?: number | null;
  readonly exact?: number | null;
  readonly method?: string;
}

/** By figure. */
export type Accuracies = Readonly<Record<string, FigureAccuracy>>;

/** Level of the intervals, that of the server where the query names none. */
export const LEVEL = 0.95;

export type Distribution = LoanDistribution | PositionDistribution | TailDistribution;

export const isOfLoan = (of: Distribution | undefined): of is LoanDistribution =>
  of !== undefined && 'LowestCCR' in of;
export const isOfPosition = (of: Distribution | undefined): of is PositionDistribution =>
  of !== undefined && 'FinalEquity' in of;
export const isOfHorizons = (of: Distribution | undefined): of is TailDistribution =>
  of !== undefined && !isOfLoan(of) && !isOfPosition(of);

export interface OperationBody {
  readonly Arguments: Readonly<Record<string, unknown>>;
  readonly Output?: Readonly<Record<string, unknown>>;
  readonly Results?: Readonly<Record<string, unknown>>;
  readonly Accuracy?: { readonly level: number; readonly figures: Accuracies };
  readonly Distribution?: Distribution;
  readonly Model?: Readonly<Record<string, unknown>>;
  readonly Plan?: unknown;
  readonly Warnings?: readonly Warning[];
  readonly 'Risk engine version': string;
}

/** Figures by their keys in a table. */
export type Figures = Readonly<Record<string, number>>;

/** The key of a figure by the names of its members, the outermost first. */
export type KeyOf = (path: readonly string[]) => string;

const joined: KeyOf = path => path.join(' ');

/** The leaves of a nested object that pass a test, by their keys. */
function leavesOf<T>(root: unknown, isLeaf: (value: unknown) => value is T, keyOf: KeyOf): Record<string, T> {
  const found: Record<string, T> = {};
  const add = (value: unknown, path: readonly string[]) => {
    if (isLeaf(value)) found[keyOf(path)] = value;
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) add(inner, [...path, name]);
  };
  add(root, []);
  return found;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isAccuracy = (value: unknown): value is FigureAccuracy =>
  typeof value === 'object' &&
  value !== null &&
  ['low', 'standard_error', 'method'].some(name => name in value);

/** The numbers of `Output` or `Results`, also nested ones. */
export const numbersOf = (result: unknown, keyOf = joined): Figures => leavesOf(result, isNumber, keyOf);

/** How sure figures are, by the same keys. */
export const accuraciesOf = (nested: unknown, keyOf = joined): Accuracies =>
  leavesOf(nested, isAccuracy, keyOf);
