// Parameters, drifts and weight of a pair under GBM, with or without its amounts, whose paths of odd number have a shifted drift. It
// repeats the members of gbm_pair_parameters.wgsl: a WGSL struct cannot include those of another.
// Inputs: path; the log ratio at the end of a path.
// Outputs: drifts of a step; weight of a path.
// Units: log2 of ratios and prices, by the hour; weights 0 .. 2.
// Provides: MarketParameters, pair_drifts, market_weight.
// Reference: src/core/plan/model/gbm-shifted.ts.
// Expects:
//   kernel/bindings.wgsl: market
//   model/path_weight.wgsl: path_is_shifted, path_weight
//   one market: MarketState

struct MarketParameters {
  // The ratio as in model/gbm_log_ratio.wgsl.
  variance: f32,
  phase: u32,
  drift: f32,
  start: f32,
  // Of each asset, x and y: factors of the two normals in a step; z: drift of a step; w: log2 of the weight, its start.
  collateral: vec4<f32>,
  loan: vec4<f32>,
  // Drifts of a step on paths of odd number: x of the log ratio, y of the collateral, z of the loan.
  shifted: vec4<f32>,
  // The exponent of the weight of a path: start + slope log2(C/L) at its end.
  weight_start: f32,
  weight_slope: f32,
}

// Drifts of a step: x of the log ratio, y of the collateral, z of the loan.
fn pair_drifts(path: u32) -> vec3<f32> {
  let plain = vec3(market.drift, market.collateral.z, market.loan.z);
  return select(plain, market.shifted.xyz, path_is_shifted(path));
}

// The weight of a path, after its last step.
fn market_weight(state: ptr<function, MarketState>) -> f32 {
  return path_weight(fma(market.weight_slope, (*state).log_ratio, market.weight_start));
}
