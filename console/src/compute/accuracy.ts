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
