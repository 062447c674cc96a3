/**
 * When funding is settled, computed in double on the host for both engines (methodology 7.4).
 */

/** Tolerance, so that an interval that divides the hours, such as 1/3, does not lose its last settlement to rounding. */
const ROUNDING = 1e-9;

/**
 * Settlements that fall into each hourly step: those up to step t are floor(t / interval + 1e-9).
 *
 * @param steps T
 * @param intervalHours hours between settlements, > 0, fractions allowed
 * @returns T counts, index t - 1 for step t
 */
export function settlementsPerStep(steps: number, intervalHours: number): Uint32Array {
  const upTo = (t: number) => Math.floor(t / intervalHours + ROUNDING);
  return Uint32Array.from({ length: steps }, (_, i) => upTo(i + 1) - upTo(i));
}
