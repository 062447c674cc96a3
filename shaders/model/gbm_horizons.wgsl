// Correlated geometric Brownian motion from horizon to horizon: step k has a length of its own. Log prices are in base 2.
// Provides: model_shock_origin, model_advance. Expects: market of model/gbm_parameters.wgsl,
// horizon_steps, running_sum, log_prices.wgsl.
// Twin: GbmHorizons of src/core/reference/horizon-paths.ts.

// What the correlated shocks of a quad are added to: they stay those of a year here.
fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return vec4(0.0);
}

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let lengths = horizon_steps[step >> 2u];
  let drift = market.drift[quad];
  let last = (*state).log_price[quad];
  let log_prices = mat4x4(
    last.x + running_sum(fma(lengths.root_years, shocks[0], lengths.years * drift.x)),
    last.y + running_sum(fma(lengths.root_years, shocks[1], lengths.years * drift.y)),
    last.z + running_sum(fma(lengths.root_years, shocks[2], lengths.years * drift.z)),
    last.w + running_sum(fma(lengths.root_years, shocks[3], lengths.years * drift.w)),
  );
  (*state).log_price[quad] = vec4(log_prices[0].w, log_prices[1].w, log_prices[2].w, log_prices[3].w);
  return log_prices;
}
