// Correlated geometric Brownian motion by the hour; the price is a martingale (methodology part 3.1).
// Inputs: correlated shocks with their drift.
// Outputs: log prices after each step.
// Units: log2 of prices relative to the start.
// Provides: model_advance.
// Reference: src/core/reference/asset-paths.ts.
// Expects:
//   model/log_walk.wgsl: last_row, log_walk
//   one model: ModelState

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let log_prices = log_walk((*state).log_price[quad], shocks);
  (*state).log_price[quad] = last_row(log_prices);
  return log_prices;
}
