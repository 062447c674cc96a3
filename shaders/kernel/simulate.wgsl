// Runs one path per invocation over the steps of a slice: advances the market, steps the product, then adds the path to the sums.
// simulate_position.wgsl, whose paths may end early, has a loop of its own: a common loop would carry its state through every other program.
// Inputs: the slice, market parameters, terms; path_state after the first slice.
// Outputs: sums, records, those of the file of counts; path_state before the last slice.
// Provides: the entry point `simulate`, terms.
// Expects:
//   kernel/bindings.wgsl: slice, workgroup_size
//   kernel/sums.wgsl: sums_flush
//   lib/four_steps.wgsl: groups_of
//   kernel/unweighted.wgsl or product/weighted_loan.wgsl: path_add_weighted
//   one file of counts: count_*
//   one market: market_*, path_value
//   one product: Terms, product_*

@group(1) @binding(0) var<uniform> terms: Terms;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let local = id.x;
  if (local < slice.path_count) {
    let path = slice.first_path + local;
    var market_state = market_begin();
    var product_state = product_begin(path);
    var count_state = count_begin(path);
    if (slice.first_step > 0u) {
      market_restore(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_restore(&product_state, &at);
      count_restore(&count_state, &at);
    }
    var step = slice.first_step;
    for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
      let values = product_values(path_value(&market_state, path, step), step);
      count_group(&product_state, &count_state, values, step, min(4u, slice.end_step - step));
      step += 4u;
    }
    if (slice.end_step == slice.steps) {
      count_finish(&product_state, &count_state);
      product_finish(&product_state, path);
      path_add_weighted(&product_state, &market_state, path);
    } else {
      market_save(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_save(&product_state, &at);
      count_save(&count_state, &at);
    }
  }
  sums_flush(invocation);
}
