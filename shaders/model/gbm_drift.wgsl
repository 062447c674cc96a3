// The drift of geometric Brownian motion by the hour, the same on every path.
// Provides: model_shock_origin. Expects: market of model/gbm_parameters.wgsl.

// What the correlated shocks of a quad are added to: here the drift of one step.
fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return market.drift[quad];
}
