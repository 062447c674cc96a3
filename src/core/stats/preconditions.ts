/** Preconditions of every statistic. A violation is a fault of the program, not of a request: hence RangeError, not RiskError. */

/** Throws RangeError unless `values` has at least `least` entries and every entry is finite. */
export function requireFinite(name: string, values: ArrayLike<number>, least = 1): void {
  requireLength(name, values.length, least);
  if (areFinite(values)) return;
  let first = 0;
  while (Number.isFinite(values[first])) first++;
  requireFiniteEntry(name, values, first);
}

/** Throws RangeError unless there are at least `least` values. */
export function requireLength(name: string, length: number, least = 1): void {
  if (length < least) throw new RangeError(`${name} has ${length} values, at least ${least} needed`);
}

/** Throws RangeError unless the i-th entry is finite. */
export function requireFiniteEntry(name: string, values: ArrayLike<number>, i: number): void {
  if (!Number.isFinite(values[i])) throw new RangeError(`${name}[${i}] is ${values[i]}, must be finite`);
}

/** x - x is 0, or NaN where x is not finite: no branch, and four independent sums. */
function areFinite(values: ArrayLike<number>): boolean {
  const whole = values.length - (values.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += values[i] - values[i];
    b += values[i + 1] - values[i + 1];
    c += values[i + 2] - values[i + 2];
    d += values[i + 3] - values[i + 3];
  }
  for (let i = whole; i < values.length; i++) a += values[i] - values[i];
  return a + b + c + d === 0;
}

/** Throws RangeError unless 0 <= probability <= 1. */
export function requireProbability(name: string, probability: number): void {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`${name} is ${probability}, must be between 0 and 1`);
  }
}

/** Throws RangeError unless 0 < probability < 1. */
export function requireInnerProbability(name: string, probability: number): void {
  if (!(probability > 0 && probability < 1)) {
    throw new RangeError(`${name} is ${probability}, must be above 0 and below 1`);
  }
}
