// Stationary bootstrap of joint returns: rows of hours as they are, rows of days bridged over their hours (docs/methodology.md,
// BOOTSTRAP). Log prices are in base 2.
// Provides: ModelState and the functions model_*. Expects: market, asset_quads, slice, extra_word, extra_words,
// bridge_hours, block_rows.wgsl, state_put, state_take. Twin: BootstrapPaths of src/core/reference/bootstrap-paths.ts.

struct ModelState {
  // Per asset: log2 of the price relative to the start, and what is left of a day's return; four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  left: array<vec4<f32>, 8>,
  // Rows of the four steps; of a day the last alone.
  rows: vec4<u32>,
}

fn model_begin() -> ModelState {
  return ModelState();
}

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return 8u * asset_quads + 4u;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).left);
  // As a number: the bits of a small whole number are no normal float.
  state_put(8u * asset_quads, local, vec4(f32((*state).rows.w), 0.0, 0.0, 0.0));
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).left);
  (*state).rows.w = u32(state_take(8u * asset_quads, local).x);
}

// Hours need no noise of their own.
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

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
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
    (*state).left[quad] = block_return((*state).rows.w, quad);
  }
  let hours = bridge_hours(
    (*state).log_price[quad],
    (*state).left[quad],
    market.deviation[quad],
    block_drift(step / DAY_STEPS, quad) * (1.0 / 24.0),
    DAY_STEPS - hour,
    transpose(shocks),
  );
  (*state).log_price[quad] = hours.log_prices[3];
  (*state).left[quad] = hours.left;
  return transpose(hours.log_prices);
}
