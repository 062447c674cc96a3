// Rows of standardised residuals, the variance after one, and the logarithm of their mean exponential, which makes the price a martingale.
// Inputs: path, day; tables: the rows, a vector for each quad of assets, then from cumulant_start on the rows of
// src/core/random/cumulant-table.ts of each asset.
// Outputs: residuals, variances, logarithms.
// Units: natural logarithms, daily variances.
// Provides: residual_row, residuals, next_variance, log_mean_exponential.
// Reference: src/core/random/cumulant-table.ts.
// Expects:
//   kernel/bindings.wgsl: asset_quads, assets, market, slice, tables
//   lib/extra_words.wgsl: extra_word

// Rows of the table of one asset, and the range of `a` that they cover.
const CUMULANT_ROWS = 224u;
const CUMULANT_LEAST_POWER = 10u;
const CUMULANT_LEAST = 0x1p-10;
const CUMULANT_LARGEST = 16.0;

// The row of a day of a path.
fn residual_row(path: u32, day: u32) -> u32 {
  return extra_word(path, day, slice.seed) % market.row_count;
}

// Residuals of the assets of a quad in a row.
fn residuals(row: u32, quad: u32) -> vec4<f32> {
  return tables[row * asset_quads + quad];
}

// The variance of the day after one of variance `variance` and residuals `z`. garch.wgsl adds the same terms in another order,
// which rounds differently: each has the order of its reference.
fn next_variance(quad: u32, variance: vec4<f32>, z: vec4<f32>) -> vec4<f32> {
  return fma(fma(market.alpha[quad], z * z, market.beta[quad]), variance, market.omega[quad]);
}

// ln mean exp(a z) over the residuals z of one asset.
fn log_mean_exponential_of(asset: u32, a: f32) -> f32 {
  let inside = clamp(a, CUMULANT_LEAST, CUMULANT_LARGEST);
  let bits = bitcast<u32>(inside);
  // The row: octave of `a`, then sixteenth of the octave; d is the position within the row, 0 .. 1.
  var row = (((bits >> 23u) + CUMULANT_LEAST_POWER - 127u) << 4u) | ((bits >> 19u) & 15u);
  var d = f32(bits & 0x7ffffu) * 0x1p-19;
  if (inside == CUMULANT_LARGEST) {
    row = CUMULANT_ROWS - 1u;
    d = 1.0;
  }
  let cubic = tables[market.cumulant_start + asset * CUMULANT_ROWS + row];
  // Above the table the logarithm is proportional to a.
  return fma(d, fma(d, fma(d, cubic.w, cubic.z), cubic.y), cubic.x) * a * min(a, CUMULANT_LARGEST);
}

// log_mean_exponential_of for the assets of a quad.
fn log_mean_exponential(quad: u32, a: vec4<f32>) -> vec4<f32> {
  var result = vec4(0.0);
  for (var k = 0u; k < 4u; k++) {
    if (4u * quad + k < assets) {
      result[k] = log_mean_exponential_of(4u * quad + k, a[k]);
    }
  }
  return result;
}
