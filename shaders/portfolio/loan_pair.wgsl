// One collateral asset and one loan asset of any weights, with their amounts: log2(C/L) as in portfolio/log_ratio.wgsl, C and L.
// Inputs: the path; market.log_start, the weights.
// Outputs: log2(C/L), C and L after each step.
// Units: relative to the start of the path.
// Provides: path_value.
// Expects:
//   kernel/bindings.wgsl: market
//   portfolio/assets.wgsl: market_quad
//   portfolio/market_loan.wgsl: MarketLoan
//   one market: MarketState

// log2(C/L), C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let log_prices = market_quad(state, path, step, 0u);
  let collateral = market.collateral_weight[0];
  let loan = market.loan_weight[0];
  let direction = sign(collateral) - sign(loan);
  let first = exp2(log_prices[0]);
  let second = exp2(log_prices[1]);
  let value = market.log_start + fma(vec4(direction.y), log_prices[1], direction.x * log_prices[0]);
  return MarketLoan(
    value,
    fma(vec4(collateral.y), second, collateral.x * first),
    fma(vec4(loan.y), second, loan.x * first),
    value,
  );
}
