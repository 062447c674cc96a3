// Counts the mark price of a perpetual, relative to its start, at the times of a fan, whatever becomes of the position.
// Provides: the entry point `simulate`, the binding of the terms, which it has none of.
// Expects: bindings.wgsl, counts.wgsl, market_alone.wgsl, one market (MarketState, market_*) with log2 S as its value, market_ratio.

struct Terms {
  unused: u32,
}

@group(1) @binding(0) var<uniform> terms: Terms;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>) {
  let local = id.x;
  if (local >= slice.path_count) {
    return;
  }
  let path = slice.first_path + local;
  var state = market_begin();
  market_resume(&state, local);
  var time = fan_time_after(slice.first_step);
  var next = fan_step(time);
  for (var step = slice.first_step; step < slice.end_step; step += 4u) {
    let values = path_value(&state, path, step);
    while (next <= min(step + 4u, slice.end_step)) {
      count_ratio(places.fan + RATIO_SLOTS * time, market_ratio(step_value(values, next - step - 1u)));
      time += 1u;
      next = fan_step(time);
    }
  }
  market_suspend(&state, local);
}
