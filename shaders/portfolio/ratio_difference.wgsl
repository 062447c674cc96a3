// Nearly equal baskets: the value of the path is C/L - 1.
// Inputs: the path.
// Outputs: C/L - 1 after each step.
// Units: ratio less 1.
// Provides: path_value.
// Expects:
//   portfolio/difference.wgsl: market_difference
//   one market: MarketState

// C/L - 1 after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  return market_difference(state, path, step).value;
}
