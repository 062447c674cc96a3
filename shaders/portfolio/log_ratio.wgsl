// One collateral asset against one loan asset, of any weights: the path's value is log2(C/L), no price is formed.
// Provides: path_value. Expects: portfolio/assets.wgsl, market with `log_start`.

// log2(C/L) after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  let log_prices = market_quad(state, path, step, 0u);
  let direction = sign(market.collateral_weight[0]) - sign(market.loan_weight[0]);
  return market.log_start + fma(vec4(direction.y), log_prices[1], direction.x * log_prices[0]);
}
