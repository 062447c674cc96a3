// Correlated geometric Brownian motion from horizon to horizon: each step has its own length.
// Inputs: the market parameters; lengths of the steps; correlated normals.
// Outputs: log prices at each horizon.
// Units: log2 of prices relative to the start; lengths in years.
// Provides: model_advance.
// Reference: GbmHorizons of src/core/reference/horizon-paths.ts.
// Expects:
//   kernel/bindings.wgsl: market
//   kernel/horizon_values.wgsl: horizon_steps
//   model/horizon_moves.wgsl: horizon_moves
//   model/log_walk.wgsl: last_row, log_walk
//   one model: ModelState

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let lengths = horizon_steps[step >> 2u];
  let moves = horizon_moves(lengths.root_years, lengths.years, market.drift[quad], shocks);
  let log_prices = log_walk((*state).log_price[quad], moves);
  (*state).log_price[quad] = last_row(log_prices);
  return log_prices;
}
