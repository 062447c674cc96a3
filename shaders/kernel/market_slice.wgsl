// Restores and saves the market of a path at the ends of a time slice, for kernels whose paths have no other state.
// Provides: market_resume, market_suspend.
// Expects:
//   kernel/bindings.wgsl: slice
//   one market: MarketState, market_restore, market_save

// Restores the market after market_begin, unless the slice is the first.
fn market_resume(state: ptr<function, MarketState>, local: u32) {
  if (slice.first_step > 0u) {
    market_restore(state, local);
  }
}

// Saves the market after the last step of a slice, unless the slice is the last.
fn market_suspend(state: ptr<function, MarketState>, local: u32) {
  if (slice.end_step < slice.steps) {
    market_save(state, local);
  }
}
