// The state of a model that moves every asset by geometric Brownian motion: the log prices alone.
// Provides: ModelState and its life cycle, model_uses_normals, model_group. Expects: asset_quads, state_put, state_take.

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
  quads_save(0u, local, &(*state).log_price);
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
}

fn model_uses_normals() -> bool {
  return true;
}

// Nothing is prepared for a group of four steps.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
}
