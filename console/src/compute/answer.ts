/** The body of an answer, as far as all operations have it in common, and the types of its members. */
import type {
  LoanDistribution,
  PositionDistribution,
  TailDistribution,
} from '../../../src/core/figures/distribution.ts';
import type { Warning } from '../../../src/core/warnings.ts';

/** One figure of `Accuracy`; members of other figures are absent. */
export interface FigureAccuracy {
  readonly low?: number | null;
  readonly high?: number | null;
  readonly standard_error?: number | null;
  readonly exact?: number;
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
