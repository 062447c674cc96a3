/**
 * Two words to two independent standard normals, in double precision; twins: shaders/lib/draw.wgsl, kernel/normal.ts.
 *
 * With u = (w0 + 1/2) / 2^32 and the angle 2 pi w1 / 2^32 (Box and Muller, "A note on the generation of random normal
 * deviates", Annals of Mathematical Statistics 29 (1958), 610-611):
 *   r = sqrt(-2 ln u), z0 = r cos(angle), z1 = r sin(angle); r <= 6.77.
 * Radius and angle come from tables: JavaScript's logarithm, sine and cosine would cost more than the rest of a step.
 * Additions and products only: the same bits on every machine. Absolute error of a normal below 5e-12.
 */
import { fillOctaves, TABLE_ROWS } from './octave-table.ts';

const WORD_SCALE = 2 ** -32;
const column = () => new Float64Array(2 * TABLE_ROWS);

/**
 * The radius by its word, cubic: rows 0.. for words below 2^31 counted from 0 (u small), rows TABLE_ROWS.. for the others
 * counted from the top (u near 1): large and small radii are equally accurate.
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
/** Radians of a word. */
export const WORD_ANGLE = 2 * Math.PI * WORD_SCALE;
/** Radians from the beginning of a part to its middle, where the tables have their entries. */
export const HALF_PART = Math.PI * 2 ** -ANGLE_BITS;

/** Cosine and sine at the middle of every part of the circle. */
export const COSINES = partsOfCircle(Math.cos);
export const SINES = partsOfCircle(Math.sin);

function partsOfCircle(f: (angle: number) => number): Float64Array {
  return Float64Array.from({ length: 2 ** ANGLE_BITS }, (_, i) => f((2 * i + 1) * HALF_PART));
}

/** a z0 + b z1 of every step as scale r cos(angle - phase). */
export interface Projection {
  /** sqrt(a^2 + b^2). */
  readonly scale: number;
  /** The phase as a word, 32 bits. */
  readonly phase: number;
  /** The phase less that word, in radians. */
  readonly rest: number;
}

/** The projection of a pair's normals on the direction (a, b). */
export function projectionOn(a: number, b: number): Projection {
  const angle = Math.atan2(b, a);
  const words = Math.round(angle / WORD_ANGLE);
  // As a word, half a turn is the same forwards and backwards; the rest is not.
  return { scale: Math.hypot(a, b), phase: words | 0, rest: angle - words * WORD_ANGLE };
}
