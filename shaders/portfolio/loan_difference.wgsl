// Nearly equal baskets with their amounts: C/L - 1 as in portfolio/ratio_difference.wgsl, C and L.
// Inputs: the path.
// Outputs: C/L - 1, C and L after each step.
// Units: relative to the start of the path.
// Provides: path_value.
// Expects:
//   portfolio/difference.wgsl: market_difference
//   portfolio/market_loan.wgsl: MarketLoan
//   one market: MarketState

// C/L - 1, C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let difference = market_difference(state, path, step);
  let collateral = difference.loan + difference.excess;
  return MarketLoan(difference.value, collateral, difference.loan, difference.value);
}
