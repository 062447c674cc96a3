/**
 * Two words to two independent standard normals, in double precision; twins: shaders/lib/draw.wgsl, wasm/normal.ts.
 *
 * With u = (w0 + 1/2) / 2^32 and the angle 2 pi w1 / 2^32 (Box and Muller, "A note on the generation of random normal
 * deviates", Annals of Mathematical Statistics 29 (1958), 610-611):
 *   r = sqrt(-2 ln u), z0 = r cos(angle), z1 = r sin(angle); r <= 6.77.
 * Radius and angle come from tables: JavaScript's logarithm, sine and cosine would cost more than everything else of a
 * step. Additions and products only, so the same bits on every machine. Absolute error of a normal below 5e-12.
 */
import { fillOctaves, OCTAVE_ROWS, OFFSET_BITS, OFFSET_MASK, TABLE_ROWS } from './octave-table.ts';

const WORD_SCALE = 2 ** -32;
const column = () => new Float64Array(2 * TABLE_ROWS);

/**
 * The radius by its word, cubic: rows 0.. for words below 2^31 counted from 0 (u small), rows TABLE_ROWS.. for the others
 * counted from the top (u near 1), so that large and small radii keep their accuracy alike.
 */
export const RADIUS_COLUMNS: readonly [Float64Array, Float64Array, Float64Array, Float64Array] = [
  column(),
  column(),
  column(),
  column(),
];
fillOctaves(middle => Math.sqrt(-2 * Math.log(middle * WORD_SCALE)), 3, RADIUS_COLUMNS, 0);
fillOctaves(middle => Math.sqrt(-2 * Math.log1p(-middle * WORD_SCALE)), 3, RADIUS_COLUMNS, TABLE_ROWS);

/** Parts of the circle, as a power of two. */
export const ANGLE_BITS = 10;
/** An angle's word is part number `word >>> ANGLE_SHIFT` and the rest `word & ANGLE_MASK` from its beginning. */
export const ANGLE_SHIFT = 32 - ANGLE_BITS;
export const ANGLE_MASK = 2 ** ANGLE_SHIFT - 1;
/** Radians of a word. */
export const WORD_ANGLE = 2 * Math.PI * WORD_SCALE;
/** Radians from the beginning of a part to its middle, where the tables stand. */
export const HALF_PART = Math.PI * 2 ** -ANGLE_BITS;

/** Cosine and sine at the middle of every part of the circle. */
export const COSINES = partsOfCircle(Math.cos);
export const SINES = partsOfCircle(Math.sin);

function partsOfCircle(f: (angle: number) => number): Float64Array {
  return Float64Array.from({ length: 2 ** ANGLE_BITS }, (_, i) => f((2 * i + 1) * HALF_PART));
}

/**
 * The radius of a word.
 *
 * @param word 32 bits, signed or unsigned
 * @returns sqrt(-2 ln((word + 1/2) / 2^32)), 1.5e-5..6.77
 */
export function radiusOfWord(word: number): number {
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

/** a z0 + b z1 of every step as scale r cos(angle - phase). */
export interface Projection {
  /** sqrt(a^2 + b^2). */
  readonly scale: number;
  /** The phase as a word, 32 bits. */
  readonly phase: number;
  /** What of the phase the word leaves over, in radians. */
  readonly rest: number;
}

/** The projection of a pair's normals on the direction (a, b). */
export function projectionOn(a: number, b: number): Projection {
  const angle = Math.atan2(b, a);
  const words = Math.round(angle / WORD_ANGLE);
  // As a word, half a turn is the same forwards and backwards; for what is left over it is not.
  return { scale: Math.hypot(a, b), phase: words | 0, rest: angle - words * WORD_ANGLE };
}
