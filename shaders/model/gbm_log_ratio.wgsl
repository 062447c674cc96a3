// GBM of one collateral asset and one loan asset: the log ratio is itself a Brownian motion, moved by one projection of the pair's two
// normals, without prices. It replaces a model and a portfolio file.
// Inputs: the market parameters; random words.
// Outputs: log2(C/L) after each step.
// Units: log2 of the ratio.
// Provides: MarketState, market_*, path_value.
// Reference: src/core/reference/pair-paths.ts.
// Expects:
//   kernel/bindings.wgsl: market, path_state, slice, state_restore, state_save
//   lib/draw.wgsl: STREAM_WORDS, DrawDirection, draw_projected, draw_words
//   lib/four_steps.wgsl: running_sum
//   model/gbm_ratio_parameters.wgsl or model/gbm_pair_shifted.wgsl: pair_drifts

struct MarketState {
  log_ratio: f32,
  stream: vec4<u32>,
}

fn market_begin() -> MarketState {
  return MarketState(market.start, vec4<u32>());
}

// Words of the saved state of a path.
fn market_state_words() -> u32 {
  return 1u + STREAM_WORDS;
}

fn market_save(state: ptr<function, MarketState>, local: u32) {
  path_state[local] = bitcast<u32>((*state).log_ratio);
  state_save(1u, local, (*state).stream);
}

fn market_restore(state: ptr<function, MarketState>, local: u32) {
  (*state).log_ratio = bitcast<f32>(path_state[local]);
  (*state).stream = state_restore(1u, local);
}

// log2(C/L) after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  let words = draw_words(&(*state).stream, slice.seed, path, step, 0u);
  let shocks = draw_projected(words, DrawDirection(market.variance, market.phase), pair_drifts(path).x);
  let log_ratio = (*state).log_ratio + running_sum(shocks);
  (*state).log_ratio = log_ratio.w;
  return log_ratio;
}
