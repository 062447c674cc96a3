// Sums of loans whose paths have weights: every quantity times the weight, the same of odd paths alone, and times the square of the
// weight. A term is rounded to single precision and truncated at 2^-48: the rest is integer addition, which has no order.
// Inputs: the end of a path, its weight.
// Outputs: sums.
// Units: see product/loan_end.wgsl.
// Provides: WEIGHTED_SUMS, path_add_weighted.
// Reference: src/core/product/weighted-loans.ts.
// Expects:
//   kernel/bindings.wgsl: slice
//   kernel/sums.wgsl: fine_amount_add
//   model/path_weight.wgsl: path_is_shifted
//   product/loan.wgsl or product/loan_under_way.wgsl: LOAN_SUMS
//   one market: MarketState
//   one product: ProductState, product_end, product_top_ups
//   parameters of a model with weights: market_weight

// Number of quantities of a path, which have the order of the host.
const WEIGHED_QUANTITIES = 12u;
const SUM_WEIGHTED = LOAN_SUMS;
const WEIGHTED_SUMS = 4u * 3u * WEIGHED_QUANTITIES;

// Adds one quantity of a path to its three sums.
fn weighted_add(quantity: u32, value: f32, weight: f32, shifted: bool) {
  if (value == 0.0) {
    return;
  }
  let weighted = weight * value;
  fine_amount_add(SUM_WEIGHTED + 4u * quantity, weighted);
  if (shifted) {
    fine_amount_add(SUM_WEIGHTED + 4u * (WEIGHED_QUANTITIES + quantity), weighted);
  }
  fine_amount_add(SUM_WEIGHTED + 4u * (2u * WEIGHED_QUANTITIES + quantity), weight * weighted);
}

// Adds a path to the weighted sums, after its last step.
fn path_add_weighted(state: ptr<function, ProductState>, market_state: ptr<function, MarketState>, path: u32) {
  let weight = market_weight(market_state);
  let end = product_end(state);
  let closed = f32(slice.steps - end.step);
  let loss = max(0.0, end.loss);
  let top_ups = product_top_ups(state);
  let shifted = path_is_shifted(path);
  weighted_add(0u, 1.0, weight, shifted);
  weighted_add(1u, f32(end.called), weight, shifted);
  weighted_add(2u, f32(end.liquidated), weight, shifted);
  weighted_add(3u, f32(end.closed_out), weight, shifted);
  weighted_add(4u, f32(end.underwater), weight, shifted);
  weighted_add(5u, closed, weight, shifted);
  weighted_add(6u, closed * closed, weight, shifted);
  weighted_add(7u, loss, weight, shifted);
  weighted_add(8u, loss * loss, weight, shifted);
  weighted_add(9u, top_ups.x, weight, shifted);
  weighted_add(10u, top_ups.y, weight, shifted);
  weighted_add(11u, top_ups.y * top_ups.y, weight, shifted);
}
