// Stationary bootstrap of joint returns (docs/methodology.md, BOOTSTRAP): hourly rows are the returns of the steps; daily rows are bridged
// over their hours.
// Inputs: the market parameters and tables; normals for the bridge.
// Outputs: log prices after each step.
// Units: log2 of prices relative to the start; a step is an hour.
// Provides: ModelState, model_*.
// Reference: BootstrapPaths of src/core/reference/bootstrap-paths.ts.
// Expects:
//   kernel/bindings.wgsl: DAY_STEPS, asset_quads, market, slice, state_restore, state_save
//   lib/extra_words.wgsl: extra_words
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/block_rows.wgsl: block_drift, block_next, block_return
//   model/day_bridge.wgsl: bridge_hours

struct ModelState {
  // Per asset: log2 of the price relative to the start, and the remaining part of a day's return.
  log_price: array<vec4<f32>, 8>,
  remaining: array<vec4<f32>, 8>,
  // Hourly rows: those of the four steps. Daily rows: that of the day, in w.
  rows: vec4<u32>,
}

fn model_begin() -> ModelState {
  return ModelState();
}

// Words of the saved state of a path.
fn model_state_words() -> u32 {
  return 8u * asset_quads + 4u;
}

fn model_save(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).remaining);
  state_save(8u * asset_quads, local, vec4((*state).rows.w, 0u, 0u, 0u));
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).remaining);
  (*state).rows.w = state_restore(8u * asset_quads, local).x;
}

// Hourly rows need no normals; the bridge of a daily row does.
fn model_uses_normals() -> bool {
  return market.steps_per_row != 1u;
}

// Draws the rows of a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  if (market.steps_per_row == 1u) {
    let group = step >> 1u;
    let first = extra_words(path, group, slice.seed);
    let second = extra_words(path, group + 1u, slice.seed);
    let a = block_next((*state).rows.w, step, first.xy);
    let b = block_next(a, step + 1u, first.zw);
    let c = block_next(b, step + 2u, second.xy);
    (*state).rows = vec4(a, b, c, block_next(c, step + 3u, second.zw));
  } else if (step % DAY_STEPS == 0u) {
    let day = step / DAY_STEPS;
    let group = day >> 1u;
    let words = extra_words(path, group, slice.seed);
    (*state).rows.w = block_next((*state).rows.w, day, select(words.xy, words.zw, (day & 1u) == 1u));
  }
}

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  if (market.steps_per_row == 1u) {
    var log_prices = mat4x4<f32>();
    var price = (*state).log_price[quad];
    for (var k = 0u; k < 4u; k++) {
      price += block_return((*state).rows[k], quad) + block_drift(step + k, quad);
      log_prices[k] = price;
    }
    (*state).log_price[quad] = price;
    return transpose(log_prices);
  }
  let hour = step % DAY_STEPS;
  if (hour == 0u) {
    (*state).remaining[quad] = block_return((*state).rows.w, quad);
  }
  let hours = bridge_hours(
    (*state).log_price[quad],
    (*state).remaining[quad],
    market.deviation[quad],
    block_drift(step / DAY_STEPS, quad) * (1.0 / 24.0),
    DAY_STEPS - hour,
    transpose(shocks),
  );
  (*state).log_price[quad] = hours.log_prices[3];
  (*state).remaining[quad] = hours.remaining;
  return transpose(hours.log_prices);
}
