// GBM of one collateral asset against one loan asset: the log ratio is itself a Brownian motion, so one projection of
// the pair's two normals moves it and no price is formed. Log ratios are in base 2.
// Provides: MarketState and the functions market_* (in place of a model and a portfolio file).
// Expects: market, pair_drifts, slice, path_state, draw_*, stream_*, running_sum. Twin: src/core/reference/pair-paths.ts.

struct MarketState {
  log_ratio: f32,
  stream: DrawStream,
}

fn market_begin() -> MarketState {
  return MarketState(market.start, draw_stream_begin());
}

// Words of a path's state when it is put down between two time slices.
fn market_state_words() -> u32 {
  return 1u + STREAM_WORDS;
}

fn market_put_down(state: ptr<function, MarketState>, local: u32) {
  path_state[local] = bitcast<u32>((*state).log_ratio);
  stream_put(1u, local, (*state).stream);
}

fn market_take_up(state: ptr<function, MarketState>, local: u32) {
  (*state).log_ratio = bitcast<f32>(path_state[local]);
  (*state).stream = stream_take(1u, local);
}

// log2(C/L) after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  let words = draw_words(&(*state).stream, slice.seed, path, step, 0u);
  let shocks = draw_projected(words, DrawDirection(market.variance, market.phase));
  let log_ratio = (*state).log_ratio + running_sum(shocks + pair_drifts(path).x);
  (*state).log_ratio = log_ratio.w;
  return log_ratio;
}
