// Student's t by the hour: GBM whose shocks of a day are multiplied by sqrt(W), one W for all assets of a path (docs/methodology.md,
// STUDENT_T). One W per group of steps: horizon_moves.wgsl, with a variance per step, would multiply the drift four times as often.
// Inputs: the market parameters and tables; correlated normals.
// Outputs: log prices after each step.
// Units: log2 of prices relative to the start; a step is an hour.
// Provides: ModelState, model_*.
// Reference: StudentTPaths of src/core/reference/student-t-paths.ts.
// Expects:
//   kernel/bindings.wgsl: DAY_STEPS, asset_quads, market, state_restore, state_save
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/day_multiplier.wgsl: day_multiplier
//   model/log_walk.wgsl: last_row, log_walk

struct ModelState {
  // Per asset, log2 of the price relative to the start.
  log_price: array<vec4<f32>, 8>,
  // W of the day.
  multiplier: f32,
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
  state_save(4u * asset_quads, local, vec4(bitcast<u32>((*state).multiplier), 0u, 0u, 0u));
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  (*state).multiplier = bitcast<f32>(state_restore(4u * asset_quads, local).x);
}

fn model_uses_normals() -> bool {
  return true;
}

// Prepares a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  if (step % DAY_STEPS == 0u) {
    (*state).multiplier = day_multiplier(path, step / DAY_STEPS, market.multiplier_cap);
  }
}

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let w = (*state).multiplier;
  let root = vec4(sqrt(w));
  let drift = w * market.drift[quad];
  let moves = mat4x4(
    fma(root, shocks[0], vec4(drift.x)),
    fma(root, shocks[1], vec4(drift.y)),
    fma(root, shocks[2], vec4(drift.z)),
    fma(root, shocks[3], vec4(drift.w)),
  );
  let log_prices = log_walk((*state).log_price[quad], moves);
  (*state).log_price[quad] = last_row(log_prices);
  return log_prices;
}
