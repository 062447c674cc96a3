// Correlated geometric Brownian motion, a martingale in price (methodology part 3.1). Log prices are in base 2.
// Provides: MarketParameters, ModelState and the functions model_*. Expects: market, assets, running_sum.
// Twin: src/engine/cpu/gbm.ts.

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
  // Per asset, log2 of the price relative to the start.
  log_price: array<f32, 32>,
}

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return assets;
}

fn model_begin() -> ModelState {
  return ModelState();
}

fn model_state_word(state: ptr<function, ModelState>, word: u32) -> f32 {
  return (*state).log_price[word];
}

fn model_set_state_word(state: ptr<function, ModelState>, word: u32, value: f32) {
  (*state).log_price[word] = value;
}

// What the correlated shocks of an asset are added to: here the drift of one step.
fn model_shock_origin(asset: u32) -> f32 {
  return market.drift[asset >> 2u][asset & 3u];
}

// Moves one asset by four steps; returns log2 of its price after each.
fn model_advance(state: ptr<function, ModelState>, asset: u32, shocks: vec4<f32>, step: u32) -> vec4<f32> {
  let log_price = (*state).log_price[asset] + running_sum(shocks);
  (*state).log_price[asset] = log_price.w;
  return log_price;
}
