// Weights of the paths of a book, and the sums of its loans times the weight, the same of odd paths alone, and times the square of the
// weight.
// Inputs: log_prices, the row of weights (writer: book/write_weight.wgsl).
// Outputs: loan sums of three more sets.
// Units: units per path, step or amount: see weighted_units.
// Provides: LOAN_SETS, weight_begin, current_weight, group_add_weighted.
// Reference: PathSums of src/core/book/sum-sets.ts.
// Expects:
//   book/loans.wgsl: LOAN_SUM_*, group_add_to
//   book/piece.wgsl: piece
//   book/price_rows.wgsl: weights_row
//   book/values.wgsl: log_prices
//   lib/u64.wgsl: U64_WORD, u64_of

// Sets of the sums of a loan: plain ones first.
const LOAN_SETS = 4u;

// Units per path and per step in weighted sums; amounts have small units already.
const WEIGHED_PATH_UNITS = 1073741824.0;
const WEIGHED_STEP_UNITS = 8192.0;

// Weight of the current path, and whether its number is odd.
var<private> weight: f32;
var<private> shifted: bool;

// Reads the weight of a path; a negative sign marks an odd number.
fn weight_begin(local: u32) {
  let stored = log_prices[weights_row(piece.steps) * piece.assets * piece.path_count + local];
  weight = abs(stored);
  shifted = stored < 0.0;
}

fn current_weight() -> f32 {
  return weight;
}

// Units of a weighted sum per unit of the plain sum.
fn weighted_units(sum: u32) -> f32 {
  switch sum {
    case LOAN_SUM_MISSED_STEPS: { return WEIGHED_STEP_UNITS; }
    case LOAN_SUM_MISSED_SQUARES: { return piece.step_square_units; }
    case LOAN_SUM_UNSOLD_UNITS, LOAN_SUM_LOSS_UNITS, LOAN_SUM_UNSOLD_SQUARES, LOAN_SUM_LOSS_SQUARES: {
      return 1.0;
    }
    default: { return WEIGHED_PATH_UNITS; }
  }
}

fn group_add_weighted(slot: u32, sum: u32, value: vec2<u32>) {
  if (all(value == vec2(0u))) {
    return;
  }
  let amount = weight * (weighted_units(sum) * fma(f32(value.y), U64_WORD, f32(value.x)));
  let weighted = u64_of(amount);
  group_add_to(1u, slot, sum, weighted);
  if (shifted) {
    group_add_to(2u, slot, sum, weighted);
  }
  group_add_to(3u, slot, sum, u64_of(weight * amount));
}
