// Student's t from horizon to horizon: the variance is that of the parts of the days between, each with its W. Log prices are in
// base 2.
// Provides: ModelState and the functions model_*. Expects: market, asset_quads, horizon_steps, running_sum,
// day_multiplier, state_put, state_take. Twin: StudentTHorizons of src/core/reference/student-t-paths.ts.

const STUDENT_T_YEARS_PER_DAY = 1.0 / 365.0;

struct ModelState {
  // Per asset, log2 of the price relative to the start; four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  // Years of variance of the four steps, W included.
  years: vec4<f32>,
  // Days up to the last horizon, and the day that it lies in.
  days: f32,
  day: u32,
}

fn model_begin() -> ModelState {
  return ModelState();
}

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return 4u * asset_quads + 4u;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  // As a number: the bits of a small whole number are no normal float.
  state_put(4u * asset_quads, local, vec4((*state).days, f32((*state).day), 0.0, 0.0));
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  let days = state_take(4u * asset_quads, local);
  (*state).days = days.x;
  (*state).day = u32(days.y);
}

fn model_uses_normals() -> bool {
  return true;
}

// Sums W over the parts of days up to each of the next four horizons.
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

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
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
