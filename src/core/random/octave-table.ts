/**
 * Smooth functions of m + 1/2, m = 0..2^31-1, by table: octaves by leading zeros, each of 128 segments with a polynomial. Segments
 * shrink with the magnitude: the table is accurate also where the function has a singularity at 0. Additions and products only: the
 * same bits on every machine.
 */

/** Segments per octave, as a power of two. */
export const SEGMENT_BITS = 7;
const SEGMENTS = 1 << SEGMENT_BITS;
/** The bits of a magnitude behind its leading one and its segment. */
export const OFFSET_BITS = 31 - SEGMENT_BITS;
export const OFFSET_MASK = 2 ** OFFSET_BITS - 1;
/** Rows of an octave; the lower half is unused, because the index includes the leading one. */
export const OCTAVE_ROWS = 2 * SEGMENTS;
/** Rows of a table: magnitude 0 has an octave of its own. */
export const TABLE_ROWS = 33 * OCTAVE_ROWS;

/**
 * Columns of coefficients: row r of column k is c_k of f = sum c_k d^k. A magnitude m with n leading zeros and t = m 2^n mod
 * 2^32 has row n OCTAVE_ROWS + floor(t / 2^OFFSET_BITS), and d is the rest of t.
 * Columns, not rows: several reads of one index are one bounds check.
 *
 * @param f the function of m + 1/2
 * @param degree degree of the polynomials, each through Chebyshev points of its segment
 * @param columns receive the rows from `firstRow` on; degree + 1 of them
 */
export function fillOctaves(
  f: (middle: number) => number,
  degree: number,
  columns: readonly Float64Array[],
  firstRow: number,
): void {
  const points = Array.from({ length: degree + 1 }, (_, i) =>
    Math.cos((Math.PI * (2 * i + 1)) / (2 * (degree + 1))),
  );
  // A shift by 32 is a shift by 0: magnitude 0 stays 0, in a row of its own.
  columns[0][firstRow + 32 * OCTAVE_ROWS] = f(0.5);
  for (let zeros = 1; zeros < 32; zeros++) {
    const octave = 2 ** (31 - zeros);
    const width = octave / SEGMENTS;
    for (let segment = 0; segment < SEGMENTS; segment++) {
      const first = octave + segment * width;
      const row = firstRow + zeros * OCTAVE_ROWS + SEGMENTS + segment;
      // Where a segment has one magnitude or none, its value is stored as it is.
      if (width < 1) columns[0][row] = f(first + 0.5);
      else fitSegment(f, points, columns, row, first, width);
    }
  }
}

/** Writes the polynomial through the Chebyshev points, which lie in -1..1, of magnitudes [first, first + width) at `row`. */
function fitSegment(
  f: (middle: number) => number,
  points: readonly number[],
  columns: readonly Float64Array[],
  row: number,
  first: number,
  width: number,
): void {
  // In u = d / 2^OFFSET_BITS, 0..1 over the segment; a magnitude stands for the half before and behind it.
  const nodes = points.map(t => (1 + t) / 2 - 0.5 / width);
  const values = nodes.map(u => f(first + u * width + 0.5));
  // From powers of u to powers of d.
  powersThrough(nodes, values).forEach((power, k) => {
    columns[k][row] = power * 2 ** (-OFFSET_BITS * k);
  });
}

/** Coefficients, of rising power, of the polynomial through points, by Newton's divided differences. @param values at the nodes, CHANGED */
export function powersThrough(nodes: readonly number[], values: number[]): number[] {
  const degree = nodes.length - 1;
  for (let order = 1; order <= degree; order++) {
    for (let i = degree; i >= order; i--) {
      values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
    }
  }
  const powers = new Array<number>(degree + 1).fill(0);
  for (let i = degree; i >= 0; i--) {
    for (let k = degree; k >= 1; k--) powers[k] = powers[k - 1] - nodes[i] * powers[k];
    powers[0] = values[i] - nodes[i] * powers[0];
  }
  return powers;
}
