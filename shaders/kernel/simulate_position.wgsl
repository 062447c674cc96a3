// Runs one position per invocation over the steps of a slice, while it is open and its median leverage is not known.
// Inputs: the slice, market parameters, terms, settlements; path_state after the first slice.
// Outputs: sums, figures; path_state before the last slice.
// Provides: the entry point `simulate`, terms.
// Expects:
//   kernel/bindings.wgsl: slice, workgroup_size
//   kernel/sums.wgsl: sums_flush
//   lib/four_steps.wgsl: groups_of
//   product/leverage_median.wgsl: leverage_count, leverage_pending
//   product/perpetual.wgsl: product_ended
//   one market: market_*, path_value
//   one product: Terms, product_*

@group(1) @binding(0) var<uniform> terms: Terms;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let local = id.x;
  if (local < slice.path_count && leverage_pending(slice.first_path + local)) {
    let path = slice.first_path + local;
    var market_state = market_begin();
    var state = product_begin(path);
    if (slice.first_step == 0u) {
      // The initial leverage is the first of the values.
      leverage_count(&state.leverage, invocation, abs(terms.exposure));
    } else {
      market_restore(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_restore(&state, invocation, &at);
    }
    var step = slice.first_step;
    for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
      if (product_ended(&state)) {
        break;
      }
      let values = path_value(&market_state, path, step);
      product_group(&state, invocation, values, step, min(4u, slice.end_step - step));
      step += 4u;
    }
    if (slice.end_step == slice.steps) {
      product_finish(&state, path, invocation);
    } else {
      market_save(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_save(&state, invocation, &at);
    }
  }
  sums_flush(invocation);
}
