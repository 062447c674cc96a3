// Stationary bootstrap from horizon to horizon. It sums rows where bootstrap.wgsl takes or bridges one per step, so that the two share the
// rows (block_rows.wgsl), not the step.
// Inputs: the market parameters and tables; ends of the horizons in rows.
// Outputs: log prices at each horizon.
// Units: log2 of prices relative to the start.
// Provides: ModelState, model_*.
// Reference: BootstrapHorizons of src/core/reference/bootstrap-paths.ts.
// Expects:
//   kernel/bindings.wgsl: asset_quads, slice, state_restore, state_save
//   kernel/horizon_values.wgsl: horizon_steps
//   lib/extra_words.wgsl: extra_words
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/block_rows.wgsl: block_drift, block_next, block_return

struct ModelState {
  // Per asset, log2 of the price relative to the start.
  log_price: array<vec4<f32>, 8>,
  path: u32,
  // Number of rows so far and the last of them, before the group and after it: every quad goes from one to the other.
  number: u32,
  row: u32,
  next_number: u32,
  next_row: u32,
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
  state_save(4u * asset_quads, local, vec4((*state).next_number, (*state).next_row, 0u, 0u));
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  let place = state_restore(4u * asset_quads, local);
  (*state).next_number = place.x;
  (*state).next_row = place.y;
}

// Rows are returns: no normals are needed.
fn model_uses_normals() -> bool {
  return false;
}

// Prepares a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  (*state).path = path;
  (*state).number = (*state).next_number;
  (*state).row = (*state).next_row;
}

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
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
    // Rows are summed in parts of 64, each starting at 0, to limit rounding errors.
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
