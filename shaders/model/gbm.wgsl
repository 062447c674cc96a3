// Correlated geometric Brownian motion, a martingale in price (methodology part 3.1). Log prices are in base 2.
// Provides: MarketParameters, ModelState and the functions model_*. Expects: market, asset_quads, running_sum, state_put, state_take.
// Twin: src/engine/reference/asset-paths.ts.

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: sigma_i sqrt(dt) log2(e) times a factor of the correlation matrix.
  factor: array<vec4<f32>, 256>,
  // Per asset, -sigma^2 dt / 2 log2(e): the drift of a step.
  drift: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
}

struct ModelState {
  // Per asset, log2 of the price relative to the start; four assets to a quad.
  log_price: array<vec4<f32>, 8>,
}

fn model_begin() -> ModelState {
  return ModelState();
}

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return 4u * asset_quads;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  for (var i = 0u; i < asset_quads; i++) {
    state_put(4u * i, local, (*state).log_price[i]);
  }
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  for (var i = 0u; i < asset_quads; i++) {
    (*state).log_price[i] = state_take(4u * i, local);
  }
}

fn model_uses_normals() -> bool {
  return true;
}

// Nothing is prepared for a group of four steps.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
}

// What the correlated shocks of a quad are added to: here the drift of one step.
fn model_shock_origin(quad: u32) -> vec4<f32> {
  return market.drift[quad];
}

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
