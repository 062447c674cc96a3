/**
 * Expected times of runs: the prediction from the bench (costs.ts), corrected by finished runs.
 *
 * Takes: runs and how they ended. Gives: expected seconds. Must not know: who waits, what the work is.
 */

/** Runs with the same key have comparable times. */
export interface RunKind {
  /** Requests of one kind have one correction. */
  readonly kind: string;
  /** Seconds with the engine to itself, as the bench predicts them; above 0. */
  readonly predictedSeconds: number;
}

/** Weight of the latest run in the mean of its kind. */
const NEWEST_WEIGHT = 0.2;
/** Weight of the bench in the mean of a kind with each doubt. */
const DOUBT_WEIGHT = 0.05;

export function createRunTimes() {
  /** Mean of observed over predicted seconds of each kind. */
  const corrections = new Map<string, number>();
  return {
    /** Expected seconds of the whole engine. */
    expected: ({ kind, predictedSeconds }: RunKind): number =>
      (corrections.get(kind) ?? 1) * predictedSeconds,
    /** Records a run that had the engine for `seconds`. */
    note({ kind, predictedSeconds }: RunKind, seconds: number, finished: boolean): void {
      const observed = seconds / predictedSeconds;
      const known = corrections.get(kind);
      const mean = known ?? (finished ? observed : 1);
      // An aborted run gives only a lower bound.
      if (finished || observed > mean) corrections.set(kind, mean + NEWEST_WEIGHT * (observed - mean));
    },
    /** Moves the correction of a kind towards the bench after a refusal: no run can correct it otherwise. */
    doubt({ kind }: RunKind): void {
      const known = corrections.get(kind);
      if (known !== undefined) corrections.set(kind, known + DOUBT_WEIGHT * (1 - known));
    },
  };
}
