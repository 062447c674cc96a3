// The hourly drift of geometric Brownian motion, the same on every path.
// Inputs: market.drift.
// Outputs: the drift of a quad in one step.
// Units: log2 of prices.
// Provides: model_shock_origin.
// Expects:
//   kernel/bindings.wgsl: market

// The initial value of the correlated shocks of a quad: the drift of one step.
fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return market.drift[quad];
}
