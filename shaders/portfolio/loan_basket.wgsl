// Baskets of any weights with their amounts: C/L as in portfolio/ratio.wgsl, C and L.
// Inputs: the path.
// Outputs: C/L, C and L after each step.
// Units: relative to the start of the path.
// Provides: path_value.
// Expects:
//   portfolio/market_loan.wgsl: MarketLoan
//   portfolio/sides.wgsl: market_sides
//   one market: MarketState

// C/L, C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let sides = market_sides(state, path, step);
  let value = sides.collateral / sides.loan;
  return MarketLoan(value, sides.collateral, sides.loan, value);
}
