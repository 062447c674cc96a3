// Correlated geometric Brownian motion, a martingale in price (methodology part 3.1). Log prices are in base 2.
// Provides: model_advance. Expects: running_sum, log_prices.wgsl.
// Twin: src/core/reference/asset-paths.ts.

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let last = (*state).log_price[quad];
  let log_prices = mat4x4(
    last.x + running_sum(shocks[0]),
    last.y + running_sum(shocks[1]),
    last.z + running_sum(shocks[2]),
    last.w + running_sum(shocks[3]),
  );
  (*state).log_price[quad] = vec4(log_prices[0].w, log_prices[1].w, log_prices[2].w, log_prices[3].w);
  return log_prices;
}
