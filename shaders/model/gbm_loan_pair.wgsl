// GBM of one collateral asset and one loan asset with their amounts. The log ratio moves by the operations of gbm_log_ratio.wgsl, so that
// it is the same number; the two prices use the same random words. It replaces a model and a portfolio file. The state of
// gbm_log_ratio.wgsl is apart: it would carry two prices that it does not need.
// Inputs: the market parameters; random words.
// Outputs: log2(C/L), C and L after each step.
// Units: log2 of ratios and prices; C and L relative to the start of the path.
// Provides: MarketState, market_*, path_value.
// Reference: src/core/reference/pair-paths.ts.
// Expects:
//   kernel/bindings.wgsl: market, path_state, slice, state_restore, state_save
//   lib/draw.wgsl: STREAM_WORDS, DrawDirection, DrawPair, draw_pair, draw_projected, draw_words
//   lib/four_steps.wgsl: running_sum
//   model/gbm_pair_parameters.wgsl or model/gbm_pair_shifted.wgsl: pair_drifts
//   portfolio/market_loan.wgsl: MarketLoan

struct MarketState {
  log_ratio: f32,
  log_collateral: f32,
  log_loan: f32,
  stream: vec4<u32>,
}

fn market_begin() -> MarketState {
  return MarketState(market.start, market.collateral.w, market.loan.w, vec4<u32>());
}

// Words of the saved state of a path.
fn market_state_words() -> u32 {
  return 3u + STREAM_WORDS;
}

fn market_save(state: ptr<function, MarketState>, local: u32) {
  path_state[local] = bitcast<u32>((*state).log_ratio);
  path_state[slice.path_count + local] = bitcast<u32>((*state).log_collateral);
  path_state[2u * slice.path_count + local] = bitcast<u32>((*state).log_loan);
  state_save(3u, local, (*state).stream);
}

fn market_restore(state: ptr<function, MarketState>, local: u32) {
  (*state).log_ratio = bitcast<f32>(path_state[local]);
  (*state).log_collateral = bitcast<f32>(path_state[slice.path_count + local]);
  (*state).log_loan = bitcast<f32>(path_state[2u * slice.path_count + local]);
  (*state).stream = state_restore(3u, local);
}

// Moves of the log price of an asset in four steps.
fn moves_of(asset: vec4<f32>, drift: f32, normals: DrawPair) -> vec4<f32> {
  return fma(vec4(asset.y), normals.second, fma(vec4(asset.x), normals.first, vec4(drift)));
}

// log2(C/L), C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let words = draw_words(&(*state).stream, slice.seed, path, step, 0u);
  let drifts = pair_drifts(path);
  let shocks = draw_projected(words, DrawDirection(market.variance, market.phase), drifts.x);
  let normals = draw_pair(words);
  let collateral_moves = moves_of(market.collateral, drifts.y, normals);
  let loan_moves = moves_of(market.loan, drifts.z, normals);
  let log_ratio = (*state).log_ratio + running_sum(shocks);
  let log_collateral = (*state).log_collateral + running_sum(collateral_moves);
  let log_loan = (*state).log_loan + running_sum(loan_moves);
  (*state).log_ratio = log_ratio.w;
  (*state).log_collateral = log_collateral.w;
  (*state).log_loan = log_loan.w;
  return MarketLoan(log_ratio, exp2(log_collateral), exp2(log_loan), log_ratio);
}
