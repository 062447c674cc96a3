/**
 * A 32-bit word to a standard normal, in double precision; twin of shaders/lib/normal.wgsl.
 *
 * z = Phi^-1((w + 1/2) / 2^32). Monotone in the word, antisymmetric (w and its complement give -z and z), never
 * infinite: |z| <= 6.34. Evaluated by table: the lower half of the words is cut into octaves (by leading zeros)
 * of 64 segments, each with the polynomial of degree 4 through five Chebyshev points of AS 241. Absolute error
 * below 2e-13 everywhere. No logarithm and no branch in the tails: the same bits on every machine.
 */
import { lowerNormalQuantile } from './inverse-normal.ts';

/** Segments per octave, as a power of two. */
const SEGMENT_BITS = 6;
const SEGMENTS = 1 << SEGMENT_BITS;
const DEGREE = 4;
const WORD_SCALE = 2 ** -32;
/** The bits of a word behind its leading one and its segment. */
const OFFSET_BITS = 31 - SEGMENT_BITS;
const OFFSET_MASK = 2 ** OFFSET_BITS - 1;
/** Rows of an octave: the leading one stays in the index, so the lower half of them is unused. */
const ROWS = 2 * SEGMENTS;

/**
 * Five columns of coefficients: row r of column k is c_k of z = sum c_k d^k, where z = Phi^-1((m + 1/2) / 2^32) and m is a
 * magnitude, 0..2^31-1. With n leading zeros and t = m 2^n mod 2^32, its row is n 2^(SEGMENT_BITS + 1) + floor(t /
 * 2^OFFSET_BITS) and d the rest of t.
 * A column each, not a row each: five reads of one index are one bounds check. `normal-stream.ts` has the evaluation inlined.
 */
export const NORMAL_COLUMNS: readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array] =
  buildColumns();

/**
 * Standard normal of a word.
 *
 * @param word 32 bits, signed or unsigned
 * @returns z, |z| <= 6.34
 */
export function normalFromWord(word: number): number {
  const signed = word | 0;
  const magnitude = signed < 0 ? ~signed : signed;
  const zeros = Math.clz32(magnitude);
  // A shift by 32 is a shift by 0: magnitude 0 stays 0, in a row of its own.
  const shifted = magnitude << zeros;
  const row = zeros * ROWS + (shifted >>> OFFSET_BITS);
  const d = shifted & OFFSET_MASK;
  const [c0, c1, c2, c3, c4] = NORMAL_COLUMNS;
  const z = c0[row] + d * (c1[row] + d * (c2[row] + d * (c3[row] + d * c4[row])));
  return signed < 0 ? -z : z;
}

function buildColumns(): typeof NORMAL_COLUMNS {
  const column = () => new Float64Array(33 * ROWS);
  const columns: typeof NORMAL_COLUMNS = [column(), column(), column(), column(), column()];
  columns[0][32 * ROWS] = lowerNormalQuantile(WORD_SCALE / 2);
  for (let zeros = 1; zeros < 32; zeros++) {
    const octave = 2 ** (31 - zeros);
    const width = octave / SEGMENTS;
    for (let segment = 0; segment < SEGMENTS; segment++) {
      const first = octave + segment * width;
      const row = zeros * ROWS + SEGMENTS + segment;
      // Where a segment holds one magnitude or none, its value is stored as it is.
      if (width < 1) columns[0][row] = lowerNormalQuantile((first + 0.5) * WORD_SCALE);
      else fitSegment(columns, row, first, width);
    }
  }
  return columns;
}

/** Writes the coefficients of the polynomial through the Chebyshev points of magnitudes [first, first + width) at `row`. */
function fitSegment(columns: typeof NORMAL_COLUMNS, row: number, first: number, width: number): void {
  // In u = d / 2^OFFSET_BITS, 0..1 over the segment; a magnitude stands for the half before and behind it.
  const nodes: number[] = [];
  const values: number[] = [];
  for (let i = 0; i <= DEGREE; i++) {
    const t = Math.cos((Math.PI * (2 * i + 1)) / (2 * (DEGREE + 1)));
    const u = (1 + t) / 2 - 0.5 / width;
    nodes.push(u);
    values.push(lowerNormalQuantile((first + u * width + 0.5) * WORD_SCALE));
  }
  // Newton's divided differences, then expanded to powers of u, then scaled to powers of d.
  for (let order = 1; order <= DEGREE; order++) {
    for (let i = DEGREE; i >= order; i--) {
      values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
    }
  }
  const powers = new Array<number>(DEGREE + 1).fill(0);
  for (let i = DEGREE; i >= 0; i--) {
    for (let k = DEGREE; k >= 1; k--) powers[k] = powers[k - 1] - nodes[i] * powers[k];
    powers[0] = values[i] - nodes[i] * powers[0];
  }
  for (let k = 0; k <= DEGREE; k++) columns[k][row] = powers[k] * 2 ** (-OFFSET_BITS * k);
}
