// Parameters, drift and weight of geometric Brownian motion of every asset by the hour, whose paths of odd number have a shifted drift. It
// repeats the members of gbm_parameters.wgsl: a WGSL struct cannot include those of another.
// Inputs: path; log prices at the end of a path.
// Outputs: drift of a step; weight of a path.
// Units: log2 of prices, by the hour; weights 0 .. 2.
// Provides: MarketParameters, model_shock_origin, market_weight.
// Reference: src/core/plan/model/gbm-shifted.ts.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market
//   model/path_weight.wgsl: path_is_shifted, path_weight
//   one market: MarketState

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: sigma_i sqrt(dt) log2(e) times a factor of the correlation matrix,
  // with dt an hour, or a year where steps have lengths of their own.
  factor: array<vec4<f32>, 256>,
  // Per asset, -sigma^2 dt / 2 log2(e): the drift of a step.
  drift: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
  // Sums of the weights of each side.
  collateral_sum: f32,
  loan_sum: f32,
  // Per asset, the drift of a step on paths of odd number.
  shifted_drift: array<vec4<f32>, 8>,
  // Per asset, its share of the collateral less its share of the debt; 0 for assets that do not exist.
  exposure: array<vec4<f32>, 8>,
  // The exponent of the weight of a path: start + slope sum(exposure log2 S) at its end.
  weight_start: f32,
  weight_slope: f32,
}

// The initial value of the correlated shocks of a quad: the drift of one step.
fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return select(market.drift[quad], market.shifted_drift[quad], path_is_shifted(path));
}

// The weight of a path, after its last step.
fn market_weight(state: ptr<function, MarketState>) -> f32 {
  var log_return = 0.0;
  for (var i = 0u; i < asset_quads; i++) {
    log_return += dot(market.exposure[i], (*state).model.log_price[i]);
  }
  return path_weight(fma(market.weight_slope, log_return, market.weight_start));
}
