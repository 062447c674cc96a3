// Baskets of any weights with their amounts: C/L as portfolio/ratio.wgsl has it, and C and L beside it.
// Provides: path_value. Expects: portfolio/sides.wgsl.

// C/L, C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let sides = market_sides(state, path, step);
  return MarketLoan(sides.collateral / sides.loan, sides.collateral, sides.loan);
}
