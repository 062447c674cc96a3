// Writes the weight of a path of a book behind its prices, with the opposite sign where its number is odd.
// Provides: weight_put. Expects: kernel/book_prices.wgsl, market_weight, path_is_shifted. Reader: book/weighted.wgsl.

// To be called after the last step of a slice; the weight is known at the end of the path.
fn weight_put(state: ptr<function, MarketState>, path: u32, local: u32) {
  if (slice.end_step < slice.steps) {
    return;
  }
  let row = weights_row(slice.steps);
  let weight = market_weight(state);
  log_prices[row * assets * slice.path_count + local] = select(weight, -weight, path_is_shifted(path));
}
