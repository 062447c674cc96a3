// W of a day: the factor of the variance that makes a day's shocks Student's t.
// Provides: day_multiplier. Expects: extra_word, slice, tables (rows of core/random/multiplier-table.ts).
// Twin: src/core/random/multiplier-table.ts.

// Segments of an octave, and octaves of a half of (0, 1).
const MULTIPLIER_SEGMENTS = 16u;
const MULTIPLIER_OCTAVES = 32u;

// W of day `day` of a path, at most `cap`.
fn day_multiplier(path: u32, day: u32, cap: f32) -> f32 {
  let word = extra_word(path, day, slice.seed);
  let upper = bitcast<u32>(bitcast<i32>(word) >> 31u);
  // Distance from the nearer end in units of 2^-33, always odd.
  let distance = ((word ^ upper) << 1u) | 1u;
  let zeros = countLeadingZeros(distance);
  let shifted = distance << zeros;
  let segment = (shifted >> 27u) & (MULTIPLIER_SEGMENTS - 1u);
  let row = tables[((upper & MULTIPLIER_OCTAVES) + zeros) * MULTIPLIER_SEGMENTS + segment];
  let d = f32(shifted & 0x7ffffffu) * 0x1p-27;
  return min(cap, fma(d, fma(d, fma(d, row.w, row.z), row.y), row.x));
}
