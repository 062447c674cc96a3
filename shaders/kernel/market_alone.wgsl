// The market of a path between two time slices, for a program that keeps nothing else of it.
// Provides: market_resume, market_suspend. Expects: bindings.wgsl, one market (MarketState, market_*).

// After market_begin: what the slice before has put down.
fn market_resume(state: ptr<function, MarketState>, local: u32) {
  if (slice.first_step > 0u) {
    market_take_up(state, local);
  }
}

// After the last step of a slice: put down for the next, unless it was the last.
fn market_suspend(state: ptr<function, MarketState>, local: u32) {
  if (slice.end_step < slice.steps) {
    market_put_down(state, local);
  }
}
