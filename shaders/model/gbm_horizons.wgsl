// Correlated geometric Brownian motion from horizon to horizon: step k has a length of its own. Log prices are in base 2.
// Provides: MarketParameters, ModelState and the functions model_*. Expects: market, assets, horizon_steps, running_sum.
// Twin: GbmHorizons of src/engine/cpu/value-at-risk.ts.

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: sigma_i log2(e) times a factor of the correlation matrix, for a year.
  factor: array<vec4<f32>, 256>,
  // Per asset, -sigma^2 / 2 log2(e): the drift of a year.
  drift: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
}

// The lengths of four steps.
struct HorizonSteps {
  years: vec4<f32>,
  root_years: vec4<f32>,
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

// What the correlated shocks of an asset are added to: they stay those of a year here.
fn model_shock_origin(asset: u32) -> f32 {
  return 0.0;
}

// Moves one asset by four steps; returns log2 of its price after each.
fn model_advance(state: ptr<function, ModelState>, asset: u32, shocks: vec4<f32>, step: u32) -> vec4<f32> {
  let lengths = horizon_steps[step >> 2u];
  let drift = market.drift[asset >> 2u][asset & 3u];
  let moves = fma(lengths.root_years, shocks, lengths.years * drift);
  let log_price = (*state).log_price[asset] + running_sum(moves);
  (*state).log_price[asset] = log_price.w;
  return log_price;
}
