// Weights of paths of which those of odd number are shifted.
// Inputs: path; exponent of the density ratio in base 2.
// Outputs: weight, 0 .. 2.
// Provides: path_is_shifted, path_weight.
// Reference: src/core/plan/model/gbm-shifted.ts.
// Expects: nothing.

// Limit of the exponent: its power of two is finite.
const WEIGHT_EXPONENT_RANGE = 126.0;

fn path_is_shifted(path: u32) -> bool {
  return (path & 1u) == 1u;
}

// 2 / (1 + 2^exponent), 0 to 2.
fn path_weight(exponent: f32) -> f32 {
  return 2.0 / (1.0 + exp2(clamp(exponent, -WEIGHT_EXPONENT_RANGE, WEIGHT_EXPONENT_RANGE)));
}
