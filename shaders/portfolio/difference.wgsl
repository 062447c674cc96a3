// C/L - 1 of nearly equal baskets, with small relative error however small it is: C - L = sum d_i S_i = sum d_i + sum d_i (S_i - 1), with
// d_i the weight in the collateral less that in the loan, which the host computes in double precision. An asset of equal weight on both
// sides adds nothing, not even a rounding error.
// Inputs: market.collateral_weight with d_i, market.loan_weight; gains of the assets.
// Outputs: C/L - 1, C - L and L after each step.
// Units: relative to the start of the path.
// Provides: market_difference.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market
//   portfolio/sides.wgsl: market_sides
//   one market: MarketState

struct MarketDifference {
  // C/L - 1.
  value: vec4<f32>,
  // C - L, and L.
  excess: vec4<f32>,
  loan: vec4<f32>,
}

// The sum of an array of weights; assets that do not exist have weight 0.
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
