// Writes the mark price of a perpetual contract at the times of the fan chart, on all paths, whether or not the position is liquidated.
// The terms are empty.
// Inputs: the market parameters; places.
// Outputs: ratios.
// Units: mark price relative to the start.
// Provides: the entry point `simulate`, Terms, terms.
// Expects:
//   kernel/bindings.wgsl: slice, workgroup_size
//   kernel/counts.wgsl: count_time, fan_time_after
//   kernel/market_slice.wgsl: market_resume, market_suspend
//   lib/four_steps.wgsl: groups_of, step_value
//   one market: market_begin, path_value
//   one file of values: market_ratio

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
  var fan = fan_time_after(slice.first_step, path);
  var step = slice.first_step;
  for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
    let values = path_value(&state, path, step);
    while (fan.step <= min(step + 4u, slice.end_step)) {
      fan = count_time(fan, market_ratio(step_value(values, fan.step - step - 1u)));
    }
    step += 4u;
  }
  market_suspend(&state, local);
}
