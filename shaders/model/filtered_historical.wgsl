// Filtered historical simulation: a day's shock is a row of residuals, scaled by each asset's GARCH variance, and bridged over its hours
// (docs/methodology.md, FHS). Log prices are in base 2.
// Provides: ModelState and the functions model_*. Expects: market, asset_quads, bridge_hours, residual_rows.wgsl,
// state_put, state_take. Twin: FilteredHistoricalPaths of src/core/reference/filtered-historical-paths.ts.

// Steps of a day.
const FHS_DAY = 24u;

struct ModelState {
  // Per asset: log2 of the price relative to the start, variance of the day, what is left of the day's shock and the drift of an
  // hour in base 2; four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  left: array<vec4<f32>, 8>,
  drift: array<vec4<f32>, 8>,
  // Row of the day.
  row: u32,
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
  return 16u * asset_quads + 4u;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  for (var i = 0u; i < asset_quads; i++) {
    state_put(16u * i, local, (*state).log_price[i]);
    state_put(16u * i + 4u, local, (*state).variance[i]);
    // A copy that runs some steps behind (kernel/simulate_origination.wgsl) is put down in the middle of a day.
    state_put(16u * i + 8u, local, (*state).left[i]);
    state_put(16u * i + 12u, local, (*state).drift[i]);
  }
  // As a number: the bits of a small whole number are no normal float.
  state_put(16u * asset_quads, local, vec4(f32((*state).row), 0.0, 0.0, 0.0));
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  for (var i = 0u; i < asset_quads; i++) {
    (*state).log_price[i] = state_take(16u * i, local);
    (*state).variance[i] = state_take(16u * i + 4u, local);
    (*state).left[i] = state_take(16u * i + 8u, local);
    (*state).drift[i] = state_take(16u * i + 12u, local);
  }
  (*state).row = u32(state_take(16u * asset_quads, local).x);
}

fn model_uses_normals() -> bool {
  return true;
}

// Prepares a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  if (step % FHS_DAY == 0u) {
    (*state).row = residual_row(path, step / FHS_DAY);
  }
}

// What the correlated shocks of a quad are added to: they stay standardised here.
fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return vec4(0.0);
}

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let hour = step % FHS_DAY;
  let variance = (*state).variance[quad];
  let a = market.volatility_scale * sqrt(variance);
  if (hour == 0u) {
    (*state).left[quad] = a * residuals((*state).row, quad) * FHS_LOG2_E;
    (*state).drift[quad] = log_mean_exponential(quad, a) * (-FHS_LOG2_E / 24.0);
  }
  let hours = bridge_hours(
    (*state).log_price[quad],
    (*state).left[quad],
    a * FHS_LOG2_E,
    (*state).drift[quad],
    FHS_DAY - hour,
    transpose(shocks),
  );
  (*state).log_price[quad] = hours.log_prices[3];
  (*state).left[quad] = hours.left;
  if (hour == FHS_DAY - 4u) {
    let z = residuals((*state).row, quad);
    (*state).variance[quad] = fma(fma(market.alpha[quad], z * z, market.beta[quad]), variance, market.omega[quad]);
  }
  return transpose(hours.log_prices);
}
