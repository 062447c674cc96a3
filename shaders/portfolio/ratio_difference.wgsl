// Baskets that hold almost the same: the path's value is C/L - 1.
// Provides: path_value. Expects: portfolio/difference.wgsl.

// C/L - 1 after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  return market_difference(state, path, step).value;
}
