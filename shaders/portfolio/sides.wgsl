// Baskets of any weights: the path's values are C and L apart, relative to the start of the path.
// Provides: MarketSides, market_sides. Expects: portfolio/assets.wgsl, market, slice, assets, model_advance.

struct MarketSides {
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// C and L after steps `step` + 1 .. `step` + 4.
fn market_sides(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketSides {
  var normals: array<vec4<f32>, 32>;
  var sides = MarketSides();
  for (var i = 0u; i < assets; i++) {
    normals[i] = draw_normals(slice.seed, path, step, i);
    let price = exp2(model_advance(&(*state).model, i, market_shocks(&normals, i), step));
    sides.collateral = fma(vec4(market.collateral_weight[i >> 2u][i & 3u]), price, sides.collateral);
    sides.loan = fma(vec4(market.loan_weight[i >> 2u][i & 3u]), price, sides.loan);
  }
  return sides;
}
