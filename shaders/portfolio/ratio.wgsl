// Baskets of any weights: the path's value is C/L itself.
// Provides: path_value. Expects: portfolio/sides.wgsl.

// C/L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  let sides = market_sides(state, path, step);
  return sides.collateral / sides.loan;
}
