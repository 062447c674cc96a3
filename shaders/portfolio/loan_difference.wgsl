// Baskets that hold almost the same, with their amounts: C/L - 1 as portfolio/ratio_difference.wgsl has it, and C and L
// beside it.
// Provides: path_value. Expects: portfolio/difference.wgsl.

// C/L - 1, C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let difference = market_difference(state, path, step);
  return MarketLoan(difference.value, difference.loan + difference.excess, difference.loan);
}
