// GARCH(1,1) per asset with constant correlation, a day's variance spread over its 24 hours (methodology part 3.3).
// Log prices are in base 2. A time slice begins with a day, but the copy of a path that runs some steps behind does not: the running
// sum of a day is part of the state.
// Provides: ModelState and the functions model_*. Expects: variance_parameters.wgsl, market, asset_quads, running_sum,
// state_put, state_take.
// Twin: src/core/reference/asset-paths.ts. Source: Bollerslev (1986, 1990).

// Steps of a day.
const GARCH_DAY = 24u;
const GARCH_LOG2_E = 1.4426950408889634;

struct ModelState {
  // Per asset: log2 of the price relative to the start, variance of the day, sum of the day's standardised shocks;
  // four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  day_sum: array<vec4<f32>, 8>,
}

fn model_begin() -> ModelState {
  var state = ModelState();
  for (var i = 0u; i < asset_quads; i++) {
    state.variance[i] = market.first_variance[i];
  }
  return state;
}

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return 12u * asset_quads;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  for (var i = 0u; i < asset_quads; i++) {
    state_put(12u * i, local, (*state).log_price[i]);
    state_put(12u * i + 4u, local, (*state).variance[i]);
    // A copy that runs some steps behind (kernel/simulate_origination.wgsl) is put down in the middle of a day.
    state_put(12u * i + 8u, local, (*state).day_sum[i]);
  }
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  for (var i = 0u; i < asset_quads; i++) {
    (*state).log_price[i] = state_take(12u * i, local);
    (*state).variance[i] = state_take(12u * i + 4u, local);
    (*state).day_sum[i] = state_take(12u * i + 8u, local);
  }
}

fn model_uses_normals() -> bool {
  return true;
}

// Nothing is prepared for a group of four steps.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
}

// What the correlated shocks of a quad are added to: they stay standardised here.
fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return vec4(0.0);
}

// The log price of one asset after each of four steps.
fn garch_moves(log_price: f32, deviation: f32, drift: f32, shocks: vec4<f32>) -> vec4<f32> {
  return log_price + running_sum(fma(vec4(deviation), shocks, vec4(drift)));
}

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let variance = (*state).variance[quad];
  let hourly_variance = variance * (1.0 / 24.0);
  let scale = market.volatility_scale;
  let deviation = scale * sqrt(hourly_variance) * GARCH_LOG2_E;
  let drift = scale * scale * hourly_variance * (-0.5 * GARCH_LOG2_E);
  let last = (*state).log_price[quad];
  let log_prices = mat4x4(
    garch_moves(last.x, deviation.x, drift.x, shocks[0]),
    garch_moves(last.y, deviation.y, drift.y, shocks[1]),
    garch_moves(last.z, deviation.z, drift.z, shocks[2]),
    garch_moves(last.w, deviation.w, drift.w, shocks[3]),
  );
  (*state).log_price[quad] = vec4(log_prices[0].w, log_prices[1].w, log_prices[2].w, log_prices[3].w);
  // By asset now: the sums of the four steps.
  let by_step = transpose(shocks);
  let day_sum = (*state).day_sum[quad] + ((by_step[0] + by_step[1]) + (by_step[2] + by_step[3]));
  if (step % GARCH_DAY == GARCH_DAY - 4u) {
    let day_square = hourly_variance * (day_sum * day_sum);
    let reaction = fma(market.alpha[quad], day_square, market.omega[quad]);
    (*state).variance[quad] = fma(market.beta[quad], variance, reaction);
    (*state).day_sum[quad] = vec4(0.0);
  } else {
    (*state).day_sum[quad] = day_sum;
  }
  return log_prices;
}
