/**
 * A 32-bit word to a standard normal, in double precision; twin of shaders/lib/normal.wgsl.
 *
 * z = Phi^-1((w + 1/2) / 2^32). Monotone in the word, antisymmetric (w and its complement give -z and z), never
 * infinite: |z| <= 6.34. Evaluated by table: the lower half of the words is cut into octaves (by leading zeros)
 * of 64 segments, each with the polynomial of degree 4 through five Chebyshev points of AS 241. Absolute error
 * below 1e-12 everywhere. No logarithm and no branch in the tails: the same bits on every machine.
 */
import { lowerNormalQuantile } from './inverse-normal.ts';

/** Segments per octave, as a power of two. */
const SEGMENT_BITS = 6;
const SEGMENTS = 1 << SEGMENT_BITS;
/** Doubles per segment: the centre, then five coefficients, padded to one cache line. */
const STRIDE = 8;
const DEGREE = 4;
const WORD_SCALE = 2 ** -32;

/**
 * Row of `leadingZeros * 64 + segment`: centre m_c, then c_0..c_4 of z = sum c_k (m - m_c)^k in the magnitude m of a
 * word, 0..2^31-1, where z = Phi^-1((m + 1/2) / 2^32).
 * Read by `normal-stream.ts`, which has the evaluation inlined.
 */
export const NORMAL_TABLE: Float64Array = buildTable();

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
  const row = tableRow(magnitude, zeros);
  const d = magnitude - NORMAL_TABLE[row];
  const z =
    NORMAL_TABLE[row + 1] +
    d *
      (NORMAL_TABLE[row + 2] +
        d * (NORMAL_TABLE[row + 3] + d * (NORMAL_TABLE[row + 4] + d * NORMAL_TABLE[row + 5])));
  return signed < 0 ? -z : z;
}

/** Index of a magnitude's row: its octave, then the bits behind the leading one. */
function tableRow(magnitude: number, zeros: number): number {
  // Two shifts, since a shift by 32 (magnitude 0) would be a shift by 0.
  const segment = ((magnitude << zeros) >>> (31 - SEGMENT_BITS)) & (SEGMENTS - 1);
  return ((zeros << SEGMENT_BITS) | segment) * STRIDE;
}

function buildTable(): Float64Array {
  const table = new Float64Array(33 * SEGMENTS * STRIDE);
  setConstant(table, 32 * SEGMENTS * STRIDE, 0);
  for (let zeros = 1; zeros < 32; zeros++) {
    const octave = 2 ** (31 - zeros);
    const width = octave / SEGMENTS;
    for (let segment = 0; segment < SEGMENTS; segment++) {
      const first = octave + segment * width;
      const row = (zeros * SEGMENTS + segment) * STRIDE;
      // Where a segment holds one magnitude or none, its value is stored as it is.
      if (width < 1) setConstant(table, row, Math.floor(first));
      else fitSegment(table, row, first - 0.5, first + width - 0.5);
    }
  }
  return table;
}

/** Writes a row that serves one magnitude only. */
function setConstant(table: Float64Array, row: number, magnitude: number): void {
  table[row] = magnitude;
  table[row + 1] = lowerNormalQuantile((magnitude + 0.5) * WORD_SCALE);
}

/** Writes centre and coefficients of the interpolating polynomial on magnitudes [low, high] at `row`. */
function fitSegment(table: Float64Array, row: number, low: number, high: number): void {
  const centre = (low + high) / 2;
  const half = (high - low) / 2;
  const nodes: number[] = [];
  const values: number[] = [];
  for (let i = 0; i <= DEGREE; i++) {
    const t = Math.cos((Math.PI * (2 * i + 1)) / (2 * (DEGREE + 1)));
    nodes.push(t);
    values.push(lowerNormalQuantile((centre + half * t + 0.5) * WORD_SCALE));
  }
  // Newton's divided differences in t, then expanded to powers of t, then scaled to powers of m - centre.
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
  table[row] = centre;
  for (let k = 0; k <= DEGREE; k++) table[row + 1 + k] = powers[k] / half ** k;
}
