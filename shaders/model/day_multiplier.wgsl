// Student's t: its parameters, and W of a day, the factor of the variance that gives a day's shocks a Student's t distribution.
// Inputs: path, day; tables: the rows of src/core/random/multiplier-table.ts.
// Outputs: W, 0 .. multiplier_cap.
// Units: variance relative to that of GBM.
// Provides: MarketParameters, day_multiplier.
// Reference: src/core/random/multiplier-table.ts.
// Expects:
//   kernel/bindings.wgsl: slice, tables
//   lib/extra_words.wgsl: extra_word

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: sigma_i sqrt(dt) log2(e) times a factor of the correlation matrix,
  // with dt an hour, or a year where steps have lengths of their own.
  factor: array<vec4<f32>, 256>,
  // Per asset, -sigma^2 dt / 2 log2(e): the drift of a step where W is 1.
  drift: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
  // Sums of the weights of each side.
  collateral_sum: f32,
  loan_sum: f32,
  // Largest W.
  multiplier_cap: f32,
  // log2(C/L) at the start of a pair of single assets.
  log_start: f32,
}

// Segments of an octave, and octaves of half of (0, 1).
const MULTIPLIER_SEGMENTS = 16u;
const MULTIPLIER_OCTAVES = 32u;

// W of day `day` of a path, at most `cap`: a cubic per segment of the word.
fn day_multiplier(path: u32, day: u32, cap: f32) -> f32 {
  let word = extra_word(path, day, slice.seed);
  let upper = bitcast<u32>(bitcast<i32>(word) >> 31u);
  // Distance from the nearer end of (0, 1) in units of 2^-33, always odd.
  let distance = ((word ^ upper) << 1u) | 1u;
  let zeros = countLeadingZeros(distance);
  let shifted = distance << zeros;
  let segment = (shifted >> 27u) & (MULTIPLIER_SEGMENTS - 1u);
  let row = tables[((upper & MULTIPLIER_OCTAVES) + zeros) * MULTIPLIER_SEGMENTS + segment];
  let d = f32(shifted & 0x7ffffffu) * 0x1p-27;
  return min(cap, fma(d, fma(d, fma(d, row.w, row.z), row.y), row.x));
}
