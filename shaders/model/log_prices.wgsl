// State of the models of geometric Brownian motion: the log prices alone.
// Units: log2 of prices relative to the start.
// Provides: ModelState, model_*.
// Expects:
//   kernel/bindings.wgsl: asset_quads
//   model/asset_arrays.wgsl: quads_restore, quads_save

struct ModelState {
  // Per asset, log2 of the price relative to the start.
  log_price: array<vec4<f32>, 8>,
}

fn model_begin() -> ModelState {
  return ModelState();
}

// Words of the saved state of a path.
fn model_state_words() -> u32 {
  return 4u * asset_quads;
}

fn model_save(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
}

fn model_uses_normals() -> bool {
  return true;
}

// This model has nothing to prepare for a group of four steps.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
}
