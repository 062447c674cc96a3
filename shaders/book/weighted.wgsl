// Paths of a book that have weights: the sums of its loans under them, under those of odd paths alone, and under their squares.
// Provides: LOAN_SETS, weight_begin, path_weight, group_weigh. Expects: piece.wgsl, the binding `log_prices`, group_add_to,
// LOAN_SUM_*. Writer of the weights: book/put_weight.wgsl. Twin: PathSums of src/core/book/sum-sets.ts.

// Sets of the sums of a loan: plain ones first.
const LOAN_SETS = 4u;

// Parts of one path and of one step under a weight; amounts are in small units already.
const WEIGHED_PATH_UNITS = 1073741824.0;
const WEIGHED_STEP_UNITS = 8192.0;

// That of the path in hand, and whether it is of odd number.
var<private> weight: f32;
var<private> shifted: bool;

// Takes the weight of a path, whose sign tells odd ones.
fn weight_begin(local: u32) {
  let put = log_prices[piece.weights_row * piece.assets * piece.path_count + local];
  weight = abs(put);
  shifted = put < 0.0;
}

fn path_weight() -> f32 {
  return weight;
}

// Units of a sum under weights in one of the plain sum.
fn weighed_units(sum: u32) -> f32 {
  switch sum {
    case LOAN_SUM_MISSED_STEPS: { return WEIGHED_STEP_UNITS; }
    case LOAN_SUM_MISSED_SQUARES: { return piece.step_square_units; }
    case LOAN_SUM_UNSOLD_UNITS, LOAN_SUM_LOSS_UNITS, LOAN_SUM_UNSOLD_SQUARES, LOAN_SUM_LOSS_SQUARES: {
      return 1.0;
    }
    default: { return WEIGHED_PATH_UNITS; }
  }
}

fn group_weigh(slot: u32, sum: u32, value: vec2<u32>) {
  if (all(value == vec2(0u))) {
    return;
  }
  let amount = weight * (weighed_units(sum) * fma(f32(value.y), U64_WORD, f32(value.x)));
  let weighed = u64_of(amount);
  group_add_to(1u, slot, sum, weighed);
  if (shifted) {
    group_add_to(2u, slot, sum, weighed);
  }
  group_add_to(3u, slot, sum, u64_of(weight * amount));
}
