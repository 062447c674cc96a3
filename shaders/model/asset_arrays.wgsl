// Arrays with one number per asset in the state of a path, a vector for each quad: saved and restored between two slices.
// Provides: quads_save, quads_restore. Expects: asset_quads, state_put, state_take.

// Saves an array from word `word` of the state on: 4 asset_quads words.
fn quads_save(word: u32, local: u32, quads: ptr<function, array<vec4<f32>, 8>>) {
  for (var i = 0u; i < asset_quads; i++) {
    state_put(word + 4u * i, local, (*quads)[i]);
  }
}

// Restores what quads_save saved.
fn quads_restore(word: u32, local: u32, quads: ptr<function, array<vec4<f32>, 8>>) {
  for (var i = 0u; i < asset_quads; i++) {
    (*quads)[i] = state_take(word + 4u * i, local);
  }
}
