/**
 * How long a dispatch takes, estimated from those before.
 *
 * Takes: durations of dispatches. Gives: estimates for splitting runs and for waiting. A wrong estimate must not confirm
 * itself, so a measurement that is not exact may lower an estimate but never confirm or raise it.
 */

/** A duration, and how exactly it was measured. */
export interface Measurement {
  readonly nanoseconds: number;
  /** False where the host saw the end late: the dispatch took no longer than this, perhaps much less. */
  readonly exact: boolean;
  /** Whether the dispatch waited for another: its start is then the end of that one, perhaps seen late. */
  readonly queued: boolean;
}

/** Time of one step for 2^bucket paths. */
interface Rate {
  readonly nanoseconds: number;
  /** Whether it is an exact measurement of a dispatch that was not mostly overhead. */
  readonly measured: boolean;
}

/** A dispatch shorter than this is mostly overhead: it shows only that the rate is not higher. */
const SHORT_NANOSECONDS = 2e6;
/** A dispatch that had to wait lowers a rate to this part of it at most: its start is not known exactly. */
const LARGEST_QUEUED_FALL = 0.5;

/** Measured time of one step of a dispatch, by number of paths: proportional for many, a constant latency for few. */
export class StepRates {
  private readonly rates = new Map<number, Rate>();
  private readonly initialPerPath: number;
  private readonly latencyPaths: number;

  /**
   * @param initialPerPath nanoseconds per path and step of a slow device, until measured
   * @param latencyPaths fewer paths than this take as long as this many, until measured
   */
  constructor(initialPerPath: number, latencyPaths = 1) {
    this.initialPerPath = initialPerPath;
    this.latencyPaths = latencyPaths;
  }

  /** Nanoseconds of one step of `paths` paths; where it was not measured, the lowest of several bounds. */
  estimate(paths: number): number {
    const bucket = bucketOf(paths);
    const share = paths / 2 ** bucket;
    const known = this.rates.get(bucket);
    if (known !== undefined) return known.nanoseconds * share;
    let bound = this.initialPerPath * Math.max(paths, this.latencyPaths);
    for (const [other, { nanoseconds }] of this.rates) {
      bound = Math.min(bound, other > bucket ? nanoseconds : nanoseconds * 2 ** (bucket - other) * share);
    }
    return bound;
  }

  /** The same where it was measured exactly, else undefined: a run sleeps for such an estimate only. */
  measured(paths: number): number | undefined {
    const known = this.rates.get(bucketOf(paths));
    return known?.measured ? this.estimate(paths) : undefined;
  }

  /** Records the duration of `steps` steps of `paths` paths. */
  record(paths: number, steps: number, { nanoseconds, exact, queued }: Measurement): void {
    const bucket = bucketOf(paths);
    const perStep = (nanoseconds / steps) * (2 ** bucket / paths);
    const measured = exact && nanoseconds >= SHORT_NANOSECONDS;
    const known = this.rates.get(bucket);
    if (known === undefined) {
      const lowest = measured ? perStep : Math.min(perStep, this.estimate(2 ** bucket));
      this.rates.set(bucket, { nanoseconds: lowest, measured });
    } else if (perStep <= known.nanoseconds) {
      const lowest = queued ? known.nanoseconds * LARGEST_QUEUED_FALL : 0;
      this.rates.set(bucket, { nanoseconds: Math.max(perStep, lowest), measured });
    } else if (measured) {
      // The first exact measurement replaces a bound.
      const risen = known.measured ? 0.5 * (known.nanoseconds + perStep) : perStep;
      this.rates.set(bucket, { nanoseconds: risen, measured });
    } else if (!exact) {
      this.rates.set(bucket, { ...known, measured: false });
    }
  }
}

function bucketOf(paths: number): number {
  return Math.ceil(Math.log2(paths));
}
