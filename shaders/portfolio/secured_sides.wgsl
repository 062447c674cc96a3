// The sides of a loan whose thresholds of liquidation are those of its assets: collateral, debt, and the collateral with the thresholds as
// factors, for the sums of portfolio/sides.wgsl.
// Inputs: the weights of the market; terms.secured_weight.
// Outputs: sums of the sides.
// Units: relative to the start of the path.
// Provides: MarketSides, side_weights, sides_add.
// Expects:
//   kernel/bindings.wgsl: market
//   one product: terms

struct MarketSides {
  collateral: vec4<f32>,
  loan: vec4<f32>,
  secured: vec4<f32>,
}

// The weights of four assets: a column for each.
fn side_weights(quad: u32) -> mat4x3<f32> {
  return transpose(mat3x4(market.collateral_weight[quad], market.loan_weight[quad], terms.secured_weight[quad]));
}

// The sides with one asset more.
fn sides_add(sides: MarketSides, amount: vec4<f32>, weight: vec3<f32>) -> MarketSides {
  return MarketSides(
    fma(vec4(weight.x), amount, sides.collateral),
    fma(vec4(weight.y), amount, sides.loan),
    fma(vec4(weight.z), amount, sides.secured),
  );
}
