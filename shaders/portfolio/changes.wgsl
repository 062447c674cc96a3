// Baskets of any weights: the path's values are what C and L have gained since the start, C - C_0 and L - L_0.
// Small gains keep their relative accuracy, so that a basket which hardly moves is not rounded to a few values.
// Provides: MarketChanges, market_changes. Expects: portfolio/assets.wgsl, market, slice, assets, model_advance,
// exponential.

struct MarketChanges {
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// C - C_0 and L - L_0 after steps `step` + 1 .. `step` + 4.
fn market_changes(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketChanges {
  var normals: array<vec4<f32>, 32>;
  var changes = MarketChanges();
  for (var i = 0u; i < assets; i++) {
    normals[i] = draw_normals(slice.seed, path, step, i);
    let gain = exponential(model_advance(&(*state).model, i, market_shocks(&normals, i), step)).minus_one;
    changes.collateral = fma(vec4(market.collateral_weight[i >> 2u][i & 3u]), gain, changes.collateral);
    changes.loan = fma(vec4(market.loan_weight[i >> 2u][i & 3u]), gain, changes.loan);
  }
  return changes;
}
