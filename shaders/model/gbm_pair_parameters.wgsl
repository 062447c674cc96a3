// Parameters of a pair under GBM with its amounts, and its drifts, the same on every path.
// Units: log2 of ratios and prices, by the hour.
// Provides: MarketParameters, pair_drifts.
// Expects:
//   kernel/bindings.wgsl: market

struct MarketParameters {
  // The ratio as in model/gbm_log_ratio.wgsl.
  variance: f32,
  phase: u32,
  drift: f32,
  start: f32,
  // Of each asset, x and y: factors of the two normals in a step; z: drift of a step; w: log2 of the weight, its start.
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// Drifts of a step: x of the log ratio, y of the collateral, z of the loan.
fn pair_drifts(path: u32) -> vec3<f32> {
  return vec3(market.drift, market.collateral.z, market.loan.z);
}
