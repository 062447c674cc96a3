// Baskets of any weights: the path's value is C/L itself.
// Provides: market_value, market_ratio. Expects: portfolio/assets.wgsl, market, slice, assets, model_advance.

// C/L after steps `step` + 1 .. `step` + 4.
fn market_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  var normals: array<vec4<f32>, 32>;
  var collateral = vec4(0.0);
  var loan = vec4(0.0);
  for (var i = 0u; i < assets; i++) {
    normals[i] = draw_normals(slice.seed, path, step, i);
    let price = exp2(model_advance(&(*state).model, i, market_shocks(&normals, i), step));
    collateral = fma(vec4(market.collateral_weight[i >> 2u][i & 3u]), price, collateral);
    loan = fma(vec4(market.loan_weight[i >> 2u][i & 3u]), price, loan);
  }
  return collateral / loan;
}

// C/L of a value of market_value.
fn market_ratio(value: f32) -> f32 {
  return value;
}
