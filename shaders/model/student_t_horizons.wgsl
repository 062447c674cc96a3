// Student's t from horizon to horizon: the variance of a step is the integral of W over its days.
// Inputs: the market parameters and tables; ends of the horizons in days; correlated normals.
// Outputs: log prices at each horizon.
// Units: log2 of prices relative to the start; variances in those of a year.
// Provides: ModelState, model_*.
// Reference: StudentTHorizons of src/core/reference/student-t-paths.ts.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market, state_restore, state_save
//   kernel/horizon_values.wgsl: horizon_steps
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/day_multiplier.wgsl: day_multiplier
//   model/horizon_moves.wgsl: horizon_moves
//   model/log_walk.wgsl: last_row, log_walk

const STUDENT_T_YEARS_PER_DAY = 1.0 / 365.0;

struct ModelState {
  // Per asset, log2 of the price relative to the start.
  log_price: array<vec4<f32>, 8>,
  // Variance of each of the four steps, in that of a year, times W.
  years: vec4<f32>,
  // Time of the last horizon in days, and the number of its day.
  days: f32,
  day: u32,
}

fn model_begin() -> ModelState {
  return ModelState();
}

// Words of the saved state of a path.
fn model_state_words() -> u32 {
  return 4u * asset_quads + 4u;
}

fn model_save(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  state_save(4u * asset_quads, local, vec4(bitcast<u32>((*state).days), (*state).day, 0u, 0u));
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  let days = state_restore(4u * asset_quads, local);
  (*state).days = bitcast<f32>(days.x);
  (*state).day = days.y;
}

fn model_uses_normals() -> bool {
  return true;
}

// Integrates W over the days up to each of the next four horizons.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  let ends = horizon_steps[step >> 2u].ends;
  for (var k = 0u; k < 4u; k++) {
    var sum = 0.0;
    while ((*state).days < ends[k]) {
      let day_end = f32((*state).day + 1u);
      let next = min(day_end, ends[k]);
      sum = fma(day_multiplier(path, (*state).day, market.multiplier_cap), next - (*state).days, sum);
      (*state).days = next;
      if (next == day_end) {
        (*state).day += 1u;
      }
    }
    (*state).years[k] = sum * STUDENT_T_YEARS_PER_DAY;
  }
}

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let years = (*state).years;
  let moves = horizon_moves(sqrt(years), years, market.drift[quad], shocks);
  let log_prices = log_walk((*state).log_price[quad], moves);
  (*state).log_price[quad] = last_row(log_prices);
  return log_prices;
}
