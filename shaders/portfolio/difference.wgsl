// Baskets that hold almost the same: C/L - 1, which keeps its relative accuracy however small it is.
// C - L = sum d_i S_i = sum d_i + sum d_i (S_i - 1), d_i the weight in the collateral less that in the loan, which the host
// computes in double: an asset that both sides hold alike adds nothing, not even a rounding.
// Provides: MarketDifference, market_difference. Expects: portfolio/sides.wgsl with portfolio/gain.wgsl, market with d_i as
// `collateral_weight`, asset_quads.

struct MarketDifference {
  // C/L - 1.
  value: vec4<f32>,
  // C - L, and L.
  excess: vec4<f32>,
  loan: vec4<f32>,
}

// What the weights of an array sum up to; assets that do not exist have weight 0.
fn difference_start(weights: array<vec4<f32>, 8>) -> f32 {
  var sum = vec4<f32>();
  for (var i = 0u; i < asset_quads; i++) {
    sum += weights[i];
  }
  return (sum.x + sum.y) + (sum.z + sum.w);
}

// After steps `step` + 1 .. `step` + 4.
fn market_difference(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketDifference {
  let gains = market_sides(state, path, step);
  let excess = difference_start(market.collateral_weight) + gains.collateral;
  let loan = difference_start(market.loan_weight) + gains.loan;
  return MarketDifference(excess / loan, excess, loan);
}
