// Parameters of the models with a daily GARCH(1,1) variance per asset, with normal shocks or with rows of residuals.
// Units: daily variances of natural logarithms.
// Provides: MarketParameters, first_variances.
// Reference: src/core/gpu/model/garch.ts packs them.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: a factor of the correlation matrix of the standardised residuals.
  factor: array<vec4<f32>, 256>,
  // Per asset: intercept, reaction and persistence of the daily variance, and its value on the first day.
  omega: array<vec4<f32>, 8>,
  alpha: array<vec4<f32>, 8>,
  beta: array<vec4<f32>, 8>,
  first_variance: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
  // Sums of the weights of each side.
  collateral_sum: f32,
  loan_sum: f32,
  // 1 + volatility shock.
  volatility_scale: f32,
  // log2(C/L) at the start of a pair of single assets.
  log_start: f32,
  // Number of rows of residuals, and index of the first row of cumulants in `tables`; 0 for a model without tables.
  row_count: u32,
  cumulant_start: u32,
}

// Variances of the first day by asset.
fn first_variances() -> array<vec4<f32>, 8> {
  var variances: array<vec4<f32>, 8>;
  for (var i = 0u; i < asset_quads; i++) {
    variances[i] = market.first_variance[i];
  }
  return variances;
}
