// Log prices of a quad of assets after four moves. Columns are assets, rows are steps.
// Inputs: log prices before the moves, the moves.
// Outputs: log prices.
// Units: any base.
// Provides: log_walk, last_row.
// Expects:
//   lib/four_steps.wgsl: running_sum

// The log prices after each of the moves. @param start log prices before the first
fn log_walk(start: vec4<f32>, moves: mat4x4<f32>) -> mat4x4<f32> {
  return mat4x4(
    start.x + running_sum(moves[0]),
    start.y + running_sum(moves[1]),
    start.z + running_sum(moves[2]),
    start.w + running_sum(moves[3]),
  );
}

// The log prices after the last of the moves.
fn last_row(log_prices: mat4x4<f32>) -> vec4<f32> {
  return vec4(log_prices[0].w, log_prices[1].w, log_prices[2].w, log_prices[3].w);
}
