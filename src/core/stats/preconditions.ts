/**
 * What every statistic asks of its numbers before it counts on them.
 *
 * A violation is a mistake of the calling code, not of a caller of the service: hence RangeError, not RiskError.
 */

/** Throws RangeError unless `values` has at least `least` entries and every entry is finite. */
export function requireFinite(name: string, values: ArrayLike<number>, least = 1): void {
  if (values.length < least)
    throw new RangeError(`${name} has ${values.length} values, at least ${least} needed`);
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw new RangeError(`${name}[${i}] is ${values[i]}, must be finite`);
  }
}

/** Throws RangeError unless 0 <= probability <= 1. */
export function requireProbability(name: string, probability: number): void {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`${name} is ${probability}, must be between 0 and 1`);
  }
}
