// Weights of paths of equal weight: 1, without weighted sums.
// Provides: LOAN_SETS, weight_begin, current_weight, group_add_weighted.
// Expects: nothing.

// Sets of the sums of a loan.
const LOAN_SETS = 1u;

fn weight_begin(local: u32) {
}

fn current_weight() -> f32 {
  return 1.0;
}

fn group_add_weighted(slot: u32, sum: u32, value: vec2<u32>) {
}
