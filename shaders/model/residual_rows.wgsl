// Rows of standardised residuals, and the drift that they need.
// Provides: residual_row, residuals, next_variance, log_mean_exponential. Expects: variance_parameters.wgsl, extra_word, slice, tables,
// market, assets, asset_quads. Tables: the rows, a vector for each quad of assets; then, from cumulant_start on, the rows of
// core/random/cumulant-table.ts of each asset. Twin: src/core/random/cumulant-table.ts.

// Rows of one asset, and the powers of two that they begin and end with.
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
  // The exponent above that of the first row, the sixteenth of the octave, and the place in it.
  var row = (((bits >> 23u) + CUMULANT_LEAST_POWER - 127u) << 4u) | ((bits >> 19u) & 15u);
  var d = f32(bits & 0x7ffffu) * 0x1p-19;
  if (inside == CUMULANT_LARGEST) {
    row = CUMULANT_ROWS - 1u;
    d = 1.0;
  }
  let cubic = tables[market.cumulant_start + asset * CUMULANT_ROWS + row];
  // Beyond the table the logarithm grows in proportion to a.
  return fma(d, fma(d, fma(d, cubic.w, cubic.z), cubic.y), cubic.x) * a * min(a, CUMULANT_LARGEST);
}

// The same for the assets of a quad.
fn log_mean_exponential(quad: u32, a: vec4<f32>) -> vec4<f32> {
  var result = vec4(0.0);
  for (var k = 0u; k < 4u; k++) {
    if (4u * quad + k < assets) {
      result[k] = log_mean_exponential_of(4u * quad + k, a[k]);
    }
  }
  return result;
}
