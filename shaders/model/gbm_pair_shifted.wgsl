// A pair under GBM, with its amounts or without, of which the paths of odd number are shifted: parameters, drifts and weight.
// Provides: MarketParameters, pair_drifts, market_weight. Expects: market, MarketState of model/gbm_loan_pair.wgsl or
// model/gbm_log_ratio.wgsl, model/path_weight.wgsl. Twin: src/core/plan/model/gbm-shifted.ts.

struct MarketParameters {
  // The ratio as in model/gbm_log_ratio.wgsl.
  variance: f32,
  phase: u32,
  drift: f32,
  start: f32,
  // x, y of each asset: what the pair's two normals add in a step; z: the drift of a step; w: the start, log2 of the weight.
  collateral: vec4<f32>,
  loan: vec4<f32>,
  // Drifts of a step on paths of odd number: x of the log ratio, y of the collateral, z of the loan.
  shifted: vec4<f32>,
  // What the weight of a path is taken from: start + slope log2(C/L) at its end.
  weight_start: f32,
  weight_slope: f32,
}

// The drifts of a step: of the log ratio, of the collateral, of the loan.
fn pair_drifts(path: u32) -> vec3<f32> {
  let plain = vec3(market.drift, market.collateral.z, market.loan.z);
  return select(plain, market.shifted.xyz, path_is_shifted(path));
}

// The weight of a path that has come to its end.
fn market_weight(state: ptr<function, MarketState>) -> f32 {
  return path_weight(fma(market.weight_slope, (*state).log_ratio, market.weight_start));
}
