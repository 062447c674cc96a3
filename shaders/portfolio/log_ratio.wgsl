// One collateral asset and one loan asset of any weights: the value of the path is log2(C/L), without prices.
// Inputs: the path; market.log_start, the weights.
// Outputs: log2(C/L) after each step.
// Units: log2 of the ratio.
// Provides: path_value.
// Expects:
//   kernel/bindings.wgsl: market
//   portfolio/assets.wgsl: market_quad
//   one market: MarketState

// log2(C/L) after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  let log_prices = market_quad(state, path, step, 0u);
  let direction = sign(market.collateral_weight[0]) - sign(market.loan_weight[0]);
  return market.log_start + fma(vec4(direction.y), log_prices[1], direction.x * log_prices[0]);
}
