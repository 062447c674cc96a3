// Saves and restores arrays of the state that hold one number per asset, a vector for each quad.
// Provides: quads_save, quads_restore.
// Expects:
//   kernel/bindings.wgsl: asset_quads, state_restore, state_save

// Saves an array from word `word` of the state on: 4 asset_quads words.
fn quads_save(word: u32, local: u32, quads: ptr<function, array<vec4<f32>, 8>>) {
  for (var i = 0u; i < asset_quads; i++) {
    state_save(word + 4u * i, local, bitcast<vec4<u32>>((*quads)[i]));
  }
}

// Restores what quads_save saved.
fn quads_restore(word: u32, local: u32, quads: ptr<function, array<vec4<f32>, 8>>) {
  for (var i = 0u; i < asset_quads; i++) {
    (*quads)[i] = bitcast<vec4<f32>>(state_restore(word + 4u * i, local));
  }
}
