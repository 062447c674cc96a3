// One collateral asset against one loan asset, each of weight 1: the path's value is log2(C/L), no price is formed.
// Provides: market_value, market_ratio. Expects: portfolio/assets.wgsl, market, slice, assets, model_advance.

// log2(C/L) after steps `step` + 1 .. `step` + 4.
fn market_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  var normals: array<vec4<f32>, 32>;
  var log_ratio = vec4(0.0);
  for (var i = 0u; i < assets; i++) {
    normals[i] = draw_normals(slice.seed, path, step, i);
    let log_price = model_advance(&(*state).model, i, market_shocks(&normals, i), step);
    let sign = market.collateral_weight[i >> 2u][i & 3u] - market.loan_weight[i >> 2u][i & 3u];
    log_ratio = fma(vec4(sign), log_price, log_ratio);
  }
  return log_ratio;
}

// C/L of a value of market_value.
fn market_ratio(value: f32) -> f32 {
  return exp2(value);
}
