// Runs one path per invocation over the steps of a slice, and adds it up under its weight beside the plain sums.
// Provides: the entry point `simulate`, the binding of the product's terms.
// Expects: bindings.wgsl, sums.wgsl, one market (MarketState, market_*) with market_weight, one product (ProductState, product_*)
// with product_weigh. As kernel/simulate.wgsl but for the weights: the plain sums are the same.

@group(1) @binding(0) var<uniform> terms: Terms;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let local = id.x;
  if (local < slice.path_count) {
    let path = slice.first_path + local;
    var market_state = market_begin();
    var product_state = product_begin(path);
    if (slice.first_step > 0u) {
      market_take_up(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_take_up(&product_state, &at);
    }
    for (var step = slice.first_step; step < slice.end_step; step += 4u) {
      let values = product_values(path_value(&market_state, path, step), step);
      product_group(&product_state, values, step, min(4u, slice.end_step - step));
    }
    if (slice.end_step == slice.steps) {
      product_finish(&product_state, path);
      product_weigh(&product_state, path, market_weight(&market_state));
    } else {
      market_put_down(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_put_down(&product_state, &at);
    }
  }
  sums_flush(invocation);
}
