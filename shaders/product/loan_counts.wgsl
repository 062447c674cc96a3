// Counts of a loan with unlimited sales.
// Inputs: values of the path; terms.
// Outputs: ratios, event_days.
// Units: CCR: N C/L.
// Provides: count_*.
// Reference: src/core/product/loan.ts.
// Expects:
//   lib/limits.wgsl: NO_STEP
//   product/call_counts.wgsl: count_*
//   one file of counts: CountState
//   one product: ProductState, product_group

fn count_begin(path: u32) -> CountState {
  return count_begin_at(path, 0u);
}

// product_group with the counts of the four steps.
fn count_group(state: ptr<function, ProductState>, count: ptr<function, CountState>, values: vec4<f32>, step: u32, live: u32) {
  product_group(state, values, step, live);
  count_values(count, (*state).lowest, values, step, live);
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
  let end = (*state).loan.end;
  let step = select(end >> 1u, 0u, end == NO_STEP);
  count_end(count, (*state).lowest, (*state).value, step, (end & 1u) == 1u);
}
