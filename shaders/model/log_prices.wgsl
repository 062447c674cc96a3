// Geometric Brownian motion of every asset: its parameters, and its state, which is the log prices alone.
// Provides: MarketParameters, ModelState and its life cycle, model_uses_normals, model_group. Expects: asset_quads, state_put,
// state_take.

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: sigma_i sqrt(dt) log2(e) times a factor of the correlation matrix,
  // with dt an hour, or a year where steps have lengths of their own.
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
