// GARCH(1,1) per asset with constant correlation, a day's variance in equal parts over its 24 hours (methodology part 3.3; Bollerslev
// 1986, 1990). A time slice begins with a day: the sum of the day's shocks is not saved.
// Inputs: the market parameters; correlated normals.
// Outputs: log prices after each step.
// Units: log2 of prices relative to the start; daily variances of natural logarithms; a step is an hour.
// Provides: ModelState, model_*.
// Reference: src/core/reference/asset-paths.ts.
// Expects:
//   kernel/bindings.wgsl: DAY_STEPS, asset_quads, market
//   lib/draw.wgsl: LOG2_E
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/log_walk.wgsl: last_row, log_walk
//   model/variance_parameters.wgsl: first_variances

struct ModelState {
  // Per asset: log2 of the price relative to the start, variance of the day, sum of the day's standardised shocks so far.
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  day_sum: array<vec4<f32>, 8>,
}

fn model_begin() -> ModelState {
  var state = ModelState();
  state.variance = first_variances();
  return state;
}

// Words of the saved state of a path.
fn model_state_words() -> u32 {
  return 8u * asset_quads;
}

fn model_save(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).variance);
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).variance);
}

fn model_uses_normals() -> bool {
  return true;
}

// This model has nothing to prepare for a group of four steps.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
}

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let variance = (*state).variance[quad];
  let hourly_variance = variance * (1.0 / 24.0);
  let scale = market.volatility_scale;
  let deviation = scale * sqrt(hourly_variance) * LOG2_E;
  let drift = scale * scale * hourly_variance * (-0.5 * LOG2_E);
  let moves = mat4x4(
    fma(vec4(deviation.x), shocks[0], vec4(drift.x)),
    fma(vec4(deviation.y), shocks[1], vec4(drift.y)),
    fma(vec4(deviation.z), shocks[2], vec4(drift.z)),
    fma(vec4(deviation.w), shocks[3], vec4(drift.w)),
  );
  let log_prices = log_walk((*state).log_price[quad], moves);
  (*state).log_price[quad] = last_row(log_prices);
  // Transposed: a column is a step, so that the sum over the four steps is by asset.
  let by_step = transpose(shocks);
  let day_sum = (*state).day_sum[quad] + ((by_step[0] + by_step[1]) + (by_step[2] + by_step[3]));
  if (step % DAY_STEPS == DAY_STEPS - 4u) {
    let day_square = hourly_variance * (day_sum * day_sum);
    let reaction = fma(market.alpha[quad], day_square, market.omega[quad]);
    (*state).variance[quad] = fma(market.beta[quad], variance, reaction);
    (*state).day_sum[quad] = vec4(0.0);
  } else {
    (*state).day_sum[quad] = day_sum;
  }
  return log_prices;
}
