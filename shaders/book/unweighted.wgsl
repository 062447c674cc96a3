// Paths of a book that weigh the same.
// Provides: LOAN_SETS, weight_begin, path_weight, group_weigh. Expects: nothing.

// Sets of the sums of a loan.
const LOAN_SETS = 1u;

fn weight_begin(local: u32) {
}

fn path_weight() -> f32 {
  return 1.0;
}

fn group_weigh(slot: u32, sum: u32, value: vec2<u32>) {
}
