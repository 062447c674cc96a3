// Sums of loans whose paths have weights: every quantity under the weights, under those of odd paths alone, and under their squares.
// Provides: WEIGHTED_SUMS, path_weigh. Expects: product/loan.wgsl or product/loan_under_way.wgsl, path_is_shifted,
// MarketState, market_weight, fine_amount_add.
// Twin: src/core/product/weighted-loans.ts.
// A term is rounded to single precision, and cut off at 2^-48: whole numbers from there on, whose sum has no order.

// Quantities of a path, in the order of the host.
const WEIGHED_QUANTITIES = 12u;
const SUM_WEIGHTED = LOAN_SUMS;
const WEIGHTED_SUMS = 4u * 3u * WEIGHED_QUANTITIES;

// Adds one quantity of a path to its three sums.
fn weigh(quantity: u32, value: f32, weight: f32, shifted: bool) {
  if (value == 0.0) {
    return;
  }
  let weighed = weight * value;
  fine_amount_add(SUM_WEIGHTED + 4u * quantity, weighed);
  if (shifted) {
    fine_amount_add(SUM_WEIGHTED + 4u * (WEIGHED_QUANTITIES + quantity), weighed);
  }
  fine_amount_add(SUM_WEIGHTED + 4u * (2u * WEIGHED_QUANTITIES + quantity), weight * weighed);
}

// Adds a finished path under its weight.
fn path_weigh(state: ptr<function, ProductState>, market_state: ptr<function, MarketState>, path: u32) {
  let weight = market_weight(market_state);
  let end = product_end(state);
  let closed = f32(slice.steps - end.step);
  let loss = max(0.0, end.loss);
  let top_ups = product_top_ups(state);
  let shifted = path_is_shifted(path);
  weigh(0u, 1.0, weight, shifted);
  weigh(1u, f32(end.called), weight, shifted);
  weigh(2u, f32(end.liquidated), weight, shifted);
  weigh(3u, f32(end.closed_out), weight, shifted);
  weigh(4u, f32(end.underwater), weight, shifted);
  weigh(5u, closed, weight, shifted);
  weigh(6u, closed * closed, weight, shifted);
  weigh(7u, loss, weight, shifted);
  weigh(8u, loss * loss, weight, shifted);
  weigh(9u, top_ups.x, weight, shifted);
  weigh(10u, top_ups.y, weight, shifted);
  weigh(11u, top_ups.y * top_ups.y, weight, shifted);
}
