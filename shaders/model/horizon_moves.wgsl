// Moves of a quad of assets over four steps of different variance: the steps between horizons.
// Inputs: variances, drifts, correlated shocks.
// Outputs: moves; columns are assets, rows are steps.
// Units: log2 of prices.
// Provides: horizon_moves.
// Expects: nothing.

// @param years variance of each step, in that of a year @param roots square roots of `years`
// @param drift of each asset in a year @param shocks of each asset, of the size of a year
fn horizon_moves(roots: vec4<f32>, years: vec4<f32>, drift: vec4<f32>, shocks: mat4x4<f32>) -> mat4x4<f32> {
  return mat4x4(
    fma(roots, shocks[0], years * drift.x),
    fma(roots, shocks[1], years * drift.y),
    fma(roots, shocks[2], years * drift.z),
    fma(roots, shocks[3], years * drift.w),
  );
}
