// GBM of one collateral asset against one loan asset: the log ratio is itself a Brownian motion, so one sum of the
// two shocks moves it and no price is formed. Log ratios are in base 2.
// Provides: MarketParameters, MarketState and the functions market_* (in place of a model and a portfolio file).
// Expects: market, slice, path_state, assets, draw_normals, running_sum. Twin: src/engine/cpu/gbm.ts.

struct MarketParameters {
  // x, y: what the normals of asset 0 and 1 add to log2(C/L) in a step; z: its drift in a step.
  ratio: vec4<f32>,
}

struct MarketState {
  log_ratio: f32,
}

fn market_begin() -> MarketState {
  return MarketState();
}

// Words of a path's state when it is put down between two time slices.
fn market_state_words() -> u32 {
  return 1u;
}

fn market_put_down(state: ptr<function, MarketState>, local: u32) {
  path_state[local] = bitcast<u32>((*state).log_ratio);
}

fn market_take_up(state: ptr<function, MarketState>, local: u32) {
  (*state).log_ratio = bitcast<f32>(path_state[local]);
}

// log2(C/L) after steps `step` + 1 .. `step` + 4.
fn market_value(state: ptr<function, MarketState>, path: u32, step: u32) -> vec4<f32> {
  var moves = fma(vec4(market.ratio.x), draw_normals(slice.seed, path, step, 0u), vec4(market.ratio.z));
  if (assets > 1u) {
    moves = fma(vec4(market.ratio.y), draw_normals(slice.seed, path, step, 1u), moves);
  }
  let log_ratio = (*state).log_ratio + running_sum(moves);
  (*state).log_ratio = log_ratio.w;
  return log_ratio;
}

// C/L of a value of market_value.
fn market_ratio(value: f32) -> f32 {
  return exp2(value);
}
