// Counts of a loan of product/loan_under_way.wgsl.
// Inputs: value, C and L after each step; terms.
// Outputs: ratios, event_days.
// Units: CCR: N C/L.
// Provides: count_*.
// Reference: src/core/product/loan.ts.
// Expects:
//   lib/limits.wgsl: NO_STEP
//   portfolio/market_loan.wgsl: MarketLoan
//   product/call_counts.wgsl: count_*
//   product/loan_codes.wgsl: START_CALLED
//   product/one_threshold.wgsl or product/asset_thresholds.wgsl: THRESHOLDS_BY_ASSET
//   one file of counts: CountState
//   one product: ProductState, product_group, terms

fn count_begin(path: u32) -> CountState {
  // A call that is open at the start counts on the first day.
  return count_begin_at(path, select(0u, 1u, terms.start_status >= START_CALLED));
}

// product_group with the counts of the four steps.
fn count_group(state: ptr<function, ProductState>, count: ptr<function, CountState>, path: MarketLoan, step: u32, live: u32) {
  product_group(state, path, step, live);
  count_values(count, (*state).lowest, path.value, step, live);
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
  let end = (*state).end;
  // A liquidation at the start also counts on the first day.
  let step = select(max(1u, end >> 1u), 0u, end == NO_STEP);
  if (THRESHOLDS_BY_ASSET) {
    // A liquidation is a call, too. The largest number stands for no step.
    (*count).call = min((*count).call - 1u, step - 1u) + 1u;
  }
  count_end(count, (*state).lowest, (*state).value, step, (end & 1u) == 1u);
}
