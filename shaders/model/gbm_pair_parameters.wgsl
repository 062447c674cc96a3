// The parameters of a pair under GBM with its amounts, and its drifts, the same on every path.
// Provides: MarketParameters, pair_drifts. Expects: market.

struct MarketParameters {
  // The ratio as in model/gbm_log_ratio.wgsl.
  variance: f32,
  phase: u32,
  drift: f32,
  start: f32,
  // x, y of each asset: what the pair's two normals add in a step; z: the drift of a step; w: the start, log2 of the weight.
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// The drifts of a step: of the log ratio, of the collateral, of the loan.
fn pair_drifts(path: u32) -> vec3<f32> {
  return vec3(market.drift, market.collateral.z, market.loan.z);
}
