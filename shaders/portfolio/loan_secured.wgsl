// Baskets of any weights whose thresholds of liquidation are those of the assets: C/L - 1, C and L as in
// portfolio/loan_difference.wgsl, and C/L - 1 of the collateral with the thresholds as factors, relative to their mean at the start.
// Inputs: the path; terms.secured_sum.
// Outputs: C/L - 1, C, L and the value that L is compared with, after each step.
// Units: relative to the start of the path.
// Provides: path_value.
// Expects:
//   kernel/bindings.wgsl: market
//   portfolio/market_loan.wgsl: MarketLoan
//   portfolio/sides.wgsl: market_sides
//   one market: MarketState
//   one product: terms

// After steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let gains = market_sides(state, path, step);
  let excess = market.collateral_sum + gains.collateral;
  let loan = market.loan_sum + gains.loan;
  return MarketLoan(excess / loan, loan + excess, loan, (terms.secured_sum + gains.secured) / loan);
}
