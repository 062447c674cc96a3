/** How sure figures are, as `Accuracy` of an answer has it. */

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
