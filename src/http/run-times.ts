/**
 * How long runs take, learned from those that were finished: seconds of an undivided engine per asset-step.
 *
 * Takes: runs and how they ended. Gives: seconds to expect. Must not know: who waits, what the work is.
 */

/** What run times are told apart by. */
export interface RunKind {
  readonly kind: string;
  /** Predicted work in asset-steps. */
  readonly work: number;
}

export interface RunTimes {
  /** Seconds that a run will have the engine for itself; 0 while nothing is known of its kind. */
  expected(run: RunKind): number;
  /** Learns from a run that had the engine for `seconds`. */
  note(run: RunKind, seconds: number, finished: boolean): void;
}

/** Weight of the latest run in the mean of its kind. */
const NEWEST_WEIGHT = 0.2;

/** @param costPerRequest what a request costs beside its asset-steps, counted in asset-steps */
export function createRunTimes(costPerRequest: number): RunTimes {
  /** Mean seconds per asset-step of each kind. */
  const means = new Map<string, number>();
  return {
    expected: ({ kind, work }) => (means.get(kind) ?? 0) * (work + costPerRequest),
    note({ kind, work }, seconds, finished) {
      const rate = seconds / (work + costPerRequest);
      const mean = means.get(kind) ?? (finished ? rate : 0);
      // A run that was broken off says only that it takes at least so long.
      if (finished || rate > mean) means.set(kind, mean + NEWEST_WEIGHT * (rate - mean));
    },
  };
}
