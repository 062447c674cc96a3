// Correlated geometric Brownian motion, a martingale in price (methodology part 3.1). Log prices are in base 2.
// Provides: model_advance. Expects: log_walk, log_prices.wgsl.
// Twin: src/core/reference/asset-paths.ts.

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
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
