// Weights of paths of which those of odd number are shifted.
// Provides: path_is_shifted, path_weight. Expects: nothing. Twin: src/core/plan/model/gbm-shifted.ts.

// Keeps powers of two finite.
const WEIGHT_EXPONENT_RANGE = 126.0;

fn path_is_shifted(path: u32) -> bool {
  return (path & 1u) == 1u;
}

// 2 / (1 + 2^exponent), 0 to 2.
fn path_weight(exponent: f32) -> f32 {
  return 2.0 / (1.0 + exp2(clamp(exponent, -WEIGHT_EXPONENT_RANGE, WEIGHT_EXPONENT_RANGE)));
}
