// Runs one path per invocation over the steps of a slice, and a second copy of it some steps behind.
// Provides: the entry point `simulate`, the binding of the product's terms.
// Expects: bindings.wgsl, growth.wgsl, sums.wgsl, one market (MarketState, market_*) and product/origination_scan.wgsl.
// The generator is counter-based, so the copy is the same path to the last bit; keeping the path would take memory.

@group(1) @binding(0) var<uniform> terms: Terms;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let local = id.x;
  if (local < slice.path_count) {
    let path = slice.first_path + local;
    // The copy's state lies behind the path's, the product's behind both.
    let copy_local = local + market_state_words() * slice.path_count;
    let delay = 4u * terms.delay_groups;
    var market_state = market_begin();
    var copy_state = market_begin();
    var product_state = product_begin(path);
    if (slice.first_step > 0u) {
      market_take_up(&market_state, local);
      market_take_up(&copy_state, copy_local);
      var at = 2u * market_state_words() * slice.path_count + local;
      product_take_up(&product_state, &at);
    }
    for (var step = slice.first_step; step < slice.end_step; step += 4u) {
      let values = grown_values(path_value(&market_state, path, step), terms.growth, step);
      var copy = vec4(VALUE_LIMIT);
      if (delay == 0u) {
        copy = values;
      } else if (step >= delay) {
        copy = grown_values(path_value(&copy_state, path, step - delay), terms.growth, step - delay);
      }
      product_group(&product_state, values, copy, step, min(4u, slice.end_step - step));
    }
    if (slice.end_step == slice.steps) {
      product_finish(&product_state, path);
    } else {
      market_put_down(&market_state, local);
      market_put_down(&copy_state, copy_local);
      var at = 2u * market_state_words() * slice.path_count + local;
      product_put_down(&product_state, &at);
    }
  }
  sums_flush(invocation);
}
