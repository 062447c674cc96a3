// The two sides of a loan, collateral and debt, for the sums of portfolio/sides.wgsl.
// Inputs: the weights of the market.
// Outputs: sums of both sides.
// Units: relative to the start of the path.
// Provides: MarketSides, side_weights, sides_add.
// Expects:
//   kernel/bindings.wgsl: market

struct MarketSides {
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// The weights of four assets: a column for each.
fn side_weights(quad: u32) -> mat4x2<f32> {
  return transpose(mat2x4(market.collateral_weight[quad], market.loan_weight[quad]));
}

// The sides with one asset more.
fn sides_add(sides: MarketSides, amount: vec4<f32>, weight: vec2<f32>) -> MarketSides {
  return MarketSides(fma(vec4(weight.x), amount, sides.collateral), fma(vec4(weight.y), amount, sides.loan));
}
