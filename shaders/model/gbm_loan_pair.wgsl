// GBM of one collateral asset against one loan asset with their amounts: the log ratio moves as in
// model/gbm_log_ratio.wgsl, by the same operations, and the two prices beside it on the same draws. Logs are in base 2.
// Provides: MarketParameters, MarketState, MarketLoan and the functions market_* (in place of a model and a portfolio
// file). Expects: market, slice, path_state, assets, draw_normals, running_sum.
// Twin: src/engine/cpu/pair-paths.ts.

// x, y of each: what the normals of asset 0 and 1 add in a step; z: the drift of a step.
struct MarketParameters {
  ratio: vec4<f32>,
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

struct MarketState {
  log_ratio: f32,
  log_collateral: f32,
  log_loan: f32,
}

struct MarketLoan {
  // log2(C/L): the very number on which a loan without amounts is judged.
  value: vec4<f32>,
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

fn market_begin() -> MarketState {
  return MarketState();
}

// Words of a path's state when it is put down between two time slices.
fn market_state_words() -> u32 {
  return 3u;
}

fn market_put_down(state: ptr<function, MarketState>, local: u32) {
  path_state[local] = bitcast<u32>((*state).log_ratio);
  path_state[slice.path_count + local] = bitcast<u32>((*state).log_collateral);
  path_state[2u * slice.path_count + local] = bitcast<u32>((*state).log_loan);
}

fn market_take_up(state: ptr<function, MarketState>, local: u32) {
  (*state).log_ratio = bitcast<f32>(path_state[local]);
  (*state).log_collateral = bitcast<f32>(path_state[slice.path_count + local]);
  (*state).log_loan = bitcast<f32>(path_state[2u * slice.path_count + local]);
}

// log2(C/L), C and L after steps `step` + 1 .. `step` + 4.
fn market_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let first = draw_normals(slice.seed, path, step, 0u);
  var ratio_moves = fma(vec4(market.ratio.x), first, vec4(market.ratio.z));
  var collateral_moves = fma(vec4(market.collateral.x), first, vec4(market.collateral.z));
  var loan_moves = fma(vec4(market.loan.x), first, vec4(market.loan.z));
  if (assets > 1u) {
    let second = draw_normals(slice.seed, path, step, 1u);
    ratio_moves = fma(vec4(market.ratio.y), second, ratio_moves);
    collateral_moves = fma(vec4(market.collateral.y), second, collateral_moves);
    loan_moves = fma(vec4(market.loan.y), second, loan_moves);
  }
  let log_ratio = (*state).log_ratio + running_sum(ratio_moves);
  let log_collateral = (*state).log_collateral + running_sum(collateral_moves);
  let log_loan = (*state).log_loan + running_sum(loan_moves);
  *state = MarketState(log_ratio.w, log_collateral.w, log_loan.w);
  return MarketLoan(log_ratio, exp2(log_collateral), exp2(log_loan));
}

// C/L of a value.
fn market_ratio(value: f32) -> f32 {
  return exp2(value);
}

// The value of a C/L.
fn market_value_of(ratio: f32) -> f32 {
  return log2(ratio);
}
