// Counts of a loan under unlimited liquidity.
// Provides: count_begin, count_group and count_finish. Expects: product/loan.wgsl, product/call_counts.wgsl.
// Twin: src/core/product/loan.ts.

fn count_begin() -> CountState {
  return count_begun(0u);
}

// Follows four steps as product_group does, and counts them.
fn count_group(state: ptr<function, ProductState>, count: ptr<function, CountState>, values: vec4<f32>, step: u32, live: u32) {
  product_group(state, values, step, live);
  count_values(count, (*state).lowest, values, step, live);
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
  let end = (*state).loan.end;
  let step = select(end >> 1u, 0u, end == NO_STEP);
  count_ends(count, (*state).lowest, (*state).value, step, (end & 1u) == 1u);
}
