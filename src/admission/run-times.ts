/**
 * How long runs take: what the bench says of such work (costs.ts), corrected by the runs that were finished here.
 *
 * Takes: runs and how they ended. Gives: seconds to expect. Must not know: who waits, what the work is.
 */

/** Runs with the same key have comparable times. */
export interface RunKind {
  /** Requests of one kind are corrected alike. */
  readonly kind: string;
  /** Seconds with the engine for itself, as the bench predicts them; above 0. */
  readonly predictedSeconds: number;
}

export interface RunTimes {
  /** Seconds that a run will have the engine for itself. */
  expected(run: RunKind): number;
  /** Learns from a run that had the engine for `seconds`. */
  note(run: RunKind, seconds: number, finished: boolean): void;
  /** Trusts what was learned a little less: it has just refused a run that could have proved it wrong. */
  doubt(run: RunKind): void;
}

/** Weight of the latest run in the mean of its kind. */
const NEWEST_WEIGHT = 0.2;
/** Weight of the bench in the mean of a kind with each doubt. */
const DOUBT_WEIGHT = 0.05;

export function createRunTimes(): RunTimes {
  /** Mean of observed over predicted seconds of each kind. */
  const corrections = new Map<string, number>();
  return {
    expected: ({ kind, predictedSeconds }) => (corrections.get(kind) ?? 1) * predictedSeconds,
    note({ kind, predictedSeconds }, seconds, finished) {
      const observed = seconds / predictedSeconds;
      const known = corrections.get(kind);
      const mean = known ?? (finished ? observed : 1);
      // A run that was broken off says only that it takes at least so long.
      if (finished || observed > mean) corrections.set(kind, mean + NEWEST_WEIGHT * (observed - mean));
    },
    doubt({ kind }) {
      const known = corrections.get(kind);
      if (known !== undefined) corrections.set(kind, known + DOUBT_WEIGHT * (1 - known));
    },
  };
}
