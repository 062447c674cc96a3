/**
 * The logarithm of a mean of exponentials, K(a) = ln mean exp(a z), by a table of cubics of model/filtered-historical.ts: with the drift
 * K(a), exp(a z - K(a)) is a martingale for z drawn from a list of residuals. The table has K(a) / a^2, which is near 1/2 for residuals of
 * unit variance; its rows are sixteenths of an octave of a.
 */

/** Smallest and largest a of the table as powers of two; below, K(a) / a^2 is nearly constant; above, K(a) / a. */
export const CUMULANT_LEAST_POWER = -10;
const CUMULANT_LARGEST_POWER = 4;
export const CUMULANT_SEGMENTS = 16;
/** Rows of one asset. */
export const CUMULANT_ROWS = (CUMULANT_LARGEST_POWER - CUMULANT_LEAST_POWER) * CUMULANT_SEGMENTS;
/** Coefficients of a row, of rising power. */
export const CUMULANT_COEFFICIENTS = 4;
const LEAST = 2 ** CUMULANT_LEAST_POWER;
const LARGEST = 2 ** CUMULANT_LARGEST_POWER;

/**
 * K(a) of asset `asset`.
 *
 * @param table CUMULANT_ROWS rows of four coefficients per asset
 * @param a daily deviation, >= 0
 */
export function logMeanExponential(table: Float64Array, asset: number, a: number): number {
  const inside = a < LEAST ? LEAST : a > LARGEST ? LARGEST : a;
  let power = CUMULANT_LEAST_POWER;
  let octave = LEAST;
  while (octave * 2 <= inside && power < CUMULANT_LARGEST_POWER - 1) {
    octave *= 2;
    power++;
  }
  const place = (inside / octave - 1) * CUMULANT_SEGMENTS;
  const segment = Math.min(CUMULANT_SEGMENTS - 1, Math.floor(place));
  const d = place - segment;
  const row = (power - CUMULANT_LEAST_POWER) * CUMULANT_SEGMENTS + segment;
  const at = (asset * CUMULANT_ROWS + row) * CUMULANT_COEFFICIENTS;
  const overSquare = table[at] + d * (table[at + 1] + d * (table[at + 2] + d * table[at + 3]));
  // Beyond the table K grows in proportion to a.
  return overSquare * a * (a > LARGEST ? LARGEST : a);
}
