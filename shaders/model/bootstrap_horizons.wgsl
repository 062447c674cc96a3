// Stationary bootstrap up to horizons, which are whole numbers of rows. Log prices are in base 2.
// Provides: ModelState and the functions model_*. Expects: market, asset_quads, slice, horizon_steps, extra_words,
// block_rows.wgsl, state_put, state_take. Twin: BootstrapHorizons of src/core/reference/bootstrap-paths.ts.

struct ModelState {
  // Per asset, log2 of the price relative to the start; four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  path: u32,
  // Rows walked and the last of them, before the group and after it: every quad walks from one to the other.
  number: u32,
  row: u32,
  next_number: u32,
  next_row: u32,
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
  // As numbers: the bits of a small whole number are no normal float.
  state_put(4u * asset_quads, local, vec4(f32((*state).next_number), f32((*state).next_row), 0.0, 0.0));
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  let place = state_take(4u * asset_quads, local);
  (*state).next_number = u32(place.x);
  (*state).next_row = u32(place.y);
}

// Rows are taken as they are.
fn model_uses_normals() -> bool {
  return false;
}

// Prepares a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  (*state).path = path;
  (*state).number = (*state).next_number;
  (*state).row = (*state).next_row;
}

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let ends = vec4<u32>(horizon_steps[step >> 2u].ends);
  var log_prices = mat4x4<f32>();
  var price = (*state).log_price[quad];
  var number = (*state).number;
  var row = (*state).row;
  var group = number >> 1u;
  var words = extra_words((*state).path, group, slice.seed);
  for (var k = 0u; k < 4u; k++) {
    // Rows are summed in parts of 64, each begun at 0: what is lost to rounding is that of the parts.
    var part = vec4<f32>();
    while (number < ends[k]) {
      if ((number & 1u) == 0u) {
        group = number >> 1u;
        words = extra_words((*state).path, group, slice.seed);
      }
      row = block_next(row, number, select(words.xy, words.zw, (number & 1u) == 1u));
      part += block_return(row, quad) + block_drift(number, quad);
      if ((number & 63u) == 63u) {
        price += part;
        part = vec4<f32>();
      }
      number += 1u;
    }
    price += part;
    log_prices[k] = price;
  }
  (*state).log_price[quad] = price;
  (*state).next_number = number;
  (*state).next_row = row;
  return transpose(log_prices);
}
