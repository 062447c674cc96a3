/**
 * A positive random number by inversion of one 32-bit word w, u = (w + 1/2) / 2^32, by a table of cubics of
 * models/calibration/variance-multiplier.ts. Rows are finer towards both ends: far quantiles have the same relative accuracy.
 */

/** Segments of an octave, as a power of two. */
const SEGMENT_BITS = 4;
export const MULTIPLIER_SEGMENTS = 1 << SEGMENT_BITS;
/** Octaves of a half: distance from the nearer end of (0, 1) in [2^-(k+2), 2^-(k+1)) for k = 0..31. */
export const MULTIPLIER_OCTAVES = 32;
/** Rows of a table: the lower half of (0, 1), then the upper one. */
export const MULTIPLIER_ROWS = 2 * MULTIPLIER_OCTAVES * MULTIPLIER_SEGMENTS;
/** Coefficients of a row, of rising power. */
export const MULTIPLIER_COEFFICIENTS = 4;
/** Bits behind the leading one and the segment. */
const OFFSET_BITS = 31 - SEGMENT_BITS;
const OFFSET_MASK = 2 ** OFFSET_BITS - 1;
const OFFSET_SCALE = 2 ** -OFFSET_BITS;

/**
 * The number of a word, before any cap.
 *
 * @param table MULTIPLIER_ROWS rows of four coefficients
 * @param word any 32 bits
 */
export function multiplierOfWord(table: Float64Array, word: number): number {
  const upper = word >> 31;
  // Distance from the nearer end in units of 2^-33, always odd.
  const distance = ((word ^ upper) << 1) | 1;
  const zeros = Math.clz32(distance);
  const shifted = distance << zeros;
  const segment = (shifted >>> OFFSET_BITS) & (MULTIPLIER_SEGMENTS - 1);
  const row = ((upper & MULTIPLIER_OCTAVES) + zeros) * MULTIPLIER_SEGMENTS + segment;
  const d = (shifted & OFFSET_MASK) * OFFSET_SCALE;
  const at = row * MULTIPLIER_COEFFICIENTS;
  return table[at] + d * (table[at + 1] + d * (table[at + 2] + d * table[at + 3]));
}
