// Correlated geometric Brownian motion from horizon to horizon: step k has a length of its own. Log prices are in base 2.
// Provides: model_shock_origin, model_advance. Expects: market of model/gbm_parameters.wgsl,
// horizon_steps, running_sum, log_prices.wgsl.
// Twin: GbmHorizons of src/core/reference/horizon-paths.ts.

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
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
