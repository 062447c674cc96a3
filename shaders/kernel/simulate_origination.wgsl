// Runs one path per invocation over the steps of a slice, and a delayed copy of the path. The generator is counter-based, so that the copy
// has the same prices to the last bit; storing the path would take memory.
// Inputs: the slice, market parameters, terms; path_state after the first slice.
// Outputs: sums, records, differences; path_state before the last slice.
// Provides: the entry point `simulate`, terms.
// Expects:
//   kernel/bindings.wgsl: slice, workgroup_size
//   kernel/growth.wgsl: grown_values
//   kernel/sums.wgsl: sums_flush
//   lib/four_steps.wgsl: groups_of
//   lib/limits.wgsl: VALUE_LIMIT
//   one market: market_*, path_value
//   one product: Terms, product_*

@group(1) @binding(0) var<uniform> terms: Terms;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let local = id.x;
  if (local < slice.path_count) {
    let path = slice.first_path + local;
    // In path_state the words of the copy follow those of the path; those of the product follow both.
    let copy_local = local + market_state_words() * slice.path_count;
    let delay = 4u * terms.delay_groups;
    var market_state = market_begin();
    var copy_state = market_begin();
    var product_state = product_begin(path);
    if (slice.first_step > 0u) {
      market_restore(&market_state, local);
      market_restore(&copy_state, copy_local);
      var at = 2u * market_state_words() * slice.path_count + local;
      product_restore(&product_state, &at);
    }
    var step = slice.first_step;
    for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
      let values = grown_values(path_value(&market_state, path, step), terms.growth, step);
      var copy = vec4(VALUE_LIMIT);
      if (delay == 0u) {
        copy = values;
      } else if (step >= delay) {
        copy = grown_values(path_value(&copy_state, path, step - delay), terms.growth, step - delay);
      }
      product_group(&product_state, values, copy, step, min(4u, slice.end_step - step));
      step += 4u;
    }
    if (slice.end_step == slice.steps) {
      product_finish(&product_state, path);
    } else {
      market_save(&market_state, local);
      market_save(&copy_state, copy_local);
      var at = 2u * market_state_words() * slice.path_count + local;
      product_save(&product_state, &at);
    }
  }
  sums_flush(invocation);
}
