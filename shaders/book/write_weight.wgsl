// Writes the weight of a path of a book after its prices; the sign is negative for a path of odd number. Reader: book/weighted.wgsl.
// Inputs: the market at the end of a path.
// Outputs: log_prices, the row of weights.
// Units: weights 0 .. 2.
// Provides: weight_write.
// Expects:
//   book/price_rows.wgsl: weights_row
//   kernel/bindings.wgsl: assets, slice
//   kernel/book_prices.wgsl: log_prices
//   model/path_weight.wgsl: path_is_shifted
//   one market: MarketState
//   parameters of a model with weights: market_weight

// Called after the last step of a slice; writes in the last slice of the path only.
fn weight_write(state: ptr<function, MarketState>, path: u32, local: u32) {
  if (slice.end_step < slice.steps) {
    return;
  }
  let row = weights_row(slice.steps);
  let weight = market_weight(state);
  log_prices[row * assets * slice.path_count + local] = select(weight, -weight, path_is_shifted(path));
}
