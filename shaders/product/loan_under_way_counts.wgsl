// Counts of a loan under way.
// Provides: count_begin, count_group and count_finish. Expects: product/loan_under_way.wgsl, product/call_counts.wgsl.
// Twin: src/core/product/loan.ts.

fn count_begin() -> CountState {
  // A call that is open at the start counts on the first day.
  return count_begun(select(0u, 1u, terms.start_status >= START_CALLED));
}

// Follows four steps as product_group does, and counts them.
fn count_group(state: ptr<function, ProductState>, count: ptr<function, CountState>, path: MarketLoan, step: u32, live: u32) {
  product_group(state, path, step, live);
  count_values(count, (*state).lowest, path.value, step, live);
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
  let end = (*state).end;
  // A liquidation at the start counts on the first day, too.
  let step = select(max(1u, end >> 1u), 0u, end == NO_STEP);
  count_ends(count, (*state).lowest, (*state).value, step, (end & 1u) == 1u);
}
