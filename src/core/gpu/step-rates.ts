/**
 * Estimates of the duration of a dispatch from earlier ones. A wrong estimate must not confirm itself: an inexact measurement can lower
 * an estimate, not confirm or raise it.
 */

/** A measured duration. */
export interface Measurement {
  readonly nanoseconds: number;
  /** False where the host noticed the end late: an upper bound. */
  readonly exact: boolean;
  /** Whether the dispatch waited for another one, whose end, perhaps noticed late, is its start. */
  readonly queued: boolean;
}

/** Time of one step for 2^bucket paths. */
interface Rate {
  readonly nanoseconds: number;
  /** Whether it is exact, of a dispatch with little overhead. */
  readonly measured: boolean;
}

/** Shorter dispatches are mostly overhead: an upper bound of the rate. */
const SHORT_NANOSECONDS = 2e6;
/** Largest fall of a rate by a dispatch that waited: its start is not exact. */
const LARGEST_QUEUED_FALL = 0.5;

/** Measured time of a dispatch's step by path count: proportional for many paths, a constant latency for few. */
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

  /** Nanoseconds of one step of `paths` paths; the lowest of several bounds if not measured. */
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

  /** The same, undefined if not measured exactly: a run sleeps for exact estimates only. */
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
