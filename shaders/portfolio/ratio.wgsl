// Baskets of any weights: the value of the path is C/L.
// Inputs: the path.
// Outputs: C/L after each step.
// Units: ratio.
// Provides: path_value.
// Expects:
//   portfolio/sides.wgsl: market_sides
//   one market: MarketState

// C/L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  let sides = market_sides(state, path, step);
  return sides.collateral / sides.loan;
}
