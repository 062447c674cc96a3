// GBM of one collateral asset against one loan asset with their amounts: the log ratio moves as in
// model/gbm_log_ratio.wgsl, by the same operations, and the two prices beside it on the same draws. Logs are in base 2.
// Provides: MarketState, MarketLoan and the functions market_* (in place of a model and a portfolio file).
// Expects: market, pair_drifts, slice, path_state, draw_*, stream_*, running_sum.
// Twin: src/core/reference/pair-paths.ts.

struct MarketState {
  log_ratio: f32,
  log_collateral: f32,
  log_loan: f32,
  stream: DrawStream,
}

fn market_begin() -> MarketState {
  return MarketState(market.start, market.collateral.w, market.loan.w, draw_stream_begin());
}

// Words of a path's state when it is put down between two time slices.
fn market_state_words() -> u32 {
  return 3u + STREAM_WORDS;
}

fn market_put_down(state: ptr<function, MarketState>, local: u32) {
  path_state[local] = bitcast<u32>((*state).log_ratio);
  path_state[slice.path_count + local] = bitcast<u32>((*state).log_collateral);
  path_state[2u * slice.path_count + local] = bitcast<u32>((*state).log_loan);
  stream_put(3u, local, (*state).stream);
}

fn market_take_up(state: ptr<function, MarketState>, local: u32) {
  (*state).log_ratio = bitcast<f32>(path_state[local]);
  (*state).log_collateral = bitcast<f32>(path_state[slice.path_count + local]);
  (*state).log_loan = bitcast<f32>(path_state[2u * slice.path_count + local]);
  (*state).stream = stream_take(3u, local);
}

// What four steps add to the log price of an asset.
fn move_of(asset: vec4<f32>, drift: f32, normals: DrawPair) -> vec4<f32> {
  return fma(vec4(asset.y), normals.second, fma(vec4(asset.x), normals.first, vec4(drift)));
}

// log2(C/L), C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let words = draw_words(&(*state).stream, slice.seed, path, step, 0u);
  let shocks = draw_projected(words, DrawDirection(market.variance, market.phase));
  let normals = draw_pair(words);
  let drifts = pair_drifts(path);
  let collateral_moves = move_of(market.collateral, drifts.y, normals);
  let loan_moves = move_of(market.loan, drifts.z, normals);
  let log_ratio = (*state).log_ratio + running_sum(shocks + drifts.x);
  let log_collateral = (*state).log_collateral + running_sum(collateral_moves);
  let log_loan = (*state).log_loan + running_sum(loan_moves);
  (*state).log_ratio = log_ratio.w;
  (*state).log_collateral = log_collateral.w;
  (*state).log_loan = log_loan.w;
  return MarketLoan(log_ratio, exp2(log_collateral), exp2(log_loan));
}
