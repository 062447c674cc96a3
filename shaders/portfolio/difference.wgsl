// C/L - 1 of nearly equal baskets, with small relative error however small it is: C - L = sum d_i S_i = sum d_i + sum d_i (S_i - 1), with
// d_i the weight in the collateral less that in the loan. The host computes d_i and their sum in double precision: so no compiler can add
// them in another order. An asset of equal weight on both sides adds nothing, not even a rounding error.
// Inputs: market.collateral_weight with d_i, market.loan_weight, their sums; gains of the assets.
// Outputs: C/L - 1, C - L and L after each step.
// Units: relative to the start of the path.
// Provides: market_difference.
// Expects:
//   kernel/bindings.wgsl: market
//   portfolio/sides.wgsl: market_sides
//   one market: MarketState

struct MarketDifference {
  // C/L - 1.
  value: vec4<f32>,
  // C - L, and L.
  excess: vec4<f32>,
  loan: vec4<f32>,
}

// After steps `step` + 1 .. `step` + 4.
fn market_difference(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketDifference {
  let gains = market_sides(state, path, step);
  let excess = market.collateral_sum + gains.collateral;
  let loan = market.loan_sum + gains.loan;
  return MarketDifference(excess / loan, excess, loan);
}
