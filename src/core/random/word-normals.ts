/** The normals of two words by the tables, in the plain form of what the loops of draws.ts have written out. */
import { ANGLE_BITS, COSINES, HALF_PART, RADIUS_COLUMNS, SINES, WORD_ANGLE } from './box-muller.ts';
import { OCTAVE_ROWS, OFFSET_BITS, OFFSET_MASK, TABLE_ROWS } from './octave-table.ts';

/** An angle's word is part number `word >>> ANGLE_SHIFT` and the rest `word & ANGLE_MASK` from its beginning. */
const ANGLE_SHIFT = 32 - ANGLE_BITS;
const ANGLE_MASK = 2 ** ANGLE_SHIFT - 1;

/**
 * The radius of a word.
 *
 * @param word 32 bits, signed or unsigned
 * @returns sqrt(-2 ln((word + 1/2) / 2^32)), 1.5e-5..6.77
 */
function radiusOfWord(word: number): number {
  const sign = word >> 31;
  const magnitude = word ^ sign;
  const zeros = Math.clz32(magnitude);
  const shifted = magnitude << zeros;
  const row = (TABLE_ROWS & sign) + zeros * OCTAVE_ROWS + (shifted >>> OFFSET_BITS);
  const d = shifted & OFFSET_MASK;
  const [c0, c1, c2, c3] = RADIUS_COLUMNS;
  return c0[row] + d * (c1[row] + d * (c2[row] + d * c3[row]));
}

/**
 * The two normals of a step's words.
 *
 * @param radius word of the radius, 32 bits
 * @param angle word of the angle, 32 bits
 * @returns [z0, z1], for assets 2k and 2k + 1
 */
export function normalsOfWords(radius: number, angle: number): readonly [number, number] {
  const r = radiusOfWord(radius);
  const part = angle >>> ANGLE_SHIFT;
  const delta = (angle & ANGLE_MASK) * WORD_ANGLE - HALF_PART;
  const squared = delta * delta;
  const sine = delta - delta * squared * (1 / 6);
  const versine = squared * (0.5 - squared * (1 / 24));
  const c = COSINES[part];
  const s = SINES[part];
  return [r * (c - (c * versine + s * sine)), r * (s - (s * versine - c * sine))];
}
